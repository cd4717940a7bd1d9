#!/usr/bin/env python3
"""bench.py CLI [--runs N] [--seconds S] [--write]: `claims bench` several times, its medians and ranges as a table.

Each case is measured beside its bare cost in one process, so that the ratio holds where time itself does not. Ends with
1 when the median of a ratio is above its bound, which two kinds of processor meet: one with instructions for SHA-256,
where little is bare, and one without. --write puts the table into docs/performance.md, and draws beside it what a
kilobyte costs by a document's length. Needs a release build.
"""
import argparse
import json
import math
import pathlib
import platform
import re
import statistics
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "performance.md"
FIGURE = PAGE.with_name("performance-length.svg")
OPEN, CLOSE = "<!-- bench -->\n", "<!-- /bench -->"
# Of the bare cost; a tenth above what was measured, as busy machines need it.
BOUNDS = {
    "saml20 5 KB RSA": 1.45, "saml20 5 KB EC": 1.25, "saml20 18 KB RSA": 1.55, "saml20 18 KB EC": 1.4,
    "saml20 140 KB RSA": 1.65, "saml20 140 KB EC": 1.65, "saml20 1400 KB RSA": 1.9,
    "saml20 5 KB RSA encrypted": 1.25, "swt": 3.6, "jwt HS256": 4.7, "jwt RS256": 1.35, "jwt ES256": 1.2,
    "mint swt": 3.5, "mint jwt RS256": 1.2, "mint saml20 RSA": 1.25,
}


def machine():
    """The processor, by the name that it has for itself."""
    names = re.findall(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return f"{names[0] if names else platform.machine()}, {len(names)} of them"


def measured(command, seconds, runs):
    """What each run said of each case, by its name."""
    cases = {}
    for _ in range(runs):
        ran = subprocess.run([command, "bench", "--seconds", str(seconds)], check=True, capture_output=True)
        for line in ran.stdout.splitlines():
            record = json.loads(line)
            cases.setdefault(record["case"], []).append(record)
    return cases


def spread(records, name, digits):
    values = [record[name] for record in records]
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def table(cases, runs, seconds):
    lines = [f"{machine()}; {runs} runs of {seconds} s a case; median and range.", "",
             "| case | octets | µs | bare µs | ratio | µs a kB | without the key |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for name, records in cases.items():
        cells = [name, f"{records[0]['bytes']:,}", spread(records, "microseconds", 2)]
        for field, digits in (("bareMicroseconds", 2), ("ratio", 2), ("microsecondsPerKilobyte", 2),
                              ("microsecondsPerKilobyteWithoutKey", 2)):
            cells.append(spread(records, field, digits) if field in records[0] else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def by_length(cases):
    """(octets, microseconds a kilobyte of ours, of what is bare), without the one public-key operation of each."""
    points = []
    for name, records in cases.items():
        if name.startswith("saml20") and name.endswith("KB RSA"):
            kilobytes = records[0]["bytes"] / 1000
            ours = [record["microsecondsPerKilobyteWithoutKey"] for record in records]
            bare = [record["microsecondsPerKilobyteWithoutKey"]
                    - (record["microseconds"] - record["bareMicroseconds"]) / kilobytes for record in records]
            points.append((records[0]["bytes"], statistics.median(ours), statistics.median(bare)))
    return points


def figure(points):
    """The cost of a kilobyte against the length, the length on a logarithmic axis."""
    width, height, left, bottom = 640, 320, 60, 270
    top = math.ceil(max(ours for _, ours, _ in points) + 0.5)

    def x(octets):
        return left + (math.log10(octets) - math.log10(4_000)) / (math.log10(2e6) - math.log10(4_000)) * (width - left - 90)

    def y(cost):
        return bottom - cost / top * (bottom - 30)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{left}" y="18">microseconds a kB of a SAML response, without the RSA verification</text>']
    for cost in range(top + 1):
        lines.append(f'<path d="M{left} {y(cost):.1f}H{width - 90}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 8}" y="{y(cost) + 4:.1f}" text-anchor="end">{cost}</text>')
    for octets, label in ((5_000, "5 kB"), (20_000, "20 kB"), (160_000, "160 kB"), (1_600_000, "1.6 MB")):
        lines.append(f'<text x="{x(octets):.1f}" y="{bottom + 20}" text-anchor="middle">{label}</text>')
    lines.append(f'<text x="{(left + width - 90) / 2}" y="{bottom + 42}" text-anchor="middle">length of the response</text>')
    for place, (label, colour) in enumerate((("claims", "#1a5fb4"), ("bare", "#777777"))):
        way = [(x(point[0]), y(point[1 + place])) for point in points]
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                     + " ".join(f"{a:.1f},{b:.1f}" for a, b in way) + '"/>')
        lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>' for a, b in way]
        lines.append(f'<text x="{way[-1][0] + 10:.1f}" y="{way[-1][1] + 4:.1f}" fill="{colour}">{label}</text>')
    return "\n".join(lines + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("command", metavar="CLI")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    options = parser.parse_args()
    cases = measured(options.command, options.seconds, options.runs)
    text = table(cases, options.runs, options.seconds)
    print(text)
    if options.write:
        page = PAGE.read_text()
        start, end = page.index(OPEN) + len(OPEN), page.index(CLOSE)
        PAGE.write_text(page[:start] + text + page[end:])
        FIGURE.write_text(figure(by_length(cases)))
    failed = False
    for name, bound in BOUNDS.items():
        ratio = statistics.median(record["ratio"] for record in cases[name])
        if ratio > bound:
            failed = True
            print(f"TOO MUCH: {name} costs {ratio:.2f} times the bare cost, at most {bound}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
