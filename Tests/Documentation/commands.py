#!/usr/bin/env python3
"""Runs every command that the documentation prints, as printed, and checks its exit code.

The shell blocks of README.md, docs/*.md (but data.md, which recipes.py runs), docs/issuers/*.md, TestVectors/README.md and the articles, the
commands in the text of docs/errors.md, the examples of the manual page and the trust files of
docs/trust-file.md are run in a temporary folder, with files made for the run under the names that the
documentation uses (for docs/issuers by issuers.py). A command that is neither expected here nor left out with a reason is an error, so is a reason that
is no longer needed.

Exit codes: 0 success, 1 failures, 2 usage.
"""

import argparse
import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import issuers
from pages import ROOT, Claims, fenced

IDP, RP = "https://idp.example/idp", "https://rp.example/saml"

# Beginnings of commands that are not run here, with the reason.
LEFT_OUT = {
    "apt-get update": "installs packages and builds; what it runs then is typed from the root",
    "swift test": "a step of .ci/run, or a build of half an hour",
    "MEASURES=1 swift build": "a step of .ci/run",
    "swift run --enable-all-traits claims-client": "builds every trait; the tests run the command",
    "ASAN_OPTIONS=": "builds everything with a sanitizer",
    "TSAN_OPTIONS=": "builds everything with a sanitizer",
    "Tests/Fuzzing/run": "a step of .ci/run",
    ".build/release/Fuzz": "a step of .ci/run",
    "swift run --traits Server SignInSample": "a server; .ci/run builds it and plays a person through it",
    "swift run --traits Server acs demo": "a server; Tests/Interop/acs_story.py plays a person through it",
    "acs ": "a server, or needs files of one; the tests run its parts",
    "curl -d wrap_name": "needs the server of the page",
    "curl -o acs.xml": "needs the server of the page",
    "claims verify --metadata acs.xml": "needs the server of the page; Tests/PlayedThrough/demo.py verifies so",
    "curl -H \"Authorization: Bearer $TOKEN\"": "needs the server of the page; Tests/Interop/acs_agents.py registers clients",
    "printf %s \"$SECRET\" | acs secret": "a command of the server; the tests run it",
    "curl -u agent:SECRET": "needs the server of the page; Tests/Interop/acs_exchange.py exchanges tokens",
    "apt-get install debhelper": "installs packages",
    ".ci/": "a build or a test of its own",
    "cp /usr/share/doc/claims-gate": "needs the package; .ci/packages/test does it",
    "head -c 32 /dev/urandom": "needs the package; .ci/packages/test does it",
    "systemctl ": "needs the package; .ci/packages/test does it",
    "journalctl ": "needs the package; .ci/packages/test does it",
    "claims-gate ": "a server, or needs files of one; the tests and Tests/Interop/gate.py run it",
    "nginx -p": "needs the servers of docs/agents.md; Tests/Interop/agents_page.py runs the page",
    "pip install fastmcp": "Tests/Interop/agents_page.py needs it",
    "python3 server.py": "Tests/Interop/agents_page.py runs it",
    "python3 client.py": "Tests/Interop/agents_page.py runs it",
    "python3 docs/nats/claims_nats.py": "needs a NATS server",
    "pip install nats-py": "needs a NATS server; Tests/Streams/nats.py runs it",
    "pip install": "a step of .ci/run",
    "parallel ": "needs GNU parallel; Tests/Streams/parallel.py runs it",
    "spark-submit ": "needs Apache Spark; Tests/Streams/spark.py runs the recipe",
    "python3 TestVectors/make.py": "makes the vectors anew",
}
# Commands whose exit code is another than 0, by a part of the text.
CODES = {
    # All the tokens are bad by design.
    "claims mutate good.xml --key idp.key | claims verify": 1,
}
# Values for the placeholders in capitals in docs/errors.md.
WORDS = {"INSTANT": "2030-01-01T12:00:00Z response.xml", "PEM": "ours.key", "OUT": "canonical.xml"}
FILES = {"claims trust check FILE": "trust.json", "claims xml decrypt --key PEM FILE": "document.xml"}


def key_pair(folder, name):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-sha256", "-days", "365",
         "-subj", f"/CN={name}.example", "-keyout", f"{name}.key", "-out", f"{name}.crt"],
        cwd=folder, check=True, capture_output=True)


def key_set(folder, name):
    """The JWK set of an RSA key."""
    shown = subprocess.run(["openssl", "rsa", "-in", f"{name}.key", "-noout", "-modulus"],
                           cwd=folder, check=True, capture_output=True, text=True).stdout
    modulus = bytes.fromhex(shown.strip().partition("=")[2])

    def text(octets):
        return base64.urlsafe_b64encode(octets).decode().rstrip("=")

    return {"keys": [{"kty": "RSA", "n": text(modulus), "e": text(b"\x01\x00\x01")}]}


def stand_ins(claims):
    """Files under the names that the documentation uses, valid now."""
    folder = claims.folder
    for name in ("idp", "signer", "ours"):
        key_pair(folder, name)
    (folder / "federation-signer.crt").write_bytes((folder / "signer.crt").read_bytes())
    (folder / "acs.key").write_text(base64.b64encode(b"k" * 32).decode())
    (folder / "keys.json").write_text(json.dumps(key_set(folder, "idp")))
    (folder / "trust.json").write_text(json.dumps({
        "audiences": [RP], "issuers": [{"name": IDP, "keys": ["idp.crt"], "formats": ["saml20"]}]}))
    said = ["--subject", "alice", "--claim", "urn:x/role=editor"]
    idp = ["--issuer", IDP, "--audience", RP, *said, "--signing-key", "idp.key",
           "--certificate", "idp.crt", "--wrap", "response"]
    good = claims.write("response.xml", "mint", "saml20", *idp)
    claims.write("encrypted.xml", "mint", "saml20", *idp, "--encrypt-to", "ours.crt")
    claims.write("good.xml", "mint", "saml20", "--issuer", IDP, "--audience", "https://rp.example/",
                 *said, "--signing-key", "idp.key", "--wrap", "response", "--recipient",
                 "https://rp.example/acs")
    claims.write("document.xml", "mint", "saml20", "--issuer", IDP, "--audience", RP,
                 "--signing-key", "signer.key", "--wrap", "response", "--sign", "response",
                 "--encrypt-to", "ours.crt")
    claims.write("token.jwt", "mint", "jwt", "--issuer", IDP, "--audience", "api", *said,
                 "--signing-key", "idp.key")
    swt = claims.write("token.txt", "mint", "swt", "--issuer", "https://ns.accesscontrol.example/",
                       "--audience", RP, *said, "--key", "hmac-file:acs.key")
    claims.write("federation.xml", "mint", "metadata", "--issuer", IDP, "--sign-on", IDP + "/sso",
                 "--certificate", "idp.crt", "--certificate", "signer.crt", "--signing-key",
                 "signer.key", "--lifetime", "86400")
    tokens = base64.b64encode(good.strip()) + b"\n" + swt
    with open(folder / "tokens.gz", "wb") as file:
        subprocess.run(["gzip", "-c"], input=tokens, stdout=file, check=True)


def shell_commands(path):
    """The commands of the shell blocks, a backslash joining lines, without comments."""
    for block in fenced(path, ("sh", "")):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"(^|\s)# .*", "", line).strip()
            if line:
                yield re.sub(r"  +", " ", line)


def spoken(path):
    """The commands with an option or a file that occur in the text."""
    for text in sorted(set(re.findall(r"`(claims (?:[a-z]+ )+[^`]*)`", path.read_text()))):
        if re.search(r"--|FILE", text):
            yield text


def filled(text):
    for word, value in WORDS.items():
        text = re.sub(rf"\b{word}\b", value, text)
    return text


def manual_examples(path):
    """The text between .nf and .fi that is neither a synopsis nor bold."""
    for block in re.findall(r"^\.nf\n(.*?)^\.fi", path.read_text(), re.M | re.S):
        for line in block.splitlines():
            if line.startswith("claims "):
                yield line.replace("\\-", "-")


class Run:
    def __init__(self, claims):
        self.claims, self.good, self.bad, self.used = claims, 0, 0, set()
        self.environment = {
            "PATH": f"{claims.folder}/bin:/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
            "HOME": str(claims.folder)}

    def say(self, is_good, where, command, note=""):
        self.good, self.bad = self.good + is_good, self.bad + (not is_good)
        if not is_good:
            print(f"WRONG {where}: {command}\n      {note}")

    def type(self, where, command, typed=None, folder=None):
        typed = typed or command
        for start, reason in LEFT_OUT.items():
            if command.startswith(start):
                self.used.add(start)
                print(f"left out: {command[:60]} ({reason})")
                return
        if not command.startswith(("claims ", "zcat ")):
            self.say(False, where, command, "is not known here")
            return
        wanted = next((code for part, code in CODES.items() if part in command), 0)
        done = subprocess.run(["bash", "-c", typed], cwd=folder or self.claims.folder,
                              env=self.environment, capture_output=True, check=False)
        talk = done.stderr.decode(errors="replace").strip()
        # A report on an invalid token is a result too: `explain` and `--at` are shown with any.
        is_good = done.returncode == wanted and "claims: error" not in talk
        self.say(is_good, where, typed, f"exit code {done.returncode}, not {wanted}: {talk[:300]}")


def judged_variants(claims):
    """Whether every variant of the documented pipe is rejected with the manifest's code."""
    # One clock for both: some variants are bad by a second.
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    pipe = (f"claims mutate good.xml --key idp.key --at {at} > v.jsonl; claims verify --lines "
            f"--key idp.crt --audience https://rp.example/ --at {at} v.jsonl")
    done = subprocess.run(["bash", "-c", pipe], cwd=claims.folder, capture_output=True, check=False,
                          env={"PATH": f"{claims.folder}/bin:/usr/bin:/bin"})
    wanted = [json.loads(line)["expected"]
              for line in (claims.folder / "v.jsonl").read_text().splitlines()]
    found = [json.loads(line)["error"]["code"] for line in done.stdout.decode().splitlines()]
    return bool(wanted) and wanted == found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--claims", default=ROOT / ".build" / "release" / "claims",
                        type=pathlib.Path, metavar="PATH")
    options = parser.parse_args()
    if not options.claims.exists():
        parser.error(f"no command at {options.claims}: build it, or name it with --claims")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin" / "claims").symlink_to(options.claims.resolve())
        claims = Claims(options.claims.resolve(), folder)
        stand_ins(claims)
        run = Run(claims)
        documents = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "data.md"),
                     *sorted((ROOT / "docs" / "moving").glob("*.md")),
                     ROOT / "TestVectors" / "README.md",
                     *sorted((ROOT / "Sources").rglob("*.docc/*.md"))]
        for path in documents:
            where = path.relative_to(ROOT)
            for command in shell_commands(path):
                run.type(where, command)
                # The one command of the first paragraph ends with running the built command.
                if "swift run claims" in command:
                    run.type(where, command.partition("swift run ")[2], folder=ROOT)
        for command in spoken(ROOT / "docs" / "errors.md"):
            text = filled(command)
            text = text.replace("FILE", FILES.get(command, "response.xml"))
            if text.startswith("claims explain"):
                # The message explains it; the code means that the token is not for this command line.
                text += " --key idp.crt; [ $? -le 1 ]"
            run.type("docs/errors.md", command, text)
        for command in manual_examples(ROOT / "docs" / "claims.1"):
            target = command.partition(" > ")
            run.type("docs/claims.1", command, f"{target[0]} > completion && [ -s completion ]")
        for number, text in enumerate(fenced(ROOT / "docs" / "trust-file.md", ("json",))):
            whole = json.loads(text)
            if "issuers" not in whole:
                whole = {"audiences": [RP], "issuers": [whole]}
            (folder / "documented.json").write_text(json.dumps(whole))
            run.type("docs/trust-file.md", f"claims trust check documented.json # {number}")
        issuers.run(run, claims)
        run.say(judged_variants(claims), "README.md", "the codes of claims mutate", "differ")
        for start in set(LEFT_OUT) - run.used:
            run.say(False, "this script", start, "is left out, and printed nowhere")
        print(f"{run.good} typed as printed, {run.bad} failed")
        return 1 if run.bad else 0


if __name__ == "__main__":
    sys.exit(main())
