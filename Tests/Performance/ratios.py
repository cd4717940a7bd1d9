#!/usr/bin/env python3
"""ratios.py CLI [CLI ...] [--runs N] [--check]: what a token costs as a multiple of a peer's cost, several runs.

Each ratio is of processor times of one run in turn, on the same tokens, so that it holds on a machine that is busy.
Several builds of the command are measured side by side, as columns: median and range. Peers are a loop of HMACs in C
(hmac_loop.c, with a C compiler), the bare cost that `claims bench` measures, `xmlsec1 --verify`, and libxmlsec1 from
Python where lxml and xmlsec are there. --check ends with 1 when the best of the runs is beyond its bound, which two
kinds of processor meet: one with instructions for SHA-256 and one without. What else runs on the machine makes a short
run dearer, by a third now and then; what the code costs is in the best one too. Needs release builds. A row that an older
build does not measure stays empty.
"""
import argparse
import base64
import importlib.util
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import tokens

HERE = os.path.dirname(os.path.abspath(__file__))
# Bounds of the best run, a third beyond what was measured: two kinds of processor differ by as much where little is
# bare, and a machine shared with others adds to it. What is lost bit by bit instructions.py finds.
MOST = {
    "SWT lines / HMAC loop": 4.5, "bench swt": 5.9, "bench jwt HS256": 6.2, "bench saml20 1400 KB RSA": 2.0,
    "bench saml20 5 KB RSA encrypted": 1.5, "bench jwt RS256 RSA-OAEP-256": 1.4, "bench jwt RS256 ECDH-ES": 1.9,
    "bench mint swt": 5.1, "bench mint jwt RS256": 1.4, "bench mint saml20 RSA": 1.55,
    "a kB at 1400 KB / at 18 KB": 1.75, "one verify / xmlsec1": 0.65,
}
LEAST = {
    "libxmlsec1 / SAML 5 KB": 3.2, "libxmlsec1 / SAML 5 KB, a letter beyond ASCII": 3.1, "libxmlsec1 / SAML 18 KB": 3.2,
}


def processor_time(command, standard_input=None):
    """Seconds that a command used, its output thrown away."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(standard_input or os.devnull, "rb") as lines:
        done = subprocess.run(command, stdin=lines, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stderr[-400:].decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Lines:
    """`claims verify --lines` beside another verifier of the same lines."""

    def __init__(self, folder, name, made, arguments, repetitions):
        self.path = os.path.join(folder, name)
        self.made = made
        self.arguments = arguments
        self.count = len(made) * repetitions
        with open(self.path, "wb") as lines:
            for token in made * repetitions:
                lines.write(token + b"\n")

    def command_time(self, command):
        return processor_time(tokens.verify(command, self.arguments), self.path) / self.count


def hmac_loop(folder):
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        return None
    program = os.path.join(folder, "hmac_loop")
    subprocess.run([compiler, "-O2", "-o", program, os.path.join(HERE, "hmac_loop.c"), "-lcrypto"], check=True)
    return program


def simple_web_tokens(folder, maker):
    """As the published figures have them: 640 octets, of which some are escaped."""
    made = [
        tokens.mint(maker, "swt", "--key", tokens.SECRET, *tokens.claims(4), "--claim",
                    f"http://schemas.example.test/claims/name=Mia Müller {number}")
        for number in range(20)]
    return Lines(folder, "swt", made, ["--key", tokens.SECRET], 3000)


def responses(folder, maker, name, attributes, more=()):
    made = [
        tokens.mint(maker, "saml20", "--id", f"_p{number}", "--wrap", "response", "--attribute-name-format", "none",
                    *tokens.RSA, *tokens.claims(attributes), *more)
        for number in range(20)]
    lines = Lines(folder, name, [base64.b64encode(octets) for octets in made], tokens.RSA_TRUST, 40000 // (attributes + 60))
    lines.documents = made
    return lines


def libxmlsec1(documents):
    """Seconds for one document, from Python."""
    import time

    import lxml.etree
    import xmlsec
    certificate = open(tokens.RSA[3], "rb").read()
    key = xmlsec.Key.from_memory(certificate, xmlsec.constants.KeyDataFormatCertPem, None)
    begun = time.process_time()
    for octets in documents * 5:
        root = lxml.etree.fromstring(octets)
        xmlsec.tree.add_ids(root, ["ID"])
        context = xmlsec.SignatureContext()
        context.key = key
        context.verify(xmlsec.tree.find_node(root, xmlsec.constants.NodeSignature))
    return (time.process_time() - begun) / (len(documents) * 5)


def bench(command, seconds):
    """The ratios that `claims bench` measures, by its cases."""
    ran = subprocess.run([command, "bench", "--seconds", str(seconds)], check=True, capture_output=True)
    records = {record["case"]: record for record in map(json.loads, ran.stdout.splitlines())}
    found = {f"bench {name}": record["ratio"] for name, record in records.items() if "ratio" in record}
    a_kilobyte = {name: record.get("microsecondsPerKilobyteWithoutKey") for name, record in records.items()}
    long, short = a_kilobyte.get("saml20 1400 KB RSA"), a_kilobyte.get("saml20 18 KB RSA")
    if long and short:
        found["a kB at 1400 KB / at 18 KB"] = long / short
    return found


def one_shot(command, document, times=10):
    """A process for one token beside one of xmlsec1, in turn."""
    ours = theirs = 0.0
    peer = ["xmlsec1", "--verify", "--id-attr:ID", "urn:oasis:names:tc:SAML:2.0:assertion:Assertion",
            "--pubkey-cert-pem", tokens.RSA[3], document]
    verify = [part for part in tokens.verify(command, tokens.RSA_TRUST) if part not in ("--lines", "--jobs", "1")]
    for _ in range(times):
        ours += processor_time(verify, document)
        theirs += processor_time(peer)
    return ours / theirs


def measured(commands, runs, seconds, folder):
    """For each command the ratios of each run by their names."""
    maker = commands[0]
    loop = hmac_loop(folder)
    swt = simple_web_tokens(folder, maker)
    accent = ["--claim", "http://schemas.example.test/claims/name=Mia Müller"]
    saml = {
        "SAML 5 KB": responses(folder, maker, "5", 10),
        "SAML 5 KB, a letter beyond ASCII": responses(folder, maker, "name", 10, accent),
        "SAML 18 KB": responses(folder, maker, "18", 110),
    }
    document = os.path.join(folder, "document.xml")
    with open(document, "wb") as out:
        out.write(saml["SAML 5 KB"].documents[0])
    has_peer = all(importlib.util.find_spec(name) for name in ("lxml", "xmlsec"))
    found = [{} for _ in commands]
    for _ in range(runs):
        for command, values in zip(commands, found):
            def add(name, value):
                values.setdefault(name, []).append(value)
            if loop:
                bare = processor_time([loop, tokens.SECRET.split(":", 1)[1]], swt.path) / swt.count
                add("SWT lines / HMAC loop", swt.command_time(command) / bare)
            for name, value in bench(command, seconds).items():
                add(name, value)
            if has_peer:
                for name, lines in saml.items():
                    add(f"libxmlsec1 / {name}", libxmlsec1(lines.documents) / lines.command_time(command))
            if shutil.which("xmlsec1"):
                add("one verify / xmlsec1", one_shot(command, document))
    return found


def shown(command):
    """The build, by its folders where two have one name."""
    return "/".join(command.split("/")[-2:])


def cell(values):
    if not values:
        return "–"
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("commands", metavar="CLI", nargs="+")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.05, help="for each case of `claims bench`")
    parser.add_argument("--check", action="store_true", help="end with 1 when the best run is beyond its bound")
    options = parser.parse_args()
    commands = [os.path.abspath(command) for command in options.commands]
    with tempfile.TemporaryDirectory() as folder:
        found = measured(commands, options.runs, options.seconds, folder)
    print("| ratio | " + " | ".join(map(shown, commands)) + " |")
    print("| --- |" + " --- |" * len(commands))
    for name in dict.fromkeys(name for values in found for name in values):
        print(f"| {name} | " + " | ".join(cell(values.get(name)) for values in found) + " |", flush=True)
    if not options.check:
        return 0
    failed = False
    for name, values in found[-1].items():
        least, most = min(values), max(values)
        if least > MOST.get(name, least) or most < LEAST.get(name, most):
            failed = True
            best = least if name in MOST else most
            print(f"BEYOND ITS BOUND: {name}, {best:.2f}, {MOST.get(name, LEAST.get(name))}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
