"""instructions.py CLI [--store]: instructions a token under callgrind, for the fixed jobs of tokens.py.

Time depends on the machine and its load; the counts here do not. Each job must stay within four per cent of the count
in instructions.json: two kinds of processor differ by two, since OpenSSL and the C library choose their loops by them.
--store writes the file anew. Needs valgrind and a release build. Start-up is left out, a long run less a short one, and
counted by itself: `start` is one token in a process.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import tokens

HERE = os.path.dirname(os.path.abspath(__file__))
STORE = os.path.join(HERE, "instructions.json")
# How many tokens a run has; of those that take long, fewer.
FEW, MANY = 40, 140
FEW_LONG, MANY_LONG = 3, 8


def instructions(command, token, arguments, count, valid=True):
    with tempfile.NamedTemporaryFile() as lines:
        lines.write((token + b"\n") * count)
        lines.flush()
        ran = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             *tokens.verify(command, arguments)],
            stdin=open(lines.name, "rb"), capture_output=True)
    assert ran.returncode == (0 if valid else 1), ran.stdout[:300] + ran.stderr[-600:]
    assert ran.stdout.count(b'"valid":true' if valid else b'"valid":false') == count
    return int(re.search(rb"Collected : (\d+)", ran.stderr).group(1))


def main():
    command = os.path.abspath(sys.argv[1])
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind 3.19 stops at the debug information that clang writes for C.
        stripped = os.path.join(folder, "claims")
        subprocess.run(["strip", "--strip-debug", "-o", stripped, command], check=True)
        def count(jobs, few, many, valid=True):
            for name, token, arguments in jobs:
                less, more = (instructions(stripped, token, arguments, number, valid) for number in (few, many))
                found[name] = round((more - less) / (many - few))
        count(tokens.jobs(command), FEW, MANY)
        count(tokens.refused_jobs(command), FEW, MANY, valid=False)
        count(tokens.long_jobs(command), FEW_LONG, MANY_LONG)
        found["start"] = instructions(stripped, *tokens.jobs(command)[2][1:], 1)
    if "--store" in sys.argv:
        with open(STORE, "w") as store:
            json.dump(found, store, indent=2)
            store.write("\n")
    bounds = json.load(open(STORE))
    failed = False
    for name, count in found.items():
        change = count / bounds[name] - 1
        verdict = "ok" if change <= 0.04 else "TOO MANY"
        failed = failed or change > 0.04
        print(f"{name:12} {count:9} instructions a token, stored {bounds[name]:9}, {change:+.1%} {verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
