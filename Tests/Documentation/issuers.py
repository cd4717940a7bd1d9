"""Runs the pages of docs/issuers: each in a folder of its own, with the files that its commands name.

The files are made for the issuer that the page names: metadata, a key set, an answer and an ID token. A
command with a code behind `#` has to refuse with that code; every other one has to succeed.
"""

import json
import re
import subprocess

from pages import ROOT, Claims, fenced

AUDIENCE = "https://rp.example/saml"
CLIENT = "client-1"


def named(page, row):
    """The first name in the row of a page's table of names."""
    found = re.search(rf"^\| {row}[^|]*\| `([^`]+)`", page, re.M)
    return found.group(1) if found else None


def blocks(path, member):
    """The JSON blocks with this member."""
    for text in fenced(path, ("json",)):
        if member in json.loads(text):
            yield text


def typed(path):
    """The commands of the shell blocks, each with the code that it has to refuse with, or None."""
    for block in fenced(path, ("sh",)):
        for line in block.replace("\\\n", " ").splitlines():
            command, _, code = line.partition("  # ")
            if command.strip():
                yield re.sub(r"  +", " ", command.strip()), code.strip() or None


def make(claims, folder, path):
    """The files that the commands of a page read."""
    page = path.read_text()
    issuer = named(page, r"issuer(?! of)")
    token_issuer = named(page, "issuer of i?t?s? ?ID tokens")
    trust = next(blocks(path, "issuers"))
    for name in ("idp.crt", "idp.key", "signer.crt", "ours.crt", "ours.key", "keys.json", "acs.key"):
        (folder / name).symlink_to(claims.folder / name)
    (folder / "TestVectors").symlink_to(ROOT / "TestVectors")
    (folder / "trust.json").write_text(trust)
    (folder / "gate.json").write_text(next(blocks(path, "public")))
    own = Claims(claims.path, folder)
    own.write("idp.xml", "mint", "metadata", "--issuer", issuer, "--sign-on", "https://idp.example/sso",
              "--certificate", "idp.crt", "--certificate", "signer.crt", "--signing-key",
              str(claims.folder / "signer.key"), "--lifetime", "86400")
    sealed = ["--encrypt-to", "ours.crt"] if "decryptionKeys" in json.loads(trust) else []
    own.write("response.xml", "mint", "saml20", "--issuer", issuer, "--audience", AUDIENCE, "--subject",
              "alice", "--signing-key", "idp.key", "--certificate", "idp.crt", "--wrap", "response", *sealed)
    own.write("token.jwt", "mint", "jwt", "--issuer", token_issuer or issuer, "--audience", CLIENT,
              "--subject", "alice", "--signing-key", "idp.key")
    own.write("token.txt", "mint", "swt", "--issuer", issuer, "--audience", "urn:talks", "--claim",
              "urn:x/role=editor", "--key", "hmac-file:acs.key")


def run(runner, claims):
    """Types every command of every page; `runner` counts."""
    for path in sorted((ROOT / "docs" / "issuers").glob("*.md")):
        if path.name == "README.md":
            continue
        where = path.relative_to(ROOT)
        folder = claims.folder / path.stem
        folder.mkdir()
        make(claims, folder, path)
        accepted = refused = 0
        for command, code in typed(path):
            if code is None:
                runner.type(where, command, folder=folder)
                accepted += "TestVectors/issuers" in command
                continue
            refused += 1
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=runner.environment,
                                  capture_output=True, text=True, check=False)
            found = re.search(r'"error":\{"code":"([^"]+)"', done.stdout)
            runner.say(done.returncode == 1 and bool(found) and found.group(1) == code, where, command,
                       f"exit code {done.returncode}, not refused with {code}: {done.stdout[:200]}")
        runner.say(accepted > 0 and refused > 0, where, "tokens of its shape",
                   "a page accepts one and refuses one")
