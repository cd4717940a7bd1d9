#!/usr/bin/env python3
"""faults.py [--only N,N…] [--modules M,M…] [--list]: takes each check of the services away, one at a time, and sees whether a test fails.

A check is a condition whose failure refuses: each condition of a `guard` whose body throws or returns a value, and
of an `if` whose body throws. In a copy of the tree each of them is answered by one switch, `FAULT=N`, so that one
build holds all faults. The suites then run once with a log of which checks refuse in them, and once for each check
with that check taken away, only those suites in which it refuses. A check that refuses in no suite, and one whose
absence no suite notices, is printed; the command exits with 1 where `known.txt` does not explain it.

It takes hours on two cores and is no part of CI.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WORK = os.path.join(ROOT, ".build-faults")
TREE = os.path.join(WORK, "tree")
MODULES = [
    "SingleSignOn", "SignIn", "ForwardAuthentication", "GateService", "TokenService", "AccessControl",
    "RedisStores", "RedisProtocol", "SQLiteSessions", "ProviderAssembly",
]
SUITES = [
    "SingleSignOnTests", "SignInTests", "GateTests", "StoreTests", "TokenServiceTests",
    "AccessControlTests", "ServerTests", "ArticleTests",
]
SWITCH = '@_silgen_name("fault_injected") private func faultInjected(_ number: Int32) -> Bool\n'
C = r"""
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
bool fault_injected(int number) {
  static bool seen[8192];
  const char *log = getenv("FAULT_LOG"), *fault = getenv("FAULT");
  if (log && number < 8192 && !seen[number]) {
    seen[number] = true;
    int file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    char text[16];
    if (file >= 0) {
      ssize_t written = write(file, text, (size_t)snprintf(text, sizeof text, "%d\n", number));
      (void)written;
      close(file);
    }
  }
  return fault && atoi(fault) == number;
}
"""


def skip(text, place):
    """The place behind the string or comment that begins here, or the same place."""
    if text.startswith("//", place):
        end = text.find("\n", place)
        return len(text) if end < 0 else end
    if text.startswith('"""', place):
        return text.index('"""', place + 3) + 3
    if text[place] == '"':
        place += 1
        while text[place] != '"':
            if text.startswith("\\(", place):
                place = closing(text, place + 1)
            elif text[place] == "\\":
                place += 1
            place += 1
        return place + 1
    return place


def closing(text, place):
    """The place of the bracket that closes the one here."""
    depth = 0
    while True:
        behind = skip(text, place)
        if behind > place:
            place = behind
            continue
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
            if depth == 0:
                return place
        place += 1


def parts(text, separator):
    """The text cut at a separator that stands in no bracket and no string."""
    found, start, place = [], 0, 0
    while place < len(text):
        behind = skip(text, place)
        if behind > place:
            place = behind
        elif text[place] in "([{":
            place = closing(text, place) + 1
        elif text.startswith(separator, place):
            found.append((start, place))
            start = place = place + len(separator)
        else:
            place += 1
    return found + [(start, len(text))]


def body_of(text, place, keyword):
    """For a statement's conditions that begin here: their end and the place of the body's brace."""
    while place < len(text):
        behind = skip(text, place)
        if behind > place:
            place = behind
            continue
        if keyword == "guard" and re.match(r"\belse\s*\{", text[place:]) and not text[place - 1].isalnum():
            return place, text.index("{", place)
        if keyword == "if" and text[place] == "{" and text[place - 1] in " \n":
            return place, place
        if text[place] in "([{":
            place = closing(text, place)
        place += 1
    return None


class Faults:
    def __init__(self):
        self.found = []

    def number(self, name, line, what):
        self.found.append((name, line, " ".join(what.split())))
        return len(self.found)

    def condition(self, text, name, line, keyword):
        """One condition with its switch. The check itself still runs: what it remembers stays remembered."""
        bare = text.strip()
        if re.match(r"(let|var|case|unsafe let|#)\b", bare) or bare.startswith("#"):
            return text
        lead = text[: len(text) - len(text.lstrip())]
        if keyword == "if":
            return f"{lead}({bare}) && !faultInjected({self.number(name, line, bare)})"
        mark = re.match(r"((try|await|unsafe)\s+)*", bare).group(0)
        inner = bare[len(mark):]
        if len(parts(inner, "||")) > 1 or len(parts(inner, "?")) > 1 or len(parts(inner, "&&")) == 1:
            return f"{lead}{mark}(({inner}) || faultInjected({self.number(name, line, bare)}))"
        pieces = [inner[a:b].strip() for a, b in parts(inner, "&&")]
        return lead + mark + " && ".join(
            f"(({piece}) || faultInjected({self.number(name, line, piece)}))" for piece in pieces)

    def rewrite(self, text, name):
        out, place, changed = [], 0, False
        for match in re.finditer(r"^[ \t]*(?:\} else )?(guard|if)\s", text, re.M):
            start = match.end()
            if match.start() < place or match.group(0).lstrip().startswith("//"):
                continue
            found = body_of(text, start, match.group(1))
            if found is None:
                continue
            end, brace = found
            body = text[brace + 1:].lstrip()
            body = re.sub(r"\A(//[^\n]*\n\s*)+", "", body)
            refuses = body.startswith("throw") or (
                match.group(1) == "guard" and re.match(r"return [^\n]", body))
            if not refuses:
                continue
            line = text.count("\n", 0, match.start()) + 1
            conditions = text[start:end]
            made = ",".join(
                self.condition(conditions[a:b], name, line, match.group(1))
                for a, b in parts(conditions, ","))
            if made != conditions:
                if match.group(1) == "guard" and not made[-1].isspace():
                    made += " "
                if match.group(1) == "if":
                    made = made.rstrip() + " "
                out += [text[place:start], made]
                place, changed = end, True
        return "".join(out) + text[place:] + ("\n" + SWITCH if changed else "")


def prepare(modules):
    """The copy of the tree with all faults in it, and their list."""
    os.makedirs(TREE, exist_ok=True)
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    faults = Faults()
    kept = set()
    for name in sorted(filter(None, files)):
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        if not os.path.isfile(source):
            continue
        kept.add(name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(source, "rb") as file:
            data = file.read()
        parts_of_name = name.split("/")
        if name.endswith(".swift") and parts_of_name[0] == "Sources" and parts_of_name[1] in modules:
            data = faults.rewrite(data.decode(), name).encode()
        if name == "Package.swift":
            data = data.replace(b".strictMemorySafety(),", b"").replace(
                b".treatAllWarnings(as: .error),", b"")
        write(target, data, source)
    write(os.path.join(TREE, "Sources/CByteVectors/faults.c"), C.encode())
    return faults.found


def write(target, data, source=None):
    if os.path.exists(target):
        with open(target, "rb") as file:
            if file.read() == data:
                return
    with open(target, "wb") as file:
        file.write(data)
    if source:
        shutil.copymode(source, target)


def tests(*arguments, **environment):
    """The program of the tests itself: `swift test` would read every manifest again."""
    program = os.path.join(TREE, ".build/debug/swift-federationPackageTests.xctest")
    try:
        done = subprocess.run(
            [program, "--testing-library", "swift-testing", *arguments], cwd=TREE, capture_output=True,
            text=True, errors="replace", timeout=900, env={**os.environ, **environment})
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return 1, "no end within 15 minutes"


def suites_of(modules):
    listed = tests("--list-tests")[1]
    found = set()
    for line in listed.splitlines():
        match = re.match(r"(\w+)\.(\w+)/", line)
        if match and match.group(1) in modules:
            found.add(rf"^{match.group(1)}\.{match.group(2)}/")
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", help="numbers of faults, with commas, or a part of a file's name")
    parser.add_argument("--modules", default=",".join(MODULES))
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    arguments = parser.parse_args()
    faults = prepare(arguments.modules.split(","))
    if arguments.list:
        for number, (name, line, what) in enumerate(faults, 1):
            print(f"{number:4} {name}:{line}: {what}")
        return 0
    print(f"{len(faults)} checks", flush=True)
    subprocess.run(["swift", "build", "--build-tests", "--enable-all-traits"], cwd=TREE, check=True)
    reached, seconds = {}, {}
    for suite in suites_of(SUITES):
        log = os.path.join(WORK, "log")
        if os.path.exists(log):
            os.remove(log)
        started = time.monotonic()
        code, output = tests("--filter", suite, FAULT_LOG=log)
        seconds[suite] = time.monotonic() - started
        if code:
            print(f"{suite} fails without a fault:\n{output[-2000:]}")
            continue
        if os.path.exists(log):
            for number in set(map(int, open(log).read().split())):
                reached.setdefault(number, []).append(suite)
    known = {}
    path = os.path.join(HERE, "known.txt")
    if os.path.exists(path):
        for line in open(path):
            if line.strip() and not line.startswith("#"):
                place, what, why = (part.strip() for part in line.split(" | "))
                known[(place, what)] = why
    caught, explained, open_ones = 0, 0, []
    for number, (name, line, what) in enumerate(faults, 1):
        if arguments.only and not any(
                part == str(number) or (not part.isdigit() and part in name) for part in arguments.only.split(",")):
            continue
        verdict = "refuses in no test"
        for suite in sorted(reached.get(number, []), key=seconds.get):
            verdict = "no test misses it"
            if tests("--filter", suite, FAULT=str(number))[0]:
                verdict = None
                break
        if verdict is None:
            caught += 1
        elif (name, what) in known:
            explained += 1
        else:
            open_ones.append(number)
            print(f"{number:4} {name}:{line}: {what}: {verdict}", flush=True)
    print(f"{caught} noticed, {explained} explained, {len(open_ones)} open")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
