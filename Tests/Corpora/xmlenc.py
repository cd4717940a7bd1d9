#!/usr/bin/env python3
"""Decrypts the encrypted documents of other projects with `claims xml decrypt`.

The data lies beside this repository and is not part of it; where it is missing, nothing is run.
A case agrees when its plaintext is the one that its source expects, or when both refuse it. A
refusal of a case that its source decrypts must be one that EXPLAINED names for its algorithms.

Exit codes: 0 all agree or are explained (or there are no corpora), 1 some are not, 2 usage.
"""

import argparse
import base64
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFEST = ROOT.parent / "shared" / "corpora" / "MANIFEST.jsonl"
CLAIMS = ROOT / ".build" / "release" / "claims"

# The code of a refusal, and what in a document explains it.
EXPLAINED = (
    ("xml.doctype", "<!DOCTYPE", "a document type is never read"),
    ("encryption.algorithm", "#kw-tripledes", "Triple DES key wrap is not there"),
    ("encryption.reference", "CipherReference", "nothing outside the element is fetched"),
)


def outcome(claims, case, folder, scratch):
    """The column of a case and a short reason."""
    path = folder / case["file"]
    text = path.read_text(errors="replace")
    words = [str(claims), "xml", "decrypt", "--allow-algorithm", "3des", "--allow-algorithm",
             "rsa-1_5"]
    for key in keys(case, text, folder, scratch):
        words += ["--key", key]
    done = subprocess.run([*words, str(path)], capture_output=True, timeout=60, check=False)
    found = re.search(rb"error: ([a-z]+\.[a-z0-9-]+):", done.stderr)
    code = found[1].decode() if found else "decrypted" if done.returncode == 0 else "fault"
    if code == "fault" or done.returncode not in (0, 1) or (done.returncode and done.stdout):
        return "disagrees", f"exit {done.returncode}: {done.stderr[:200].decode()}"
    if case["expected"] == "invalid":
        return ("agrees: refused" if code == "encryption.failed" else "disagrees"), code
    if code == "decrypted":
        return ("agrees: decrypted" if fits(done.stdout, case, folder, text) else "disagrees"), code
    for explained, mark, why in EXPLAINED:
        if code == explained and mark in text:
            if code == "xml.doctype":
                why += "; without it: " + without_type(words, text, case, folder)
            return "explained", f"{code}: {why}"
    return "disagrees", code


def without_type(words, text, case, folder):
    """The result for a document without its document type."""
    cut = re.sub(r"<!DOCTYPE[^\[>]*(\[.*?\]\s*)?>", "", text, count=1, flags=re.S)
    done = subprocess.run(
        [*words, "-"], input=cut.encode(), capture_output=True, timeout=60, check=False)
    if done.returncode == 0:
        return "decrypted" if fits(done.stdout, case, folder, text) else "another plaintext"
    return done.stderr.decode().split(": ")[2]


def keys(case, text, folder, scratch):
    """The decryption keys, as arguments; of a key file those whose names the document mentions."""
    found = []
    for key in case["keys"]:
        path = folder / key["file"]
        if key["type"] == "xmlsec-keys-xml":
            entries = re.findall(
                r"<KeyName>([^<]+)</KeyName>\s*<KeyValue>\s*<\w+Value[^>]*>([^<]+)<",
                path.read_text())
            found += ["aes:" + "".join(value.split()) for name, value in entries
                      if re.search(rf">\s*{re.escape(name)}\s*<", text)]
        elif key["type"] == "pkcs12":
            opened = subprocess.run(
                ["openssl", "pkcs12", "-legacy", "-in", path, "-nocerts", "-nodes", "-passin",
                 "pass:" + key.get("password", "secret")], capture_output=True, check=False).stdout
            target = scratch / (path.name + ".pem")
            target.write_bytes(opened)
            found.append(str(target))
        elif key["type"] == "private-key-pem":
            found.append(str(path))
    return found


def fits(plaintext, case, folder, text):
    """Whether this is what the source expects: the plaintext, or the document around it."""
    companions = {each["role"]: folder / each["file"] for each in case.get("companions", [])}
    if "expected-plaintext-as-base64" in companions:
        expected = companions["expected-plaintext-as-base64"].read_text()
        return base64.b64encode(plaintext).decode() == "".join(expected.split())
    for role, path in companions.items():
        if not role.startswith("expected"):
            continue
        expected = path.read_bytes()
        return plaintext.strip() == expected.strip() or (
            "<EncryptedData" in text and squeezed(plaintext) in squeezed(expected))
    return case["expected"] == "valid"


def squeezed(data):
    """Without white space: the expected document was serialised anew, with differently written tags."""
    return re.sub(rb"\sxmlns=\"[^\"]*\"|\s", b"", data)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("manifest", nargs="?", default=MANIFEST, type=pathlib.Path)
    parser.add_argument("--claims", default=CLAIMS, type=pathlib.Path, metavar="PATH")
    options = parser.parse_args()
    if not options.manifest.exists():
        print("corpora absent: skipped")
        return 0
    if not options.claims.exists():
        parser.error(f"no command at {options.claims}: build it, or name it with --claims")
    folder = options.manifest.resolve().parent
    entries = [json.loads(line) for line in options.manifest.read_text().splitlines()]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for case in entries:
            # The other kinds of vectors are no XML.
            if case["kind"] != "xmlenc" or case["encoding"] != "xml":
                continue
            column, why = outcome(options.claims, case, folder, pathlib.Path(scratch))
            name = case["id"].split("/")[1].split(".")[0] if case["id"].startswith(
                "xmlsec/") else case["id"].split("/")[0]
            counts[name, column] += 1
            if column in ("explained", "disagrees"):
                print(f"{column}: {case['id']}\n    {why}")
    for (name, column), count in sorted(counts.items()):
        print(f"{name:24} {column:20} {count:4}")
    disagreements = sum(count for (_, column), count in counts.items() if column == "disagrees")
    print(f"disagrees: {disagreements} unexplained")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
