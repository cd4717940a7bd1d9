#!/usr/bin/env python3
"""Prints how large the package is: targets, files, functions, the manifest, pages of documentation.

    python3 Tests/Size/size.py [--before REVISION] [--functions N] [--files N] [--under PATH ...]

`--before` adds a column for an older commit. `--functions` lists the N longest and the N most complex
functions, `--files` the N longest files; `--under` counts only what lies below these paths.

A function is whatever has a name and a body: func, init, deinit, subscript, a computed property. Its
length is the lines from its name to its closing brace, comments and blank lines included. Its cyclomatic
complexity is 1, and 1 more for each if, guard, for, while, repeat, catch, case of a switch, &&, || and
ternary; closures count in the function around them, functions inside it for themselves. `default` counts
nothing, `fallthrough` takes its case off. lizard (PyPI) gives the same figures.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r]+) | (?P<newline>\n) | (?P<line>//[^\n]*) | (?P<block>/\*)
  | (?P<string>\#*\"\"\"|\#*\")
  | (?P<word>`?[^\W\d]\w*`?|\#[a-z]\w*|@\w+|\$\w+) | (?P<number>\d[\w.]*)
  | (?P<operator>[-+*/%<>=!&|^~?.]+) | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
DECLARATIONS = {
    "func", "init", "deinit", "subscript", "var", "let", "static", "struct", "class", "enum", "actor",
    "extension", "protocol", "public", "package", "private", "fileprivate", "internal", "mutating",
    "nonisolated", "associatedtype", "typealias", "case", "override", "final", "import",
}
TYPES = {"struct", "class", "enum", "actor", "extension", "protocol"}


@dataclass(slots=True)
class Token:
    kind: str
    text: str
    line: int
    after_space: bool
    before_space: bool = False


@dataclass
class Function:
    name: str
    path: str
    line: int
    lines: int
    complexity: int


class Scanner:
    """The tokens of a Swift file; of a string only what is interpolated in it."""

    def __init__(self, text):
        self.text, self.at, self.line = text, 0, 1
        self.tokens = []

    def add(self, kind, text, spaced):
        self.tokens.append(Token(kind, text, self.line, spaced))

    def scan(self, closing=False):
        depth, spaced = 0, True
        while self.at < len(self.text):
            match = TOKEN.match(self.text, self.at)
            kind, text = match.lastgroup, match.group()
            self.at = match.end()
            if kind in ("space", "newline", "line", "block"):
                if self.tokens:
                    self.tokens[-1].before_space = True
                spaced = True
                if kind == "newline":
                    self.line += 1
                if kind == "block":
                    self.comment()
                continue
            if kind == "string":
                self.add("string", '""', spaced)
                self.literal(text)
            else:
                if closing and text == "(":
                    depth += 1
                if closing and text == ")":
                    if depth == 0:
                        return self.tokens
                    depth -= 1
                self.add(kind, text, spaced)
            spaced = False
        return self.tokens

    def comment(self):
        depth = 1
        while depth and self.at < len(self.text):
            if self.text.startswith("/*", self.at):
                depth, self.at = depth + 1, self.at + 2
            elif self.text.startswith("*/", self.at):
                depth, self.at = depth - 1, self.at + 2
            else:
                self.line += self.text[self.at] == "\n"
                self.at += 1

    def literal(self, opening):
        hashes = opening.count("#")
        end = opening.lstrip("#") + "#" * hashes
        escape = "\\" + "#" * hashes
        while self.at < len(self.text):
            if self.text.startswith(end, self.at):
                self.at += len(end)
                return
            if self.text.startswith(escape, self.at):
                self.at += len(escape)
                if self.text.startswith("(", self.at):
                    self.at += 1
                    self.scan(closing=True)
                    continue
            if self.at < len(self.text):
                self.line += self.text[self.at] == "\n"
                self.at += 1


class Reader:
    """The functions of a file, from its tokens."""

    def __init__(self, path, text):
        self.path = path
        self.tokens = Scanner(text).scan()
        self.functions = []

    def body(self, start, stored_ends):
        """Where the body of a declaration opens, or None."""
        depth = 0
        for index in range(start, len(self.tokens)):
            token = self.tokens[index]
            if token.text in ("(", "["):
                depth += 1
            elif token.text in (")", "]", "}"):
                if depth == 0:
                    return None
                depth -= 1
            elif depth == 0:
                if token.text == "{":
                    return index
                if stored_ends and token.text in ("=", ",", ";", "in"):
                    return None
                if token.text in DECLARATIONS or token.text.startswith("@") and token.text != "@escaping":
                    previous = self.tokens[index - 1]
                    if token.line > previous.line and previous.text not in (",", ":", "->", "&"):
                        return None
                elif stored_ends and index > start and token.line > self.tokens[index - 1].line:
                    if self.tokens[index - 1].text not in (":", ",", "->", "&", ".", "<"):
                        return None
        return None

    def closing(self, opening):
        depth = 0
        for index in range(opening, len(self.tokens)):
            text = self.tokens[index].text
            if text == "{":
                depth += 1
            elif text == "}":
                depth -= 1
                if depth == 0:
                    return index
        return len(self.tokens) - 1

    def declared(self, index):
        """The name of the function declared at a token, the token behind it, and whether it may be stored."""
        token, previous = self.tokens[index], self.tokens[index - 1] if index else None
        following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if following is None or previous and previous.text.endswith(".") or following.text == ":":
            return None
        if token.text == "func":
            return (following.text, index + 2, False)
        if token.text in ("init", "subscript") and following.text in ("(", "?", "!", "<"):
            return (token.text, index + 1, False)
        if token.text == "deinit":
            return ("deinit", index + 1, False)
        if token.text == "var" and following.kind == "word":
            if previous and previous.text in ("if", "guard", "while", ",", "case", "for", "("):
                return None
            return (following.text.strip("`"), index + 2, True)
        return None

    def read(self):
        types, ends = [], {}
        declared = []
        for index, token in enumerate(self.tokens):
            if index in ends:
                types.pop()
            if token.text in TYPES and token.kind == "word":
                following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
                dotted = index and self.tokens[index - 1].text.endswith(".")
                if following and following.kind == "word" and following.text not in DECLARATIONS and not dotted:
                    opening = self.body(index + 2, False)
                    if opening is not None:
                        name, at = following.text, index + 2
                        while self.tokens[at].text == "." and at + 1 < opening:
                            name, at = name + "." + self.tokens[at + 1].text, at + 2
                        types.append(name)
                        ends[self.closing(opening)] = True
                continue
            found = self.declared(index) if token.kind == "word" else None
            if found is None:
                continue
            name, start, stored_ends = found
            opening = self.body(start, stored_ends)
            if opening is None:
                continue
            end = self.closing(opening)
            inside = {each.text for each in self.tokens[opening + 1:end]}
            if inside <= {"get", "set", "async", "throws", "mutating", "nonmutating", "(", ")", "TokenError"}:
                if token.text == "var" or token.text == "subscript":
                    continue
            declared.append((index, opening, end, ".".join(types + [name])))
        for index, opening, end, name in declared:
            inner = [(o, e) for i, o, e, _ in declared if opening < i and e < end]
            self.functions.append(Function(
                name, self.path, self.tokens[index].line,
                self.tokens[end].line - self.tokens[index].line + 1,
                self.complexity(opening, end, inner)))
        return self.functions

    def complexity(self, opening, end, inner):
        total, index, starts = 1, opening + 1, dict(inner)
        enums = self.enums(opening, end)
        while index < end:
            if index in starts:
                index = starts[index] + 1
                continue
            token, previous = self.tokens[index], self.tokens[index - 1]
            text = token.text
            if token.kind == "word" and not previous.text.endswith("."):
                if text in ("if", "guard", "for", "repeat", "catch"):
                    total += self.tokens[index + 1].text != ":"
                elif text == "while":
                    # The end of a repeat is the repeat's own.
                    total += previous.text != "}" or previous.line != token.line
                elif text == "case" and previous.text not in ("if", "guard", "for", "while", ","):
                    total += not any(o < index < e for o, e in enums)
                elif text == "fallthrough":
                    total -= 1
            elif token.kind == "operator":
                total += text in ("&&", "||")
                total += text == "?" and token.after_space and token.before_space
            index += 1
        return total

    def enums(self, opening, end):
        """Local enumerations, whose cases decide nothing."""
        found = []
        for index in range(opening + 1, end):
            if self.tokens[index].text == "enum" and self.tokens[index].kind == "word":
                body = self.body(index + 1, False)
                if body is not None:
                    found.append((body, self.closing(body)))
        return found


def functions(root, files):
    found = []
    for path in files:
        found += Reader(str(path.relative_to(root)), path.read_text()).read()
    return found


def swift_files(root, under):
    return sorted(
        path for each in under for path in (root / each).rglob("*.swift") if ".docc" not in str(path))


def targets(root):
    description = subprocess.run(
        ["swift", "package", "--package-path", str(root), "dump-package"],
        capture_output=True, text=True)
    if description.returncode != 0:
        sys.exit("swift package dump-package: " + description.stderr.strip())
    every = json.loads(description.stdout)["targets"]
    code = [each for each in every if each["type"] not in ("system", "test")]
    # A target without a path is a folder of Sources; the folders below may group layers.
    sources = [each for each in code if (each.get("path") or "Sources").startswith("Sources")]
    return len(sources), len(every)


def pages(root):
    return sum(1 for path in (root / "docs").glob("*.md"))


def count(lines):
    return f"{lines:,}"


def measure(root, under):
    files = swift_files(root, under)
    lengths = sorted(len(path.read_text().splitlines()) for path in files)
    longest = max(files, key=lambda path: len(path.read_text().splitlines()))
    found = functions(root, files)
    by_length = sorted(found, key=lambda each: -each.lines)
    by_complexity = sorted(found, key=lambda each: -each.complexity)
    of_sources, every = targets(root)
    p90 = lengths[min(len(lengths) - 1, int(len(lengths) * 0.9))]
    where = " and ".join(under)
    rows = [
        ("source targets (C libraries of the system aside)", count(of_sources)),
        ("targets in the manifest", count(every)),
        (f"Swift files under {where}", count(len(files))),
        ("lines in them", count(sum(lengths))),
        ("files of 25 lines or fewer", count(sum(length <= 25 for length in lengths))),
        ("median / p90 / longest file, lines", f"{int(statistics.median(lengths))} / {p90} / {lengths[-1]}"),
        ("longest file", longest.name),
        ("functions", count(len(found))),
        ("longest function, lines", f"{by_length[0].lines} `{by_length[0].name}`"),
        ("functions of more than 60 lines", count(sum(each.lines > 60 for each in found))),
        ("highest cyclomatic complexity", f"{by_complexity[0].complexity} `{by_complexity[0].name}`"),
        ("functions of a complexity over 15", count(sum(each.complexity > 15 for each in found))),
        ("lines of Package.swift", count(len((root / "Package.swift").read_text().splitlines()))),
        ("pages in docs (*.md)", count(pages(root))),
    ]
    return rows, by_length, by_complexity, sorted(
        files, key=lambda path: -len(path.read_text().splitlines()))


def at_revision(revision, under):
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "-C", str(ROOT), "archive", revision, "Package.swift", "docs", *under],
            capture_output=True)
        if archive.returncode != 0:
            sys.exit(archive.stderr.decode().strip())
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        return measure(Path(folder), under)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="REVISION")
    parser.add_argument("--functions", metavar="N", type=int, default=0)
    parser.add_argument("--files", metavar="N", type=int, default=0)
    parser.add_argument("--under", metavar="PATH", nargs="+", default=["Sources"])
    options = parser.parse_args()
    rows, by_length, by_complexity, files = measure(ROOT, options.under)
    if options.before:
        before = dict(at_revision(options.before, options.under))
        print(f"| | {options.before} | now |\n| --- | --- | --- |")
        for name, value in rows:
            print(f"| {name} | {before[name]} | {value} |")
    else:
        print("| | |\n| --- | --- |")
        for name, value in rows:
            print(f"| {name} | {value} |")
    if options.functions:
        for title, ordered, value in (
            ("longest", by_length, "lines"), ("most complex", by_complexity, "complexity")
        ):
            print(f"\n{title}:")
            for each in ordered[:options.functions]:
                print(f"{getattr(each, value):5} {each.path}:{each.line} {each.name}")
    if options.files:
        print("\nlongest files:")
        for path in files[:options.files]:
            print(f"{len(path.read_text().splitlines()):5} {path.relative_to(ROOT)}")


main()
