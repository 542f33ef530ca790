"""The inspector's page in a real browser, beside a program whose rates, edges and mistakes are known.

usage: check.py DEMO SCREENSHOTS
"""
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

from playwright.sync_api import expect, sync_playwright

demo, pictures = sys.argv[1], sys.argv[2]
os.makedirs(pictures, exist_ok=True)
failures = []


def check(condition, what):
    print(("pass  " if condition else "FAIL  ") + what, flush=True)
    if not condition:
        failures.append(what)


def start(*arguments):
    program = subprocess.Popen([demo, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return program, program.stdout.readline().strip(), time.monotonic()


def status(address, **headers):
    try:
        return urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=5).status
    except urllib.error.HTTPError as error:
        return error.code


def rows(page):
    return page.evaluate(
        """() => Object.fromEntries(state.rows.map(row => [row.name, row]))""")


def rejected(base, token):
    for path in ["", "page.js", "page.css", "live", "table"]:
        check(status(base + path, Host="evil.example:80") == 403, f"/{path}: another host is rejected")
        check(status(base + path, Origin="http://evil.example") == 403, f"/{path}: another origin is rejected")
    check(status(base) == 200, "the page itself is given to this machine")
    check(status(base + "table") == 401, "no table without the token")
    check(status(base + "table", Authorization="Bearer " + "0" * len(token)) == 401, "no table for a wrong token")
    check(status(base + "table", Authorization="Bearer " + token) == 200, "the table for the token")


def rates(page):
    known = {"market.traded": 100, "apple": 100, "amazon": 10, "market.approve": 5}
    for _ in range(3):  # another program may have had the processor
        page.wait_for_timeout(2500)
        seen = {name: rows(page)[name]["rate"] for name in known}
        if all(abs(seen[name] - known[name]) <= 0.1 * known[name] for name in known):
            break
    for name, rate in known.items():
        check(abs(seen[name] - rate) <= 0.1 * rate, f"{name}: {seen[name]} a second, {rate} within a tenth")


def edges(page):
    drawn = page.evaluate("""() => {
      const names = new Map(state.graph.nodes.map(node => [String(node.id), node.name]));
      return [...document.querySelectorAll('#graph path')].map(path =>
        names.get(path.dataset.from) + ' → ' + names.get(path.dataset.to)).sort();
    }""")
    # What was never computed has read nothing.
    expected = ["amazon → portfolio", "apple → isRich", "apple → portfolio", "portfolio → worth", "shares → worth", "worth → title"]
    check(drawn == expected, f"edges as in the program: {drawn}")
    lit = page.evaluate("() => document.querySelectorAll('#graph path.lit').length")
    check(lit > 0, f"the path of the last propagation is lit: {lit} edges")


def one_program(browser):
    program, address, began = start("60")
    base, token = address.split("#")
    errors = []
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    page.wait_for_selector("#rows tr")

    # Each mistake is made within the first second; the third subscription of the growing place comes half a second later.
    for kind in ["growing", "slow", "unread", "rejected", "unchanged"]:
        page.wait_for_selector(f".warning[data-kind={kind}]", timeout=15000)
        print(f"      {kind} after {time.monotonic() - began:.1f} s")
    check(time.monotonic() - began <= 3, "each warning within three seconds of the mistakes")
    check("ping → pong → ping" in page.text_content(".warning[data-kind=rejected]"), "the rejected cycle with its chain")

    names = set(rows(page))
    expected = {"market.traded", "market.halted", "apple", "amazon", "shares", "portfolio", "worth", "title", "isRich", "unread",
                "market.approve", "ping", "pong", "stream of market.traded"}
    check(expected <= names, f"a row for each object; missing: {expected - names}")
    check(page.locator("#rows tr").count() == len(names), "as many rows as objects")
    seen = rows(page)
    check(seen["unread"]["isStale"] and seen["unread"]["total"] == 0, "looking does not compute a value")
    check(seen["stream of market.traded"]["waiting"] == 16, "what waits in a stream")
    rejected(base, token)
    rates(page)
    edges(page)

    page.click("#rows tr:has-text('market.traded') >> nth=0")
    page.wait_for_selector("#detail h2")
    detail = page.text_content("#detail")
    check("main.swift:" in detail and "calls" in detail and "stream of market.traded" in detail, "the details name handlers and streams")
    page.screenshot(path=f"{pictures}/desktop-light.png")
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=f"{pictures}/desktop-dark.png")
    for scheme in ["light", "dark"]:
        page.set_viewport_size({"width": 390, "height": 844})
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(700)
        width = page.evaluate("() => document.documentElement.scrollWidth")
        check(width <= 390, f"nothing is wider than a telephone ({width})")
        right = page.evaluate("() => Math.max(...[...document.querySelectorAll('.handlers td')].map(td => td.getBoundingClientRect().right))")
        check(right <= 390, f"the handlers' times are on the screen ({right})")
        page.screenshot(path=f"{pictures}/phone-{scheme}.png", full_page=True)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light")

    # Keyboard: search, choose, pause.
    page.keyboard.press("/")
    page.keyboard.type("portf")
    page.wait_for_function("() => document.querySelectorAll('#rows tr').length === 1")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.querySelectorAll('#rows tr').length > 10")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#rows tr.chosen")
    page.keyboard.press("p")
    page.wait_for_timeout(700)
    paused = page.text_content("#rows")
    page.wait_for_timeout(1200)
    check(page.text_content("#rows") == paused and "paused" in page.text_content("#status"), "paused, nothing moves")
    page.keyboard.press("p")

    # Only shown, though everything is sorted and filtered.
    page.click("#kinds button[data-kind=derived]")
    page.wait_for_function("() => state.rows.every(row => row.kind === 'derived')")
    page.click("#heads button:has-text('name')")
    page.wait_for_function("() => state.rows[0].name === 'isRich'")
    check(True, "search, kinds, order and keys")
    check(errors == [], f"no error in the browser: {errors}")

    other = browser.new_page()
    other.goto(base + "#" + "0" * len(token))
    other.wait_for_function("() => document.body.dataset.state === 'rejected'")
    check("wrong token" in other.text_content("#status") and other.locator("#rows tr").count() == 0, "a wrong token is rejected")
    other.close()

    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    page.wait_for_function("() => document.body.dataset.state === 'closed'", timeout=5000)
    check(page.text_content("#status") == "the program has ended", "the page shows that a killed program has ended")
    page.close()


def ten_thousand(browser):
    program, address, _ = start("60", "5000")
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    page.wait_for_selector("#rows tr")
    check(page.evaluate("() => state.count") >= 10000, "ten thousand objects")
    check(page.locator("#rows tr").count() == 100, "a hundred rows of them at a time")
    began = time.monotonic()
    page.keyboard.press("/")
    page.keyboard.type("crowd 4999")
    page.wait_for_function("() => state.matching === 2 && document.querySelectorAll('#rows tr').length === 2")
    took = time.monotonic() - began
    check(took < 10, f"found among them in {took:.1f} s")
    first = page.evaluate("() => state.sample")
    page.wait_for_timeout(4000)
    samples = page.evaluate("() => state.sample") - first
    check(samples >= 4, f"{samples} samples in four seconds")
    program.kill()
    program.wait()
    page.close()


def leaks(browser):
    program, address, _ = start("60", "0", "leak")
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector(".warning[data-kind=alive]", timeout=15000)
    warnings = page.locator(".warning[data-kind=alive]").all_text_contents()
    check(len(warnings) == 1 and "kept" in warnings[0] and "main.swift:" in warnings[0],
          f"the value whose closure keeps its owner, and no other: {warnings}")
    program.kill()
    program.wait()
    page.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    one_program(browser)
    ten_thousand(browser)
    leaks(browser)
    browser.close()
if failures:
    sys.exit(f"{len(failures)} failed")
