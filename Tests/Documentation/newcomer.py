#!/usr/bin/env python3
"""Follows the article UseTheClient as a new user would: a new package with the manifest that is printed there, the
program and every function pasted into it, built and started.

Only the package's address differs: this copy. Nothing is retyped.

Exit codes: 0 it builds and starts, 1 it does not, 2 usage.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"<!-- (\S+) -->\n```swift\n(.*?)^```$", re.M | re.S)


def manifest(text, path):
    """The printed manifest, with this copy as the package and both transports."""
    text, changed = re.subn(r'url: "[^"]*", from: "[^"]*"', f'path: "{path}"', text)
    product = '.product(name: "FederationNetwork", package: "swift-federation"),'
    if changed != 1 or product not in text:
        raise SystemExit("the manifest of the article UseTheClient is not as expected")
    return text.replace(product, product + "\n" + product.replace("FederationNetwork",
                                                                 "FederationFoundation"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--scratch-path", default=ROOT / ".build-newcomer", type=pathlib.Path,
                        metavar="PATH", help="where it is built, to be used again")
    options = parser.parse_args()
    blocks = BLOCK.findall((ROOT / "Sources/Services/FederationClient/FederationClient.docc/UseTheClient.md").read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # A package has the name of its folder.
        (folder / "swift-federation").symlink_to(ROOT)
        package = folder / "sign-in"
        sources = package / "Sources" / "sign-in"
        sources.mkdir(parents=True)
        for file, text in blocks:
            if file.endswith("Package.swift.txt"):
                (package / "Package.swift").write_text(manifest(text, "../swift-federation"))
            else:
                (sources / pathlib.Path(file).name).write_text(text)
        command = ["swift", "run", "--package-path", package, "--scratch-path",
                   options.scratch_path.resolve(), "sign-in"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode or not done.stdout.startswith("usage: sign-in "):
            print(f"exit code {done.returncode}: {done.stdout}")
            return 1
    print(f"{len(blocks)} blocks of the article UseTheClient pasted, built and started")
    return 0


if __name__ == "__main__":
    sys.exit(main())
