"""Pages of `claims explain --html` in headless Chromium: photographs each, wide and narrow, light and dark, and has
axe-core look for obstacles to people with disabilities.

    python3 Tests/Interop/pages.py --claims .build/debug/claims --folder /tmp/pages

Needs, and installs nothing of it: Debian's chromium, chromium-driver and python3-selenium, and axe-core, as
`pip install --no-deps axe-playwright-python` brings it (--axe names another axe.min.js). Fails where axe-core finds
something serious, where a page is wider than its window, where it fetches something, or where its own policy
refuses a part of it.
"""

import argparse
import base64
import collections
import importlib.util
import json
import pathlib
import subprocess
import sys

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "TestVectors"
PAGES = [
    "saml20/response-assertion-signed", "saml20/tampered-advice", "saml20/xsw-1", "saml20/xsw-2", "saml20/xsw-3",
    "saml20/xsw-4", "saml20/xsw-5", "saml20/xsw-6", "saml20/xsw-7", "saml20/xsw-8",
    "encryption/assertion-aes256-gcm", "encryption/tampered-cbc", "saml20/style-adfs", "rstr/notify", "rstr/swt",
    "swt/at-noon", "swt/wrong-key", "jwt/pyjwt-rs256", "jwt/jwt-24-expired", "xmldsig/doctype",
]
SIZES = {"wide": (1280, 900), "narrow": (390, 844)}
SERIOUS = {"serious", "critical"}


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--claims", required=True, help="the command")
    words.add_argument("--folder", required=True, help="where pages and photographs go")
    words.add_argument("--axe", help="axe.min.js; default that of the Python package axe-playwright-python")
    words.add_argument("--show-values", action="store_true", help="pages with values")
    words.add_argument("vectors", nargs="*", help="identifiers of TestVectors/manifest.jsonl; default a choice")
    words = words.parse_args()
    axe = axe_core(words.axe)
    folder = pathlib.Path(words.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    wanted = words.vectors or PAGES
    manifest = {vector["id"]: vector for vector in map(json.loads, open(VECTORS / "manifest.jsonl", encoding="utf-8"))}
    browser = start()
    faults = collections.Counter()
    passed = []
    try:
        for name in wanted:
            vector = manifest[name]
            path = folder / (name.replace("/", "-") + ".html")
            status = explain(pathlib.Path(words.claims).resolve(), vector, path, words.show_values)
            expected = 0 if vector["verdict"] == "accept" else 1
            if status != expected:
                fault(faults, name, f"exit code {status} in place of {expected}")
            look(browser, axe, path, name, faults, passed)
    finally:
        browser.quit()
    print(f"{len(wanted)} pages, {4 * len(wanted)} photographs in {folder}, "
          f"{min(passed)} to {max(passed)} rules of axe-core "
          f"passed on each, {sum(faults.values())} faults")
    return 1 if faults else 0


def axe_core(path):
    """The text of axe-core."""
    if path is None:
        package = importlib.util.find_spec("axe_playwright_python")
        if package is None:
            sys.exit("pages.py: no axe-core: pip install --no-deps axe-playwright-python, or --axe FILE")
        path = pathlib.Path(package.submodule_search_locations[0]) / "axe.min.js"
    return pathlib.Path(path).read_text(encoding="utf-8")


def start():
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        sys.exit("pages.py: no Selenium: apt-get install chromium chromium-driver python3-selenium")
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def explain(claims, vector, page, shows_values):
    """Writes the page; returns the exit code."""
    words = [claims, "explain", "--html", page, "--skew", str(vector.get("skew", 60))]
    for flag, values in (("--key", vector.get("keys")), ("--issuer", vector.get("issuers")),
                         ("--audience", vector.get("audiences")), ("--decrypt-key", vector.get("decryptKeys")),
                         ("--allow-algorithm", vector.get("allow"))):
        for value in values or []:
            words += [flag, value]
    for flag, value in (("--at", vector.get("at")), ("--recipient", vector.get("recipient")),
                        ("--in-response-to", vector.get("inResponseTo")), ("--format", vector.get("pin"))):
        if value:
            words += [flag, value]
    if shows_values:
        words.append("--show-values")
    return subprocess.run(words + [vector["file"]], cwd=VECTORS, stdout=subprocess.DEVNULL, check=False).returncode


def look(browser, axe, page, name, faults, passed):
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "narrow"})
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": theme}]})
            browser.get(page.as_uri())
            title = f"{name}, {size}, {theme}"
            if browser.execute_script("return document.documentElement.scrollWidth") > width:
                fault(faults, title, "is wider than its window")
            photograph(browser, page.with_name(f"{page.stem}-{size}-{theme}.png"), width)
            browser.execute_script(axe)
            answer = browser.execute_async_script(
                "const done = arguments[0]; axe.run().then(done)")
            # Colours, headings, tables and more: axe-core ran.
            if len(answer["passes"]) < 20:
                fault(faults, title, f"axe-core passed {len(answer['passes'])} rules alone")
            passed.append(len(answer["passes"]))
            for violation in answer["violations"]:
                where = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
                text = f"axe {violation['impact']}: {violation['id']}: {violation['help']}: {where}"
                if violation["impact"] in SERIOUS:
                    fault(faults, title, text)
                else:
                    print(f"note: {title}: {text}")
    for entry in browser.get_log("browser"):
        fault(faults, name, entry["message"])
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            address = message["params"]["request"]["url"]
            if address != page.as_uri() and not address.startswith("data:"):
                fault(faults, name, f"fetches {address}")


def photograph(browser, path, width):
    """The whole page."""
    height = min(browser.execute_script("return document.documentElement.scrollHeight"), 12_000)
    answer = browser.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
    path.write_bytes(base64.b64decode(answer["data"]))


def fault(faults, name, text):
    faults[name] += 1
    print(f"FAULT: {name}: {text}")


if __name__ == "__main__":
    sys.exit(main())
