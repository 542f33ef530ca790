"""The page in a real browser: python3 page.py PROGRAM FOLDER

Opens it at the width of a phone and of a desktop, light and dark, checks that the charts move, the numbers come and the end is
said, and writes a picture of each to the folder. Needs playwright and chromium.
"""
import subprocess, sys, time
from playwright.sync_api import sync_playwright

program, folder = sys.argv[1:]


def wait(page, condition):
    """The page's policy forbids to evaluate text, which the waits of playwright do."""
    end = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < end, f"timed out waiting for {condition}"
        page.wait_for_timeout(50)


server = subprocess.Popen([program, "--port", "0"], stdout=subprocess.PIPE, text=True)
try:
    url = server.stdout.readline().strip()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        problems, pages = [], []
        for name, width, height, scheme in [
            ("desktop-light", 1180, 610, "light"), ("desktop-dark", 1180, 610, "dark"),
            ("phone-light", 390, 844, "light"), ("phone-dark", 390, 844, "dark"),
        ]:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.goto(url)
            wait(page, "document.querySelectorAll('.chart').length == 6 && ticks.length >= 60")
            wait(page, "!isNaN(parseInt(document.querySelector('dd').textContent))")
            before = page.locator("canvas").first.evaluate("canvas => canvas.toDataURL()")
            number = page.evaluate("ticks.at(-1).number")
            wait(page, f"ticks.at(-1).number > {number + 3}")
            assert page.locator("canvas").first.evaluate("canvas => canvas.toDataURL()") != before, "the chart does not move"
            numbers = page.evaluate("ticks.map(tick => tick.number)")
            assert numbers == list(range(numbers[0], numbers[-1] + 1)), "a browser that reads has missed a tick"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the window"
            page.screenshot(path=f"{folder}/market-{name}.png", full_page=True)
            pages.append(page)
        server.terminate()
        for page in pages:
            wait(page, "document.getElementById('state').dataset.state == 'closed'")
        assert not problems, problems
        browser.close()
    assert server.wait(20) == 0, "the server did not end with 0"
    print("the page moves, at two widths, light and dark, and says when the market is closed")
finally:
    if server.poll() is None:
        server.kill()
