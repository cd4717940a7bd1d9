#!/usr/bin/env python3
"""Runs the blocks of docs/data.md in turn and compares what each prints with the block of text behind it.

    recipes.py --claims .build/release/claims

Needs jq, and PyPI's duckdb and pandas.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import duckdb

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "data.md"


def prepare(claims, folder):
    """Two tokens that are accepted, one that has expired, one of a stranger; and the trust."""
    for name in ("idp", "stranger"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.crt", "-days",
             "3650", "-subj", f"/CN={name}"], cwd=folder, check=True, capture_output=True)
    (folder / "trust.json").write_text(json.dumps(
        {"audiences": ["urn:app"], "issuers": [{"name": "https://idp.example/", "keys": ["idp.crt"], "formats": ["jwt"]}]}))
    drafts = [
        ("idp", "ada", ["staff", "editor"], "2030-01-01T00:00:00Z", 3600),
        ("idp", "mia", ["staff"], "2030-01-01T00:00:00Z", 3600),
        ("idp", "tom", [], "2029-12-30T23:00:00Z", 3600),
        ("stranger", "eve", ["admin"], "2030-01-01T00:00:00Z", 3600),
    ]
    lines = []
    for number, (issuer, subject, roles, at, lifetime) in enumerate(drafts, 1):
        words = ["mint", "jwt", "--issuer", f"https://{issuer}.example/", "--audience", "urn:app", "--subject", subject, "--at", at,
                 "--lifetime", str(lifetime), "--signing-key", f"{issuer}.key"]
        for role in roles:
            words += ["--claim", f"role={role}"]
        token = subprocess.run([claims, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
        lines.append({"id": number, "token": token})
    (folder / "tokens.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "requests.jsonl").write_text(json.dumps({"request": "r1", "authorization": "Bearer " + lines[0]["token"]}) + "\n")


def run(kind, text, connection, claims, folder):
    if kind == "sql":
        connection.execute(text)
        rows = connection.fetchall() if connection.description else []
        return "".join("|".join(map(str, row)) + "\n" for row in rows) if "COPY" not in text and "CREATE" not in text.split("SELECT coalesce")[-1] else ""
    if kind == "python":
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(text, str(PAGE), "exec"), {})
        return shown.getvalue()
    path = f"{claims.parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text], cwd=folder, check=True, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PATH": path}).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--claims", type=pathlib.Path, required=True)
    claims = parser.parse_args().claims.resolve()
    blocks = re.findall(r"```(sh|sql|python|text)\n(.*?)```", PAGE.read_text(), re.S)
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(claims, folder)
        os.chdir(folder)
        connection = duckdb.connect()
        shown = ""
        for place, (kind, text) in enumerate(blocks):
            if kind != "text":
                shown = run(kind, text, connection, claims, folder)
                expected = blocks[place + 1][1] if place + 1 < len(blocks) and blocks[place + 1][0] == "text" else ""
                fits = shown == expected
                wrong += not fits
                print(f"{'ok   ' if fits else 'WRONG'} {kind:6} {text.splitlines()[0][:90]}")
                if not fits:
                    print(shown)
        os.chdir("/")
    print(f"{sum(kind != 'text' for kind, _ in blocks)} recipes, {wrong} wrong")
    sys.exit(wrong > 0)


main()
