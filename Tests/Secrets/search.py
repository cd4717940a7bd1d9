#!/usr/bin/env python3
"""Runs the whole suite and searches all its output for every secret that it uses.

    Tests/Secrets/search.py                  build, run, search; exit 1 if a secret was found
    Tests/Secrets/search.py --skip-build     the same with what was built before
    Tests/Secrets/search.py --filter NAME    only these tests
    Tests/Secrets/search.py --self-check     plants a secret, in each of its forms, and must find all
    Tests/Secrets/search.py --operands FOLDER  gives 40 texts to the commands in that folder, as operands and as the
                                             value of each of their options, and searches standard error

The tests record their secrets and their output (Tests/TestSupport/Secrecy) in files of a temporary
folder; standard output and standard error of the run are searched too. Each secret is searched unchanged,
percent-encoded, form-encoded, in base64 at each of the three offsets that it can have in a longer
text, in hexadecimal digits of either case or both, as a list of bytes, as JSON writes it and backwards; and
each of these also with any of its characters escaped for HTML, JSON and percent-encoding, three layers
deep.
"""
import argparse
import base64
import concurrent.futures
import glob
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

KINDS = ["lines", "errors", "descriptions"]
LENGTH = 8  # of the shortest text that is looked for
# Secrets that are no secrets: values that tests use where a protocol requires one, and public values.
ORDINARY = {line.strip() for line in open(os.path.join(os.path.dirname(__file__), "ordinary.txt"))
            if line.strip() and not line.startswith("#")}


def forms(secret):
    """The ways in which a secret can be written."""
    octets = secret.encode()
    upper = urllib.parse.quote(secret, safe="")
    plus = urllib.parse.quote_plus(secret, safe="")
    lower = "".join(c if c.isalnum() or c in "-_.~" else "".join("%%%02x" % b for b in c.encode())
                    for c in secret)
    found = {"plain": secret, "percent": upper, "percent, lower case": lower, "form": plus,
             "hex": octets.hex(), "hex, upper case": octets.hex().upper(),
             "hex, spaces": octets.hex(" "), "hex, colons": octets.hex(":"),
             "bytes": ", ".join(map(str, octets)),
             "json": json.dumps(secret)[1:-1], "json, slashes": json.dumps(secret)[1:-1].replace("/", "\\/"),
             "json, ampersands": secret.replace("&", "\\u0026"),
             "swift": secret.replace("\\", "\\\\").replace('"', '\\"'),
             "xml": secret.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;"),
             "backwards": secret[::-1]}
    for shift in range(3):
        # Only the digits that do not depend on the bytes around the secret.
        text = base64.b64encode(b"\0" * shift + octets).decode()
        start = (0, 2, 3)[shift]
        end = len(text) - (0, 3, 2)[(shift + len(octets)) % 3]
        core = text[start:end].rstrip("=")
        found[f"base64, {shift}"] = core
        found[f"base64url, {shift}"] = core.replace("+", "-").replace("/", "_")
    return {name: text for name, text in found.items() if len(text) >= LENGTH}


def layers(text):
    """The text, and the text with its escapes decoded, layer by layer."""
    yield "", text
    # Digits in one case are found unchanged.
    digits = MIXED_DIGITS.sub(lambda match: match.group().lower(), text)
    if digits != text:
        yield "digits of both cases", digits
    for depth in range(1, 4):
        if not any(mark in text for mark in "%&\\"):
            return
        before = text
        for name, unescape in UNESCAPES:
            plain = unescape(before)
            if plain != before:
                yield f"{name}, layer {depth}", plain
        for _, unescape in UNESCAPES:
            text = unescape(text)
        if text == before:
            return
        yield f"all escapes, layer {depth}", text


def unescape_json(text):
    """Decodes escapes of JSON strings; the rest stays."""
    def meaning(match):
        try:
            return json.loads('"' + match.group() + '"')
        except ValueError:
            return match.group()
    return re.sub(r'(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]', meaning, text)


# With a separator between bytes, or without.
MIXED_DIGITS = re.compile(r"(?=[\da-fA-F: ]*[a-f])(?=[\da-fA-F: ]*[A-F])(?:[\da-fA-F]{2}[: ]?){8,}")

UNESCAPES = [("percent", lambda text: urllib.parse.unquote(text, errors="replace")),
             ("html", html.unescape), ("json", unescape_json)]


def escapes(secret):
    """Encodings that are found after decoding escapes, by name."""
    amp = secret.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    upper = urllib.parse.quote(secret, safe="")
    return {
        "html, names": amp.replace("'", "&apos;"), "html, decimal": amp.replace("'", "&#39;"),
        "html, hexadecimal": amp.replace("'", "&#x27;"),
        "html, all decimal": "".join(f"&#{ord(c)};" for c in secret),
        "html, all hexadecimal": "".join(f"&#x{ord(c):X};" for c in secret),
        "percent, one": "%%%02x" % secret.encode()[0] + secret[1:] if secret[0].isascii() else upper,
        "percent, every second": "".join(
            urllib.parse.quote(c, safe="") if place % 2 or c == "%"
            else "".join("%%%02X" % b for b in c.encode()) for place, c in enumerate(secret)),
        "percent, all": "".join("%%%02x" % b for b in secret.encode()),
        "percent, twice": urllib.parse.quote(upper, safe=""),
        "percent of html": urllib.parse.quote(amp, safe=""),
        "json, all": "".join(f"\\u{ord(c):04x}" for c in secret),
        "hex, both cases": "".join(
            digit.upper() if place % 3 else digit for place, digit in enumerate(secret.encode().hex())),
        "base64, percent": urllib.parse.quote(base64.b64encode(secret.encode()).decode(), safe=""),
    }


class Search:
    """Searches for many texts at once: by their first characters, then whole."""

    def __init__(self, secrets):
        self.starts = {}
        for secret in secrets:
            for name, text in forms(secret).items():
                self.starts.setdefault(text[:LENGTH], {}).setdefault(text, (secret, name))

    def find(self, text):
        found = []
        starts = self.starts
        for place in range(len(text) - LENGTH + 1):
            wanted = starts.get(text[place:place + LENGTH])
            if wanted is not None:
                for whole, what in wanted.items():
                    if text.startswith(whole, place):
                        found.append(what)
        return found


def collected(folder, kind):
    for path in sorted(glob.glob(os.path.join(folder, "*." + kind))):
        with open(path) as file:
            for line in file:
                # A process that was killed leaves half a line.
                if line.endswith("\n"):
                    yield json.loads(line)


def run(folder, arguments, plant=False):
    """Standard output and standard error of the suite, as lines, and its status."""
    environment = dict(os.environ, SECRECY_FOLDER=folder)
    if plant:
        environment["SECRECY_PLANT"] = "planted+secret/of=the run"
    command = ["swift", "test", "--enable-all-traits"] + arguments
    with open(os.path.join(folder, "output"), "wb") as output:
        status = subprocess.run(command, env=environment, stdout=output, stderr=output).returncode
    with open(os.path.join(folder, "output"), errors="replace") as output:
        return output.read().split("\n"), status


def examine(folder, output):
    secrets = {s for s in collected(folder, "secrets")} - ORDINARY
    search = Search(secrets)
    found = {}
    counts = {"lines of output": len(output)}
    seen = {}
    for line in output:
        seen.setdefault(line, "output")
    for kind in KINDS:
        count = 0
        for text in collected(folder, kind):
            count += 1
            seen.setdefault(text, kind)
        counts[kind] = count
    for text, kind in seen.items():
        for layer, shown in layers(text):
            for secret, form in search.find(shown):
                found.setdefault((secret, form + (f" behind {layer}" if layer else ""), kind), text)
    return secrets, counts, found, len(seen)


def report(secrets, counts, found, distinct):
    for (secret, form, kind), text in sorted(found.items())[:50]:
        print(f"FOUND in {kind} ({form}): {secret!r}\n  in {text[:400]!r}")
    shown = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    print(f"secrets: {len(secrets):,}; {shown} ({distinct:,} distinct texts); found: {len(found)}")


def self_check():
    """Every form of odd secrets is found, alone and inside a longer text; others are not."""
    planted = found = false_alarms = 0
    for secret in ["planted-secret", "pl+nted/secr=t&", "gepflanzt \u00e4\u00f6\u00fc \"<x>\\", "7" * 40]:
        search = Search([secret])
        false_alarms += len(search.find("nothing to be seen here, planted secret or not " * 3))
        for name, text in forms(secret).items():
            for around in ["{}", "a line with {} in it", "\u00e4{}\u00e4"]:
                planted += 1
                found += any(hit == secret for hit, _ in search.find(around.format(text)))
        for name, text in escapes(secret).items():
            for around in ["{}", "a line with {} in it", "100% &c. {} \\ &#;"]:
                planted += 1
                hit = any(each == secret for _, shown in layers(around.format(text))
                          for each, _ in search.find(shown))
                if not hit:
                    print(f"NOT FOUND ({name}): {around.format(text)!r}")
                found += hit
        false_alarms += sum(len(search.find(shown)) for _, shown in layers(
            "nothing%20to &amp; be \\u0073een %70lanted-secre7 &#112;lanted " * 3))
        for before in range(6):
            planted += 1
            octets = b"user:x"[:before] + secret.encode() + b"behind"
            found += bool(search.find(base64.b64encode(octets).decode()))
    print(f"self-check of the search: planted {planted}, found {found}, false alarms {false_alarms}")
    return planted == found and false_alarms == 0


# Options that name a server: its address is said when nobody answers there.
ADDRESSES = {"--server", "--namespace", "--api"}
COMMANDS = ["claims", "claims-client", "claims-gate", "acs", "claims-attack"]


def operands():
    """Texts that people give where a file is meant, and that no message repeats: those that look like a path do not count."""
    jwt = ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in
                   ['{"alg":"RS256"}', '{"iss":"https://idp.example/","sub":"mia"}', "signature" * 20])
    body = "\n".join(base64.b64encode(bytes(range(n, n + 48))).decode() for n in range(0, 200, 48))
    swt = "Audience=https%3a%2f%2frp.example&Issuer=i&ExpiresOn=1893456000&HMACSHA256=c2lnbmF0dXJl%3d"
    saml = '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a">mia</saml:Assertion>'
    jwk = '{"kty":"oct","k":"c2VjcmV0LWtleS1vZi1taWE"}'
    secrets = [
        "correct horse battery staple", "it's 'quoted' hunter2",
        "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy", "c2VjcmV0LWtleS1vZi1taWE=", "/9j/4AAQSkZJRgABAQEAYABg",
        "deadbeefcafebabe0123456789abcdef", jwt, "Bearer " + jwt, jwt + ".key", jwt[:60],
        "https://user:secretword@host.example/keys.json", "https://rp.example/cb?code=SplxlOBeZQQYbYS6WxSbIA",
        "SAMLResponse=" + urllib.parse.quote(base64.b64encode(saml.encode()).decode()), saml, swt, jwk,
        base64.b64encode(saml.encode()).decode(), "id_token=" + jwt,
        "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\n" + body + "\n-----END RSA PRIVATE KEY-----\n", body,
        "hmac:" + "c2VjcmV0LWtleS1vZi1taWE", "jwks:" + jwk,
        "hunter2\nforged: a second message", "hunter2' quoted for '--quux", "\u202egeheimes wort",
    ]
    assert len(secrets) >= 24
    return secrets


def verbs(command, folder):
    """Each verb with the names of its options and how many operands it takes."""
    dump = subprocess.run([os.path.join(folder, command), "--experimental-dump-help"], capture_output=True)
    def walk(node, path):
        if node.get("subcommands"):
            for below in node["subcommands"]:
                if below["commandName"] != "help":
                    yield from walk(below, path + [below["commandName"]])
            return
        arguments = node.get("arguments", [])
        options = ["--" + name["name"] for each in arguments if each["kind"] == "option"
                   for name in each["names"] if name["kind"] == "long"]
        needed = ["--" + each["names"][0]["name"] for each in arguments
                  if each["kind"] == "option" and not each["isOptional"]]
        yield path, options, needed, sum(each["kind"] == "positional" for each in arguments)
    yield from walk(json.loads(dump.stdout)["command"], [])


def invocations(command, folder):
    """Lists of arguments with @ where a text stands."""
    yield ["@"]
    yield ["@", "@"]
    for path, options, needed, operands in verbs(command, folder):
        # Operands that exist, and options that others need: the text is reached behind them.
        rest = [word for name in needed for word in (name, "x")]
        for count in {1, 2, 3, max(1, operands)}:
            yield path + ["@"] * count
            yield path + rest + ["@"] * count
        yield path + ["--unknown", "@"]
        yield path + ["--unknown=@"]
        yield path + ["--help=@"]
        for option in sorted(set(options) - ADDRESSES):
            others = [word for name in needed if name != option for word in (name, "x")]
            for operand in ([], ["absent.xml"] * operands):
                yield path + [option, "@"] + operand
                yield path + others + [option, "@"] + operand
                yield path + others + [option + "=@"] + operand


def leaks(said, secret):
    """What of the text is in standard error: the text, one of its words, or 10 characters of it."""
    parts = {part for part in re.split(r"[\s]+", secret) if len(part) >= 8} | {secret}
    found = [part for part in parts if part in said]
    found += [secret[place:place + 10] for place in range(len(secret) - 9) if secret[place:place + 10] in said]
    return found


def search_operands(folder):
    """Runs every verb of the commands with each text as operand and as each option's value."""
    secrets = operands()
    bad = runs = 0
    def run(command, arguments, secret):
        given = [word.replace("@", secret) for word in arguments]
        # A folder of its own, since some verbs make files of the name that they get.
        with tempfile.TemporaryDirectory() as empty:
            process = subprocess.Popen([os.path.join(folder, command)] + given, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=empty,
                                       env=dict(os.environ, HOME=empty))
            try:
                said = process.communicate(timeout=10)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                said = process.communicate()[1]
        said = said.decode(errors="replace")
        forged = [line for line in said.split("\n") if line.startswith("forged: ")]
        return given, said, leaks(said, secret) + forged
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        waiting = []
        for command in COMMANDS:
            lists = []
            for arguments in invocations(command, folder):
                if arguments not in lists and arguments[:1] != ["demo"]:
                    lists.append(arguments)
            # Every text as operand; and each option gets four texts, so that all are used.
            for place, arguments in enumerate(lists):
                isOperand = not any(word.startswith("--") for word in arguments)
                chosen = secrets if isOperand else [secrets[(4 * place + n) % len(secrets)] for n in range(4)]
                waiting += [pool.submit(run, command, arguments, secret) for secret in chosen]
        for each in waiting:
            given, said, found = each.result()
            runs += 1
            if found:
                bad += 1
                if bad <= 40:
                    print(f"FOUND {found[:2]!r}\n  of {given!r}\n  in {said[:300]!r}")
    print(f"operands: {len(secrets)} texts, {runs:,} runs of {len(COMMANDS)} commands; with a text on standard "
          f"error: {bad}")
    return bad == 0 and runs > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--skip-build", action="store_true")
    parser.add_argument("--filter")
    parser.add_argument("--self-check", action="store_true")
    parser.add_argument("--operands", metavar="FOLDER")
    options = parser.parse_args()
    if options.operands:
        return 0 if search_operands(os.path.abspath(options.operands)) else 1
    arguments = ["--skip-build"] if options.skip_build else []
    with tempfile.TemporaryDirectory() as folder:
        if options.self_check:
            isRight = self_check()
            output, status = run(folder, arguments + ["--filter", "PlantedSecretTests"], plant=True)
            secrets, counts, found, distinct = examine(folder, output)
            report(secrets, counts, found, distinct)
            kinds = {kind for _, _, kind in found}
            isRight = isRight and status == 0 and kinds == {"output", *KINDS}
            print("self-check: " + ("the planted secret was found in each kind" if isRight else "FAILED"))
            return 0 if isRight else 1
        if options.filter:
            arguments += ["--filter", options.filter]
        output, status = run(folder, arguments)
        secrets, counts, found, distinct = examine(folder, output)
        report(secrets, counts, found, distinct)
        for line in output if status else []:
            if "\u2718" in line or "error:" in line:
                print(line)
        print("\n".join([line for line in output if "Test run with" in line][-1:] or output[-20:]))
        return 0 if status == 0 and not found and secrets else 1


if __name__ == "__main__":
    sys.exit(main())
