#!/usr/bin/env python3
"""Feeds `claims verify --lines` a million tokens and compares its memory with that after ten thousand.

    swift build -c release --product claims
    python3 Tests/Fuzzing/memory.py [--tokens 1000000] [--claims .build/release/claims]

The tokens are the vectors of all four formats, good and bad. Fails when resident memory grew by more
than 5 MB.
"""

import argparse
import base64
import json
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "TestVectors"
EARLY = 10_000
LIMIT = 5.0


def lines():
    """Each token as one line: XML as base64 of it."""
    for text in (VECTORS / "manifest.jsonl").read_text().splitlines():
        vector = json.loads(text)
        if vector["format"] not in ("swt", "jwt", "saml20", "saml11") or "file" not in vector:
            continue
        octets = (VECTORS / vector["file"]).read_bytes().rstrip(b"\n")
        if octets.startswith(b"<"):
            octets = base64.b64encode(octets)
        if octets and b"\n" not in octets and len(octets) < 16_384:
            yield octets + b"\n"


def resident(process):
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--claims", default=str(ROOT / ".build/release/claims"))
    arguments = parser.parse_args()
    tokens = list(lines())
    keys = ["keys/idp-rsa.crt", "keys/idp-ec256.crt", "hmac-file:keys/acs.key"]
    command = [str(Path(arguments.claims).resolve()), "verify", "--lines", "--allow-any-audience"]
    command += ["--at", "2030-01-01T12:00:00Z", "--decrypt-key", "keys/rp-rsa.key"]
    command += [part for key in keys for part in ("--key", key)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=VECTORS)

    def feed():
        for number in range(arguments.tokens):
            process.stdin.write(tokens[number % len(tokens)])
        process.stdin.close()

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    early = late = 0.0
    samples = []
    last = []
    count = accepted = 0
    for line in process.stdout:
        count += 1
        accepted += line.startswith(b'{"valid":true') or b'"valid":true' in line[:64]
        if count == EARLY:
            early = resident(process)
        if count % (arguments.tokens // 10) == 0:
            samples.append(f"{resident(process):.1f}")
        # Memory in use between the workers fluctuates, so the end is a median.
        if count > arguments.tokens * 0.9 and count % (arguments.tokens // 200) == 0:
            last.append(resident(process))
    process.wait()
    late = sorted(last)[len(last) // 2]
    print(
        f"{count} tokens of {len(tokens)} kinds, {accepted} accepted; resident after {EARLY}: "
        f"{early:.1f} MB, after {count}: {late:.1f} MB, growth {late - early:+.1f} MB")
    print("resident at each tenth: " + " ".join(samples))
    return 0 if count == arguments.tokens and late - early <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
