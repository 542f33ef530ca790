"""The page in a real browser: python3 page.py PROGRAM [FOLDER]

Starts both processes in a temporary folder and does with two pages what a person does. With a folder it writes pictures
there. It ends the processes that it has started, and itself after 120 seconds. Needs playwright and chromium.
"""
import http.client, os, re, select, signal, subprocess, sys, tempfile, time
from playwright.sync_api import expect, sync_playwright

program, pictures = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
expect.set_options(timeout=10_000)
failures, started = [], []


def overdue(*_):
    raise TimeoutError("page.py takes longer than 120 seconds")


def check(condition, what):
    print(("pass  " if condition else "FAIL  ") + what, flush=True)
    if not condition:
        failures.append(what)


def start(*arguments):
    process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, text=True)
    started.append(process)
    return process


def end_all():
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()


def serve(file, port="0"):
    server = start("serve", file, "--port", port)
    assert select.select([server.stdout], [], [], 20)[0], "the server says no address"
    return server, server.stdout.readline().strip()


def until(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    check(condition(), what)


def line(page, symbol):
    return page.locator("#rows tr", has_text=re.compile(f"^{symbol}"))


def cell(page, symbol, index):
    return line(page, symbol).locator("td").nth(index)


def symbols(page):
    return page.locator("#rows td:first-child").all_inner_texts()


def dollars(text):
    return float(re.sub(r"[$,+]", "", text))


def total(page):
    return dollars(page.inner_text("#total"))


def edit(page, symbol, quantity):
    """Opens the editor and types, without saving."""
    line(page, symbol).get_by_role("button", name="Edit").click()
    expect(page.locator("#editing")).to_have_text(symbol)
    page.fill("#quantity", quantity)


def save(page):
    page.click("#save")
    expect(page.locator("#editor")).to_be_hidden()


def prices_move(page):
    expect(cell(page, "AAPL", 3)).to_contain_text("$")
    old = cell(page, "AAPL", 3).inner_text()
    expect(cell(page, "AAPL", 3)).not_to_have_text(old)
    check(True, "prices move")
    sums = """() => {
      const texts = [...$("rows").rows].map(line => line.cells[4].textContent).concat($("total").textContent);
      const numbers = texts.map(text => Number(text.replace(/[$,]/g, "")));
      return Math.abs(numbers.slice(0, -1).reduce((sum, number) => sum + number, 0) - numbers.at(-1)) < 0.005;
    }"""
    until(lambda: page.evaluate(sums), "the total is the sum of the rows")


def rows_follow(page):
    page.fill("#search", "a")
    until(lambda: symbols(page) == ["AAPL", "AMZN"], "a search filters")
    expect(page.locator("#count")).to_contain_text(" of 2 ")
    page.fill("#search", "")
    until(lambda: len(symbols(page)) == 4, "an empty search shows all")
    page.select_option("#order", "worth")
    until(lambda: symbols(page) == ["AMZN", "AAPL", "MSFT", "IBM"], "the order by worth")
    page.select_option("#order", "symbol")
    until(lambda: symbols(page) == ["AAPL", "AMZN", "IBM", "MSFT"], "the order by symbol")
    expect(page.locator("#count")).to_contain_text(" of 4 ")
    page.fill("#symbol", "tide")
    page.click("#add button")
    expect(cell(page, "TIDE", 1)).to_have_text("1")
    line(page, "TIDE").get_by_role("button", name="Remove").click()
    expect(line(page, "TIDE")).to_have_count(0)
    check(True, "a position is added and removed")


def editing(page):
    edit(page, "AAPL", "0")
    expect(page.locator("#hint")).to_have_text("A quantity is above zero.")
    expect(page.locator("#save")).to_be_disabled()
    page.evaluate("() => send({ commit: {} })")
    page.wait_for_timeout(500)
    check(page.locator("#editor").is_visible() and cell(page, "AAPL", 1).inner_text() == "20", "quantity 0 is rejected")
    page.locator("#quantity").select_text()
    page.locator("#quantity").press_sequentially("2x0y0", delay=120)
    expect(page.locator("#quantity")).to_have_value("200")
    check(True, "a letter is rejected")
    expect(page.locator("#hint")).to_be_empty()
    before = total(page)
    save(page)
    expect(cell(page, "AAPL", 1)).to_have_text("200")
    until(lambda: total(page) > before + 30_000, "an edit changes the total")
    page.click("#undo")
    expect(cell(page, "AAPL", 1)).to_have_text("20")
    until(lambda: abs(total(page) - before) < 5_000, "undo takes it back")
    page.click("#redo")
    expect(cell(page, "AAPL", 1)).to_have_text("200")
    page.click("#undo")
    expect(cell(page, "AAPL", 1)).to_have_text("20")
    check(True, "redo and undo")


def typing(page, other):
    edit(page, "IBM", "")
    page.locator("#quantity").press_sequentially("1234567")
    expect(page.locator("#quantity")).to_have_value("1,234,567")
    page.fill("#paid", "12.5")
    line(other, "IBM").get_by_role("button", name="Remove").click()
    expect(page.locator("#editor")).to_be_hidden()
    other.click("#undo")
    expect(page.locator("#editor")).to_be_visible()
    check(page.input_value("#quantity") == "1,234,567", "an undone removal brings the texts back")
    save(page)
    expect(cell(page, "IBM", 2)).to_have_text("$12.50")
    page.click("#undo")
    expect(cell(page, "IBM", 2)).to_have_text("$191.00")
    expect(cell(page, "IBM", 1)).to_have_text("12")
    check(True, "both fields are one step")


def conflicts(page, other):
    edit(page, "AAPL", "21")
    edit(other, "AAPL", "30")
    save(other)
    expect(page.locator("#conflict")).to_be_visible()
    expect(page.locator("#hint")).to_contain_text("“30”")
    expect(page.locator("#save")).to_be_disabled()
    expect(cell(page, "AAPL", 1)).to_have_text("30")
    check(page.input_value("#quantity") == "21", "a change from elsewhere is shown as a conflict, and the text is kept")
    if pictures:
        page.screenshot(path=f"{pictures}/portfolio-conflict.png")
    page.click("text=Keep mine")
    expect(page.locator("#conflict")).to_be_hidden()
    save(page)
    expect(cell(other, "AAPL", 1)).to_have_text("21")
    check(True, "keep mine: the text here replaces the change")

    edit(page, "AAPL", "22")
    edit(other, "AAPL", "31")
    save(other)
    expect(page.locator("#conflict")).to_be_visible()
    page.click("text=Take theirs")
    expect(page.locator("#conflict")).to_be_hidden()
    expect(page.locator("#quantity")).to_have_value("31")
    save(page)
    expect(cell(page, "AAPL", 1)).to_have_text("31")
    check(True, "take theirs: the text here is discarded")


def saved(file, *texts):
    content = open(file + ".json").read() if os.path.exists(file + ".json") else ""
    return all(text in content for text in texts)


def killed(page, server, file, port):
    page.select_option("#order", "gain")
    page.fill("#search", "ap")
    until(lambda: saved(file, '"order": "gain"', '"search": "ap"', '"quantity":31'), "settings and positions are saved")
    server.kill()
    server.wait()
    expect(page.locator("body")).to_have_attribute("data-state", "closed")
    server, _ = serve(file, port)
    expect(page.locator("body")).to_have_attribute("data-state", "open")
    expect(page.locator("#order")).to_have_value("gain")
    until(lambda: symbols(page) == ["AAPL"], "the search is there after SIGKILL")
    check(page.input_value("#search") == "ap" and cell(page, "AAPL", 1).inner_text() == "31", "so are the others")
    page.fill("#search", "")
    until(lambda: len(symbols(page)) == 4, "the new server shows all positions")
    prices_move(page)
    return server


def other_sites(port):
    key = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    for origin, expected in [("http://evil.example", 403), (f"http://127.0.0.1:{port}", 101)]:
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=5)
        connection.request("GET", "/live", headers={**key, "Origin": origin})
        check(connection.getresponse().status == expected, f"a page of {origin}: {expected}")
        connection.close()


def taken_port(file, port):
    """The server's own wait for itself would end after five seconds, with a timeout."""
    begin = time.monotonic()
    other = subprocess.run(
        [program, "serve", file, "--port", port], capture_output=True, text=True, timeout=20,
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
    check("Address already in use" in other.stderr, "a second server reports that the port is taken")
    check(time.monotonic() - begin < 4, "and does so at once")


def pages(browser, address):
    problems = []

    def new(**options):
        page = browser.new_page(**options)
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address)
        expect(page.locator("#rows tr")).to_have_count(4)
        return page

    first, second = new(), new()
    for width in [1100, 390]:
        for scheme in ["light", "dark"]:
            first.set_viewport_size({"width": width, "height": 700})
            first.emulate_media(color_scheme=scheme)
            fits = first.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
            check(fits, f"fits {width} pixels, {scheme}")
            if pictures:
                first.screenshot(path=f"{pictures}/portfolio-{width}-{scheme}.png")
    first.set_viewport_size({"width": 1100, "height": 700})
    prices_move(first)
    rows_follow(first)
    editing(first)
    typing(first, second)
    conflicts(first, second)
    return first, problems


def main(folder):
    file = os.path.join(folder, "market.db")
    prices = start("prices", file)
    server, address = serve(file)
    port = re.search(r":(\d+)/$", address)[1]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page, problems = pages(browser, address)
        check(not problems, f"no error in the browser: {problems}")
        other_sites(port)
        taken_port(file, port)
        server = killed(page, server, file, port)
        prices.kill()
        prices.wait()
        start("prices", file)
        prices_move(page)
        page.select_option("#order", "worth")
        page.wait_for_timeout(50)
        server.terminate()
        check(server.wait(20) == 0 and saved(file, '"order": "worth"'), "SIGTERM: what was just set is saved")
        browser.close()


signal.signal(signal.SIGALRM, overdue)
signal.alarm(120)
with tempfile.TemporaryDirectory(prefix="portfolio-") as folder:
    try:
        main(folder)
    finally:
        end_all()
if failures:
    sys.exit(f"{len(failures)} failed")
