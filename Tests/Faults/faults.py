#!/usr/bin/env python3
"""faults.py [--only N,N…|PART] [--modules M,M…] [--all] [--open] [--jobs N] [--list]: takes each check of the services away, one at a time, and sees whether a test fails.

What is taken away, each by itself:
- a condition of a `guard`, and each operand of its `&&` (`→ true`: as if it held);
- an `if` that throws, returns false or nil or goes on with the next (`→ never`), and each operand of its `||`;
- a condition of an `if` that returns early, which may accept (`→ true`);
- each operand of a predicate, of a function's or a closure's only expression, of `return` and of `let` (`→ true`,
  a function's also `→ false`), and the `where` of a loop;
- a call whose result is not used, such as `try check(…)`, `await store.remove(…)`, `guesses.failed(…)` (`→ skipped`).
With `--all` also what chooses and need not refuse: ternaries both ways, every other `if`, assignments to members.

In a copy of the tree each of them is answered by one switch, `FAULT=N`, so that one build holds all faults. The suites
then run once with a log of which checks decide in them, and once for each check with that check taken away, only those
suites in which it decides. A check that decides in no suite, and one whose absence no suite notices, is printed; the
command exits with 1 where `known.txt` does not explain it (`path | check | why`, the check as it is printed).

The suite that noticed a fault is remembered in `.build-faults`, and tried first the next time; `--open` tries only what
was left. What `known.txt` explains and a suite notices all the same, or what is no check any more, is printed too, and is
to be taken out of it. `--prepare` writes the copy of the tree and stops, `--built` takes it as it was built. A run takes about half
an hour on two cores, and is no part of CI.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WORK = os.path.join(ROOT, ".build-faults")
TREE = os.path.join(WORK, "tree")
MODULES = [
    "HTTPExchange", "SignIn", "GateService", "AccessControl", "RedisStores", "SQLiteSessions", "CommandServer",
    "HummingbirdFederation", "GateCommand", "AccessControlCommand",
]
SUITES = [
    "HTTPExchangeTests", "ClientTests", "FederationClientTests", "SignInTests", "GateTests", "StoreTests",
    "AccessControlTests", "ServerTests", "ArticleTests",
]
SWITCH = '@_silgen_name("fault_injected") private func faultInjected(_ number: Int32) -> Bool\n'
SWITCHED = "Sources/C/COctets/faults.c"
# Of faults with a number.
MOST = 8192
C = f"#define MOST {MOST}" + r"""
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
bool fault_injected(int number) {
  static bool seen[MOST];
  const char *log = getenv("FAULT_LOG"), *fault = getenv("FAULT");
  if (log && number < MOST && !seen[number]) {
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


MARKS = r"(?:(?:try|await|unsafe)\s+)*"
LOOKS_BOOLEAN = re.compile(
    r"(?:^!)|\s(?:==|!=|<=?|>=?|===|~=)\s|\.(?:hasSameBytes|areEqual|contains|containsBytes|starts|hasPrefix"
    r"|hasSuffix|allSatisfy|elementsEqual|equalsIgnoringCase)\b[^\n]*\)\s*$|\.(?:isEmpty|is[A-Z]\w*|has[A-Z]\w*)$",
    re.S)
STATES = r"(?:failed|succeeded|remove\w*|insert|forget\w*|end\w*|expire\w*|admit|take|invalidate\w*|check\w*)"


def blank(text):
    """The text with the characters of comments and strings blanked, so that places stay."""
    out, place = list(text), 0

    def hide(start, end, mark):
        for index in range(start, end):
            if out[index] != "\n":
                out[index] = mark

    def string(place):
        hashes = re.match("#*", text[place:]).group(0)
        quote = '"""' if text.startswith('"""', place + len(hashes)) else '"'
        start, place, end = place, place + len(hashes) + len(quote), quote + hashes
        while not text.startswith(end, place):
            if text.startswith("\\" + hashes + "(", place):
                place, depth = place + 1 + len(hashes), 0
                while True:
                    if text[place] in '"#' and re.match('#*"', text[place:]):
                        place = string(place)
                        continue
                    depth += {"(": 1, ")": -1}.get(text[place], 0)
                    place += 1
                    if depth == 0:
                        break
            else:
                place += 2 if text.startswith("\\" + hashes, place) else 1
        hide(start, place + len(end), "\x02")
        return place + len(end)

    while place < len(text):
        if text.startswith("//", place):
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            hide(place, end, "\x01")
            place = end
        elif re.match('#*"', text[place:place + 8]):
            place = string(place)
        else:
            place += 1
    return "".join(out)


class Faults:
    """The faults of all files: where each is, what it takes away, and in which direction.

    A fault keeps the number that it had, so that a build compiles no more than what was changed.
    """

    GONE = ("", 0, "", False)

    def __init__(self, former):
        self.found = [self.GONE] * len(former)
        self.numbers, seen = {}, {}
        for number, (name, _, what, _) in enumerate(former, 1):
            seen[(name, what)] = seen.get((name, what), 0) + 1
            self.numbers[(name, what, seen[(name, what)])] = number

    def rewrite(self, text, name):
        file = File(text)
        file.conditions()
        file.predicates()
        file.ternaries()
        file.calls()
        checks = {}
        for start, end, kind, is_check in file.wraps:
            checks[(start, end, kind)] = checks.get((start, end, kind), False) or is_check
        wraps = sorted(checks, key=lambda wrap: (wrap[0], -wrap[1], wrap[2]))
        inserted, seen = [], {}
        for order, (start, end, kind) in enumerate(wraps):
            what = " ".join(text[start:end].split()) + f" → {kind}"
            seen[what] = seen.get(what, 0) + 1
            number = self.numbers.get((name, what, seen[what]))
            if number is None:
                self.found.append(self.GONE)
                number = len(self.found)
            self.found[number - 1] = (
                name, text.count("\n", 0, start) + 1, what, checks[(start, end, kind)])
            before, behind = {
                "true": ("((", f") || faultInjected({number}))"),
                "false": ("((", f") && !faultInjected({number}))"),
                "skipped": (f"if !faultInjected({number}) {{ ", " }"),
                "never": ("", f", !faultInjected({number}) "),
            }[kind]
            inserted.append((start, 1, end - start, order, before))
            inserted.append((end, 0, end - start, -order, behind))
        # At one place, what closes comes before what opens; the inner closes first and opens last.
        inserted.sort(key=lambda item: (item[0], item[1], item[2] if item[1] == 0 else -item[2], item[3]))
        out, place = [], 0
        for at, _, _, _, words in inserted:
            out += [text[place:at], words]
            place = at
        return "".join(out) + text[place:] + ("\n" + SWITCH if wraps else "")


class File:
    """One file: what in it decides."""

    def __init__(self, text):
        self.text, self.code, self.made = text, blank(text), []
        self.partner, stack = {}, []
        for place, character in enumerate(self.code):
            if character in "([{":
                stack.append(place)
            elif character in ")]}":
                start = stack.pop()
                self.partner[start], self.partner[place] = place, start

    @property
    def wraps(self):
        """Without what only chooses the words of an error."""
        thrown = [
            (match.start(), self.statement(match.end()) or len(self.code))
            for match in re.finditer(r"\bthrow\s|\breturn [\w.]*TokenError\(", self.code)]
        return [
            wrap for wrap in self.made if not any(start < wrap[0] < end for start, end in thrown)]

    def parts(self, start, end, separator):
        """The ranges between separators that stand in no bracket."""
        found, place, begun = [], start, start
        while place < end:
            if self.code[place] in "([{":
                place = self.partner[place] + 1
            elif self.code.startswith(separator, place):
                found.append((begun, place))
                begun = place = place + len(separator)
            else:
                place += 1
        return found + [(begun, end)]

    def outer(self, start, end):
        """The code of a range without what stands in brackets."""
        out, place = [], start
        while place < end:
            out.append(self.code[place])
            if self.code[place] in "([{":
                place = self.partner[place]
                out.append(self.code[place])
            place += 1
        return "".join(out)

    def trimmed(self, start, end):
        while start < end and (self.code[start].isspace() or self.code[start] == "\x01" and self.text.startswith("//", start)):
            if self.code[start] == "\x01":
                start = self.text.index("\n", start)
            start += 1
        while end > start and (self.code[end - 1].isspace()):
            end -= 1
        # A comment at the end is none of the condition's.
        line = self.code.rfind("\n", start, end) + 1
        comment = self.text.find("//", max(line, start), end)
        if comment >= 0 and self.code[comment] == "\x01" and (comment == 0 or self.code[comment - 1] != "\x01"):
            return self.trimmed(start, comment)
        start += len(re.match(MARKS, self.code[start:end]).group(0))
        return start, end

    def wrap(self, start, end, kind, is_check=True):
        start, end = self.trimmed(start, end)
        if start < end:
            self.made.append((start, end, kind, is_check))

    def pieces(self, start, end, kind, is_check=True):
        """Each operand of a chain by itself: of `&&` as if it held, of `||` as if it did not."""
        start, end = self.trimmed(start, end)
        separator = "&&" if kind == "true" else "||"
        outer = self.outer(start, end)
        other = "||" if kind == "true" else "&&"
        if other in outer or re.search(r"\s\?\s", outer) or separator not in outer:
            self.wrap(start, end, kind, is_check)
            return
        for a, b in self.parts(start, end, separator):
            self.wrap(a, b, kind, is_check)

    def conditions(self):
        for match in re.finditer(r"(?<!#)\b(guard|if|where)\s", self.code):
            keyword, start = match.group(1), match.end()
            line = self.code[self.code.rfind("\n", 0, match.start()) + 1:match.start()]
            if keyword == "where" and not re.match(r"\s*for\b", line.strip() and line or " "):
                continue
            found = self.body(start, keyword)
            if found is None:
                continue
            end, brace = found
            body = self.code[brace + 1:self.partner[brace]].replace("\x01", " ").split(None, 2)
            first = body[0] if body else ""
            refuses = first == "throw" or body[:2] in (["return", "false"], ["return", "nil"]) or first == "continue"
            conditions = [self.trimmed(a, b) for a, b in self.parts(start, end, ",")]
            bare = [
                (a, b) for a, b in conditions
                if not re.match(r"(let|var|case|unsafe let)\b|#", self.code[a:b])]
            if keyword == "guard":
                for a, b in bare:
                    self.pieces(a, b, "true")
            elif keyword == "if":
                if any(self.code[a:b].startswith("#") for a, b in conditions):
                    continue
                self.made.append((start, self.trimmed(start, end)[1], "never", refuses))
                if first in ("return", "continue") and not refuses:
                    for a, b in bare:
                        self.pieces(a, b, "true")
                if refuses and len(conditions) == 1 and bare and "||" in self.outer(*bare[0]):
                    self.pieces(*bare[0], "false")
            elif first in ("throw", "return"):
                self.wrap(start, end, "false")
            else:
                self.pieces(start, end, "true")

    def body(self, place, keyword):
        """For conditions that begin here: their end and the place of the body's brace."""
        while place < len(self.code):
            if keyword == "guard" and re.match(r"else\s*\{", self.code[place:place + 40]) and self.code[place - 1].isspace():
                return place, self.code.index("{", place)
            if keyword != "guard" and self.code[place] == "{" and self.code[place - 1] in " \n":
                return place, place
            if self.code[place] in ")]}":
                return None
            if self.code[place] in "([{":
                place = self.partner[place]
            place += 1
        return None

    def decide(self, start, end, is_predicate=True):
        """An expression that may be a Bool, in both directions; a closure checks by what it lets through."""
        start, end = self.trimmed(start, end)
        outer = self.outer(start, end)
        if start == end or re.search(r"\s\?\s|\s=\s|\?\?|^(if|switch|return|let|var|for|guard|case|do|throw)\b|\n\s*(let|var|return|for|if)\b", outer):
            return
        if re.search(r"\s(in|=)\s|->|#", outer):
            return
        if "&&" in outer or "||" in outer:
            mixed = "&&" in outer and "||" in outer
            if not mixed:
                self.pieces(start, end, "true" if "&&" in outer else "false", is_predicate or "&&" in outer)
            self.wrap(start, end, "false" if "&&" in outer else "true", is_predicate or "&&" not in outer)
            if mixed:
                self.wrap(start, end, "true")
        elif "?." in outer and not re.search(r"\s(?:==|!=|<=?|>=?|===|~=)\s", outer):
            return  # An optional Bool.
        elif LOOKS_BOOLEAN.search(self.code[start:end]) and LOOKS_BOOLEAN.search(outer):
            self.wrap(start, end, "true")
            self.wrap(start, end, "false", is_predicate)

    def predicates(self):
        """Closures and functions of one expression, `return` and `let` of one."""
        for start, end in self.partner.items():
            if self.code[start] != "{":
                continue
            head = re.match(r"(?!\s*for\b)\s*(?:\[[^\]]*\]\s*)?(?:\([^()]*\)|[\w, ]+)?(?:\s*throws\([\w.]+\))?(?:\s*->\s*[\w.?]+)?\s+in\s", self.code[start + 1:end])
            begin = start + 1 + (head.end() if head else 0)
            if re.search(r"\b(else|do|defer|Error\))\s*$|\bin\b[^\n]*$|\b(enum|struct|class|extension|switch|if|guard|for|while)\b[^\n{]*$", self.code[:start][-200:]) and not head:
                continue
            begin, last = self.trimmed(begin, end)
            if begin < last and self.statement(begin) >= last:
                self.decide(begin, last, not head and "$0" not in self.code[begin:last])
        for match in re.finditer(r"\breturn[ \t]+|\blet \w+(?:: Bool)? =\s", self.code):
            end = self.statement(match.end())
            line = self.code[self.code.rfind("\n", 0, match.start()) + 1:match.start()]
            if re.search(r"\b(guard|if|while)\b", line) or (self.code[match.start() - 2:match.start()] == ", "):
                continue
            if end is not None and not self.isCondition(match.start()):
                self.decide(match.end(), end)

    def isCondition(self, place):
        """Whether a `let` belongs to an `if` or a `guard` of the lines before."""
        before = self.code[:place].rstrip("\x01 \n\t")
        return before.endswith(",") or before.endswith("guard") or before.endswith("if")

    def isValue(self, line):
        """Whether the branch that the line begins is one of an `if` whose value is used."""
        start = line + len(re.match(r"\s*", self.code[line:]).group(0))
        while self.code.startswith("} else", start):
            line = self.code.rfind("\n", 0, self.partner[start]) + 1
            start = line + len(re.match(r"\s*", self.code[line:]).group(0))
        return self.code.startswith("if ", start) and self.code[:line].rstrip("\x01 \n\t").endswith(("=", "return", "in"))

    def statement(self, place):
        """Where the statement that begins here ends."""
        while place < len(self.code):
            character = self.code[place]
            if character in ")]}":
                return place
            if character in "([{":
                place = self.partner[place]
            elif character == "\n":
                following = self.code[place:].replace("\x01", " ").lstrip()[:3]
                before = self.code[:place].rstrip("\x01 ")[-2:]
                if not re.match(r"\.\w|&&|\|\||\?|: |[+<>=*/-]+ |==|!=|else", following) and not re.search(r"&&|\|\||[=+,(?:-]$", before):
                    return place
            place += 1
        return None

    def ternaries(self):
        for match in re.finditer(r"\s\?\s", self.code):
            place = match.start() - 1
            while place > 0:
                if self.code[place] in ")]}":
                    place = self.partner[place] - 1
                    continue
                if self.code[place] in "([{,;":
                    break
                if self.code[place] in "=:" and self.code[place - 1] not in "=!<>~" and self.code[place + 1] in " \n":
                    break
                if re.match(r"(return|in|where|else|throw|switch)\s", self.code[place - 6:place + 1][-7:] and self.code[place:place + 8]) and self.code[place - 1].isspace():
                    place += len(re.match(r"\w+", self.code[place:]).group(0)) - 1
                    break
                place -= 1
            a, b = self.trimmed(place + 1, match.start())
            if a >= b or self.code[a] == ".":
                continue
            self.made.append((a, b, "true", False))
            self.made.append((a, b, "false", False))

    def calls(self):
        """Statements that only check or change: a call whose result is not used."""
        for match in re.finditer(
                rf"(?:^[ \t]+|\bfor\b[^\n{{]*\{{ )(?=(?:_ = )?(?:try|await) |[a-z][\w.?]*\.{STATES}\("
                r"|(?!self|content|metadata)[a-z]\w*(?:\.\w+)+ = )", self.code, re.M):
            start = match.end()
            end = self.statement(start)
            if end is None or "self.init" in self.code[start:end]:
                continue
            outer = self.outer(start, end).replace("_ = ", "")
            if re.search(r"[^=!<>]=[^=]", outer) and not re.match(r"[a-z]\w*(\.\w+)+ = ", outer):
                continue
            a, b = start, end
            while self.code[b - 1].isspace() or self.code[b - 1] == "\x01" and self.text[self.text.rfind("\n", 0, b):b].lstrip().startswith("//"):
                b -= 1
            before = self.code[:start].rstrip("\x01 \n\t")
            behind = self.code[end:].replace("\x01", " ").lstrip()[:1]
            if behind == "}" and before[-1:] == "{" and "for" not in match.group(0):
                # The only expression of a body may be its value.
                header = before[before.rfind("\n") + 1:]
                if not re.search(r"^\s*(\} else |for |if |do )", header) and not (
                        "func " in header and "->" not in header):
                    continue
                if self.isValue(before.rfind("\n") + 1):
                    continue
            if before.endswith((",", "(", "[", "=", "return", "&&", "||", " in", ":", "?", "guard", "else", "+")):
                continue
            self.made.append((a, b, "skipped", "=" not in self.outer(a, b).replace("_ = ", "")))


def prepare(modules, write_files=True):
    """The copy of the tree with all faults in it, and their list."""
    os.makedirs(TREE, exist_ok=True)
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    listed = os.path.join(WORK, "faults.json")
    former = json.load(open(listed)) if os.path.exists(listed) else []
    faults = Faults(former if len(former) < MOST * 3 // 4 else [])
    kept = set()
    for name in sorted(filter(None, files)):
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        if not os.path.isfile(source):
            continue
        kept.add(name)
        if write_files:
            os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(source, "rb") as file:
            data = file.read()
        parts_of_name = name.split("/")
        if name.endswith(".swift") and parts_of_name[0] == "Sources" and parts_of_name[2] in modules:
            data = faults.rewrite(data.decode(), name).encode()
        if name == "Package.swift":
            # A switch warns where it stands; the other modules stay as built.
            strict = b"[.strictMemorySafety(), .treatAllWarnings(as: .error)]"
            names = json.dumps(modules).encode()
            data = data.replace(strict, b"(" + names + b".contains(target.name) ? [] : " + strict + b")")
        if write_files:
            write(target, data, source)
    if write_files:
        write(os.path.join(TREE, SWITCHED), C.encode())
        for folder, folders, names in os.walk(TREE):
            folders[:] = [name for name in folders if name != ".build"]
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, TREE) not in kept | {SWITCHED}:
                    os.remove(path)
        with open(listed, "w") as file:
            json.dump(faults.found, file)
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


def tests(*arguments, seconds=900, **environment):
    """The program of the tests itself: `swift test` would read every manifest again."""
    program = os.path.join(TREE, ".build/debug/swift-federationPackageTests.xctest")
    with subprocess.Popen(
            [program, "--testing-library", "swift-testing", *arguments], cwd=TREE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, **environment}) as done:
        try:
            output = done.communicate(timeout=seconds)[0].decode(errors="replace")
            return done.returncode, output
        except subprocess.TimeoutExpired:
            # With the servers that it started.
            os.killpg(done.pid, signal.SIGKILL)
            return 1, f"no end within {seconds:.0f} s"


def suites_of(modules):
    listed = tests("--list-tests")[1]
    found = set()
    for line in listed.splitlines():
        match = re.match(r"(\w+)\.(\w+)/", line)
        if match and match.group(1) in modules:
            found.add(rf"^{match.group(1)}\.{match.group(2)}/")
    return sorted(found)


class Suites:
    """Which suites take how long, and in which of them a fault would change anything."""

    def __init__(self, jobs):
        self.reached, self.seconds, self.failing = {}, {}, {}
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(self.run, suites_of(SUITES)))

    def run(self, suite):
        log = os.path.join(WORK, "log" + re.sub(r"\W", "-", suite))
        if os.path.exists(log):
            os.remove(log)
        started = time.monotonic()
        code, output = tests("--filter", suite, FAULT_LOG=log)
        self.seconds[suite] = time.monotonic() - started
        if code:
            self.failing[suite] = output[-2000:]
        elif os.path.exists(log):
            for number in set(map(int, open(log).read().split())):
                self.reached.setdefault(number, []).append(suite)

    def noticing(self, number, first=None):
        """The suite that fails with a fault; None if none of those that reach it does."""
        reached = sorted(self.reached.get(number, []), key=lambda suite: (suite != first, self.seconds[suite]))
        for suite in reached:
            if tests("--filter", suite, seconds=60 + 5 * self.seconds[suite], FAULT=str(number))[0]:
                return suite
        return None


def known():
    """What no test can notice: the reason of each place and condition."""
    found = {}
    path = os.path.join(HERE, "known.txt")
    if os.path.exists(path):
        for line in open(path):
            if line.strip() and not line.startswith("#"):
                place, what, why = (part.strip() for part in line.split(" | "))
                found[(place, what)] = why
    return found


def stale_reasons(reasons, faults, verdicts):
    """What is explained and needs no explanation: each place and condition, and why."""
    found = []
    for name, what in reasons:
        alike = [number for number, (file, _, text, _) in enumerate(faults, 1) if (file, text) == (name, what)]
        if not alike:
            found.append((name, what, "no such check"))
        elif all(verdicts.get(number) == "noticed" for number in alike):
            found.append((name, what, "a test misses it"))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", help="numbers of faults, with commas, or a part of a file's name")
    parser.add_argument("--modules", default=",".join(MODULES))
    parser.add_argument("--all", action="store_true", help="also what chooses and need not refuse")
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    parser.add_argument("--prepare", action="store_true", help="write the copy of the tree and stop")
    parser.add_argument("--built", action="store_true", help="take the copy of the tree as it is, built")
    parser.add_argument("--open", action="store_true", help="only the faults that the last run left open")
    parser.add_argument("--jobs", type=int, default=2, help="runs at one time")
    arguments = parser.parse_args()
    modules = arguments.modules.split(",")
    if arguments.built:
        faults = json.load(open(os.path.join(WORK, "faults.json")))
    else:
        faults = prepare(modules, write_files=not arguments.list)
    if arguments.list:
        for number, (name, line, what, is_check) in enumerate(faults, 1):
            if name and (is_check or arguments.all):
                print(f"{number:4} {name}:{line}: {what}")
        return 0
    if arguments.prepare:
        return 0
    if not arguments.built:
        subprocess.run(["swift", "build", "--build-tests", "--enable-all-traits"], cwd=TREE, check=True)
    # What noticed a fault last time is tried first, so that a second run is short.
    path = os.path.join(WORK, "noticed.json")
    noticed = json.load(open(path)) if os.path.exists(path) else {}
    reasons = known()
    keys, seen = {}, {}
    for number, (name, _, what, _) in enumerate(faults, 1):
        seen[(name, what)] = seen.get((name, what), 0) + 1
        keys[number] = f"{name} | {what} | {seen[(name, what)]}"
    chosen = [
        number for number, (name, _, what, is_check) in enumerate(faults, 1)
        if name and (is_check or arguments.all)
        and (not arguments.only or any(
            part == str(number) or (not part.isdigit() and part in name) for part in arguments.only.split(",")))
        and (not arguments.open or noticed.get(keys[number]) is None)]
    count = sum(is_check for *_, is_check in faults)
    choices = sum(bool(name) and not is_check for name, *_, is_check in faults)
    print(f"{count} checks and {choices} choices, {len(chosen)} tried", flush=True)
    suites = Suites(arguments.jobs)
    for suite, output in sorted(suites.failing.items()):
        print(f"{suite} fails without a fault:\n{output}", flush=True)

    lock = threading.Lock()

    def judge(number):
        name, line, what, _ = faults[number - 1]
        suite = suites.noticing(number, noticed.get(keys[number]))
        with lock:
            noticed[keys[number]] = suite
            with open(path, "w") as file:
                json.dump(noticed, file, indent=0)
        if suite:
            return "noticed"
        if (name, what) in reasons:
            return "explained"
        verdict = "no test misses it" if number in suites.reached else "decides in no test"
        print(f"{number:4} {name}:{line}: {what}: {verdict}", flush=True)
        return "open"

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        verdicts = list(pool.map(judge, chosen))
    counts = {verdict: verdicts.count(verdict) for verdict in ("noticed", "explained", "open")}
    stale = stale_reasons(reasons, faults, dict(zip(chosen, verdicts)))
    for name, what, found in stale:
        print(f"known.txt: {name}: {what}: {found}")
    print(f"{len(chosen)} tried: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts["open"] or stale or suites.failing else 0


if __name__ == "__main__":
    sys.exit(main())
