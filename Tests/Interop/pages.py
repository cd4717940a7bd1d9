"""Pages of `claims explain --html` in headless Chromium: photographs each, wide and narrow, light and dark, and has
axe-core look for obstacles to people with disabilities.

    python3 Tests/Interop/pages.py --claims .build/debug/claims --folder FOLDER

Needs, and installs nothing of it: Debian's chromium, chromium-driver and python3-selenium, and axe-core, as
`pip install --no-deps axe-playwright-python` brings it (--axe names another axe.min.js). Fails where axe-core finds
something, where a page is wider than its window, where it fetches something, or where its own policy
refuses a part of it.
"""

import argparse
import json
import pathlib
import subprocess
import sys

from photographs import Camera, axe_core, sheets

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "TestVectors"
PAGES = [
    "saml20/response-assertion-signed", "saml20/tampered-advice", "saml20/xsw-1", "saml20/xsw-2", "saml20/xsw-3",
    "saml20/xsw-4", "saml20/xsw-5", "saml20/xsw-6", "saml20/xsw-7", "saml20/xsw-8",
    "encryption/assertion-aes256-gcm", "encryption/tampered-cbc", "saml20/style-adfs", "rstr/notify", "rstr/swt",
    "swt/at-noon", "swt/wrong-key", "jwt/pyjwt-rs256", "jwt/jwt-24-expired", "xmldsig/doctype",
]


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--claims", required=True, help="the command")
    words.add_argument("--folder", required=True, help="where pages and photographs go")
    words.add_argument("--axe", help="axe.min.js; default that of the Python package axe-playwright-python")
    words.add_argument("--sheets", action="store_true", help="contact sheets too; needs PyPI's pillow")
    words.add_argument("--show-values", action="store_true", help="pages with values")
    words.add_argument("vectors", nargs="*", help="identifiers of TestVectors/manifest.jsonl; default a choice")
    words = words.parse_args()
    camera = Camera(words.folder, axe_core(words.axe))
    manifest = {vector["id"]: vector for vector in map(json.loads, open(VECTORS / "manifest.jsonl", encoding="utf-8"))}
    try:
        for name in words.vectors or PAGES:
            page(camera, pathlib.Path(words.claims).resolve(), manifest[name], words.show_values)
    finally:
        camera.leave()
    if words.sheets:
        sheets(camera.folder, camera.pages)
    return camera.report()


def page(camera, claims, vector, shows_values):
    name = vector["id"].replace("/", "-")
    path = camera.folder / (name + ".html")
    status = explain(claims, vector, path, shows_values)
    expected = 0 if vector["verdict"] == "accept" else 1
    if status != expected:
        camera.fault(name, f"exit code {status} in place of {expected}")
    camera.open(path.as_uri(), name)
    for entry in camera.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            address = message["params"]["request"]["url"]
            if address != path.as_uri() and not address.startswith("data:"):
                camera.fault(name, f"fetches {address}")


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


if __name__ == "__main__":
    sys.exit(main())
