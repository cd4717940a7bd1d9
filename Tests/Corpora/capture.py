#!/usr/bin/env python3
"""Captures tokens with `claims capture` and looks for what survives of them.

    Tests/Corpora/capture.py --claims PATH            one vector in ten, and the corpora if they are there
    Tests/Corpora/capture.py --claims PATH --every 1  every vector
    Tests/Corpora/capture.py --claims PATH --planted 2000
                                                      also tokens with values of many scripts in every
                                                      position, well-formed and not (planted.py)

Each token is verified with the trust that its manifest describes, captured, and the capture is verified
with the line in its README: both must get one code. Every value of the original (texts, attributes,
JSON strings, pairs) and every claim that `claims verify` reads of it is then searched in the capture
and in what `claims verify` reads of that, in the forms of Tests/Secrets/search.py, behind base64, DEFLATE
and percent-encoding too. A refusal of `claims capture` writes nothing and is counted.

Exit codes: 0 no value survived and no code differs, 1 otherwise, 2 usage.
"""
import argparse
import base64
import collections
import concurrent.futures
import html
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import urllib.parse
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Secrets"))
import planted  # noqa: E402
import run as corpora  # noqa: E402
import search  # noqa: E402

VECTORS = ROOT / "TestVectors"
SHOWN = ("onelogin", "okta", "adfs", "php-saml/", "python3-saml/", "crewjam-saml/",
         "passport-wsfed-saml2/", "gosaml2/", "swt/")
# Identifiers of standards, and times.
PUBLIC = re.compile(
    r"urn:oasis:names:tc:|urn:ietf:params:|https?://(www\.w3\.org|docs\.oasis-open\.org|schemas\.xmlsoap\.org"
    r"|schemas\.microsoft\.com|oauth\.net)/|[+-]?\d{4}-\d\d-\d\dT[\d:.,Z+-]*$|true$|false$")
TIMES = {"exp", "nbf", "iat", "auth_time", "updated_at", "created", "expires"}
# Words that a capture keeps because a standard has them: names of claims, types and algorithms.
KEPT = set("""JOSE jose at+jwt issuer audience expireson hmacsha256 Issuer Audience ExpiresOn HMACSHA256 ISSUER AUDIENCE EXPIRESON
name role roles groups email subject claims created token type none example nonce scope typ JWT Bearer profile
preferred_username given_family given_name family_name email_verified auth_time client_id phone_number picture
locale website address updated_at birthdate gender nickname zoneinfo middle_name phone_number_verified events
samlp:Success samlp:Requester samlp:Responder xs:string xsd:string xs:anyType xsd:anyType xs:integer xs:boolean
xs:date xs:dateTime xs:base64Binary xsd:base64Binary saml:NameIDType Permit Deny AQAB
HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519 Ed448 ML-DSA-44 ML-DSA-65 ML-DSA-87
application/jwt json RSA1_5 RSA-OAEP RSA-OAEP-256 ECDH-ES ECDH-ES+A128KW ECDH-ES+A192KW ECDH-ES+A256KW A128KW A192KW A256KW A128GCMKW
A192GCMKW A256GCMKW A128GCM A192GCM A256GCM A128CBC-HS256 A192CBC-HS384 A256CBC-HS512 P-256 P-384 P-521 X25519
null at_hash c_hash s_hash logout+jwt Hmacsha256 expiresOn preserve xs www.w3.org
Signature Digest nameid Success Requester Responder ds saml saml2 alg kid crit cnf context appliesTo tokenType securityToken saml20 saml11 accepted""".split())


def flag(name, values):
    return [word for value in values for word in (name, value)]


class Token:
    def __init__(self, name, octets, arguments, folder, values=None):
        self.name, self.octets, self.arguments, self.folder = name, octets, arguments, folder
        self.planted = values


def vectors(every, scratch):
    found = []
    for manifest in ("manifest.jsonl", "attacks/manifest.jsonl"):
        lines = [json.loads(line) for line in open(VECTORS / manifest)]
        wanted = [line for line in lines if line["format"] in ("swt", "saml11", "saml20", "jwt")]
        for line in wanted[::every]:
            if "file" in line:
                octets = (VECTORS / line["file"]).read_bytes()
            elif "pieces" in line:
                octets = spliced((VECTORS / line["from"]).read_bytes(), line["pieces"])
            else:
                continue
            if not line.get("keys") or len(octets) > 100_000:
                continue
            issuers = line.get("issuers", [])
            if len(line["keys"]) > 1 and len(issuers) > 1:
                # Several of both are no options: nothing would say whose key is whose.
                path = scratch / f"{len(found)}.json"
                keys = [key if ":" in key else str(VECTORS / key) for key in line["keys"]]
                path.write_text(json.dumps({"issuers": [{"name": name, "keys": keys} for name in issuers]}))
                trust = ["--trust", str(path)]
            else:
                trust = flag("--key", line["keys"]) + flag("--issuer", issuers)
            words = (trust + flag("--allow-algorithm", line.get("allow", []))
                     + flag("--decrypt-key", line.get("decryptKeys", []))
                     + ["--skew", str(line.get("skew", 60))])
            audiences = line.get("audiences") or []
            words += flag("--audience", audiences) if audiences else ["--allow-any-audience"]
            for name, value in (("--recipient", line.get("recipient")), ("--format", line.get("pin")),
                                ("--in-response-to", line.get("inResponseTo"))):
                words += [name, value] if value else []
            words += ["--at", line.get("at") or "2030-01-01T12:00:00Z"]
            found.append(Token(line["id"], octets, words, VECTORS))
    return found


def spliced(base, pieces):
    result = b""
    for piece in pieces:
        if isinstance(piece, list):
            result += base[piece[0]:piece[0] + piece[1]]
        elif isinstance(piece, str):
            result += piece.encode()
        elif "base64" in piece:
            result += base64.b64decode(piece["base64"])
        else:
            result += piece["repeat"].encode() * piece["count"]
    return result


def cases(manifest, scratch):
    """Tokens of other projects, with the keys and the context that their manifest names."""
    folder = manifest.resolve().parent
    runner = corpora.Runner("claims", scratch, folder)
    found = []
    for line in manifest.read_text().splitlines():
        entry = json.loads(line)
        if entry["kind"] not in ("response", "saml20", "saml11", "swt"):
            continue
        case = corpora.Case(entry, folder)
        if case.mode == "parse" or not any(word in case.id.lower() for word in SHOWN):
            continue
        keys = runner.keys.specifications(case)[0] or [runner.keys.stranger]
        words = (flag("--key", keys) + flag("--decrypt-key", runner.keys.decryption(case))
                 + (["--at", case.clock] if case.clock else ["--at", "2026-01-01T00:00:00Z"])
                 + runner.context(case) + corpora.POLICIES["legacy"])
        found.append(Token(case.id, case.path.read_bytes(), words, folder))
    return found


def decoded(octets):
    """The octets, and what is behind their encodings."""
    texts = [octets.decode(errors="replace")]
    plain = urllib.parse.unquote_to_bytes(octets)
    for text in (octets, plain):
        try:
            inner = base64.b64decode(b"".join(text.split()), validate=True)
            texts.append(inner.decode(errors="replace"))
            texts.append(zlib.decompress(inner, -15).decode(errors="replace"))
        except (ValueError, zlib.error):
            pass
    for part in octets.split(b".")[:2]:
        try:
            texts.append(base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4)).decode(errors="replace"))
        except ValueError:
            pass
    return texts


def xml_values(text):
    """Texts, whole and in the pieces that comments make, and values of attributes, namespaces aside: also of XML
    that is not well-formed."""
    text = re.sub(r"<!DOCTYPE.*?\]?>|<\?.*?\?>", "", text, flags=re.S)
    text = text.replace("<![CDATA[", "").replace("]]>", "")
    for divided in re.findall(r">([^<>]*(?:<!--.*?-->[^<>]*)*)<", text, flags=re.S):
        pieces = re.split(r"<!--.*?-->", divided, flags=re.S)
        yield "".join(pieces)
        # What a standard has as a whole stays, and so do its pieces.
        if not PUBLIC.match("".join(pieces).replace("\0", "").strip()):
            yield from pieces
    for tag in re.findall(r"<\w[^<>]*>", text):
        for name, _, value in re.findall(r"""\s([\w:.-]+)\s*=\s*(["'])(.*?)\2""", tag, flags=re.S):
            if not name.startswith("xmlns"):
                yield value


def json_values(value, member=""):
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from json_values(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from json_values(part, member)
    elif isinstance(value, str):
        # Claims are texts, instants among them too.
        if member not in TIMES or not value.isdigit():
            yield value
    elif not isinstance(value, bool) and value is not None and member not in TIMES:
        yield str(value)


def times(octets):
    """Instants that stay, as numbers."""
    for text in decoded(octets):
        yield from re.findall(r"(?:^|&)ExpiresOn=[^&\d]*([\d.eE]+)", text)
        # However it is written, as with a sign or as a date.
        for value in re.findall(r"(?:^|&)ExpiresOn=([^&]*)", text):
            yield from re.findall(r"^[\d.+:TZeE-]+$", urllib.parse.unquote(value))
        yield from re.findall(rf'"(?:{"|".join(TIMES)})"\s*:\s*"?(\d+)', text)


def values(octets):
    """Every value that stands in a token: texts, attributes, JSON members and strings, names and values of pairs."""
    for text in decoded(octets):
        if "<" in text:
            yield from map(html.unescape, xml_values(text))
        elif text.lstrip().startswith("{"):
            try:
                yield from json_values(json.loads(text))
            except (ValueError, RecursionError):
                yield from re.findall(r'"((?:[^"\\]|\\.)*)"', text)
        elif "&" in text:
            for pair in text.split("&"):
                yield from map(urllib.parse.unquote_plus, pair.split("=", 1))
    parts = octets.split(b".")
    if len(parts) == 3 and b"<" not in octets:
        yield parts[2].decode(errors="replace")


def facts(record):
    return [record.get(name) for name in ("issuer", "subject", "claims")]


def originals(octets, record):
    """Values of the token and of its record, which has those of encrypted parts; hosts, and parts of addresses."""
    found = set()
    for value in [*values(octets), *json_values(facts(record))]:
        value = value.strip().removeprefix("#")
        found.add(value)
        found.add("".join(value.split()))
        for part in re.findall(r"[\w.+-]+@[\w.-]+", value):
            found.update([part, *part.split("@")])
        if not PUBLIC.match(value):
            found.update(re.findall(r"://([\w-]+(?:\.[\w-]+)+)", value))
    return {value for value in found - KEPT - set(times(octets))
            if len(value) >= 4 and not PUBLIC.match(value.replace("\0", "")) and any(map(str.isalnum, value))
            and not KEPT.issuperset(map(bare, value.split()))}


def bare(word):
    """A word without the punctuation around it, which a capture keeps: `/saml` and `.example` are pieces of addresses."""
    return re.sub(r"^\W+|\W+$", "", word)


def survivors(found, texts):
    """Values in the texts, in every form from six characters on, and as whole words from four on."""
    search.LENGTH = 6
    finder = search.Search({value for value in found if len(value) >= 6 and not value.isdigit()})
    short = [value for value in found if len(value) < 6 or value.isdigit()]
    hits = set()
    for text in texts:
        for _, layer in search.layers(text):
            hits.update((secret, form) for secret, form in finder.find(layer))
            hits.update((value, "word") for value in short
                        if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", layer))
    return hits


def binaries(octets):
    """The octets, and what is behind their encodings, as octets."""
    found = [octets, urllib.parse.unquote_to_bytes(octets)]
    for text in found[:2]:
        for part in (b"".join(text.split()), text.replace(b" ", b"+"), *text.split(b".")[:2]):
            for alphabet in (b"+/", b"-_"):
                try:
                    found.append(base64.b64decode(part.rstrip(b"=") + b"=" * (-len(part.rstrip(b"=")) % 4), alphabet, True))
                    found.append(zlib.decompress(found[-1], -15))
                except (ValueError, zlib.error):
                    pass
    return found


def planted_survivors(found, octets, texts):
    """Planted values in the texts in every form, and in the token in other encodings of characters."""
    search.LENGTH = 4
    finder = search.Search(found)
    hits = {hit for text in texts for _, layer in search.layers(text) for hit in finder.find(layer)}
    codecs = {codec for several in planted.LEGACY.values() for codec in several} | {"utf-8", "utf-16-le", "utf-16-be"}
    for value in found:
        for codec in codecs:
            try:
                form = value.encode(codec)
            except UnicodeEncodeError:
                continue
            if any(form in text for text in binaries(octets)):
                hits.add((value, codec))
    return hits


def verdict(process):
    """The code and the whole record of one run of `claims verify`."""
    if process.returncode not in (0, 1):
        return f"exit {process.returncode}: {process.stderr.decode()[:120]}", {}
    record = json.loads(process.stdout.splitlines()[0])
    return record.get("error", {}).get("code", "accepted"), record


def run(claims, token):
    """What became of one token: an outcome and its explanation."""
    def command(folder, *words):
        return subprocess.run([claims, *words], cwd=folder, capture_output=True, timeout=120,
                              stdin=subprocess.DEVNULL, check=False)
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "original"
        source.write_bytes(token.octets)
        before, record = verdict(command(token.folder, "verify", *token.arguments, str(source)))
        folder = pathlib.Path(scratch) / "capture"
        made = command(token.folder, "capture", *token.arguments, "--output", str(folder), str(source))
        if made.returncode != 0:
            kind = re.search(r"policy\.capture-[a-z]+", made.stderr.decode())
            if made.returncode != 1 or not kind or folder.exists():
                return "FAILED", before, f"exit {made.returncode} {made.stderr.decode()[:200]}"
            return "refused", before, made.stderr.decode().splitlines()[0][:160]
        line = next(line for line in (folder / "README").read_text().splitlines()
                    if line.startswith("claims verify "))
        again = command(folder, *shlex.split(line)[1:])
        after, read = verdict(again)
        if before != after:
            return "OTHER CODE", before, after
        octets = (folder / "token").read_bytes()
        texts = decoded(octets)
        # Digits of base64 show only some bits of an octet at the edge: what they decode to is searched instead.
        texts = texts[1:] if len(texts) > 1 and "<" in texts[1] else texts
        texts += [" ".join(word for word in line.split() if not word.startswith("--")), json.dumps(facts(read))]
        if (folder / "trust.json").exists():
            texts.append((folder / "trust.json").read_text())
        if token.planted is None:
            found = survivors(originals(token.octets, record), texts)
        else:
            texts += [html.unescape(text) for text in texts] + [made.stdout.decode()]
            found = planted_survivors(token.planted, octets, texts)
        if found:
            return "SURVIVED", before, ", ".join(f"{value[:40]!r} ({form})" for value, form in sorted(found)[:4])
        size = len(octets) - len(token.octets.rstrip(b"\r\n"))
        return "captured", before, f"{size:+} octets" if size else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--claims", required=True, type=pathlib.Path, metavar="PATH")
    parser.add_argument("--corpora", default=corpora.MANIFEST, type=pathlib.Path, metavar="MANIFEST")
    parser.add_argument("--every", type=int, default=10, help="one of so many vectors; default 10")
    parser.add_argument("--planted", type=int, default=0, metavar="COUNT", help="how many tokens with planted values")
    parser.add_argument("--verbose", action="store_true", help="a line for each token")
    options = parser.parse_args()
    claims = str(options.claims.resolve())
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        groups = {"TestVectors": vectors(options.every, pathlib.Path(scratch))}
        if options.corpora.exists():
            groups["corpora"] = cases(options.corpora, pathlib.Path(scratch))
        else:
            print("corpora absent: skipped")
        if options.planted:
            groups["planted"] = [Token(name, octets, words, VECTORS, values) for name, octets, words, values
                                 in planted.tokens(options.planted, VECTORS / "keys")]
        for name, tokens in groups.items():
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                outcomes = list(pool.map(lambda token: (token, *run(claims, token)), tokens))
            counts = collections.Counter(outcome for _, outcome, _, _ in outcomes)
            codes = collections.Counter(before for _, outcome, before, _ in outcomes if outcome == "captured")
            for token, outcome, before, why in outcomes:
                if options.verbose or outcome != "captured":
                    print(f"  {outcome:10} {token.name} [{before}] {why}")
            print(f"{name}: {len(tokens)} tokens: " + ", ".join(
                f"{count} {outcome}" for outcome, count in sorted(counts.items()))
                + f"; {len(codes)} verdict codes among those captured")
            failed += sum(counts[bad] for bad in ("FAILED", "OTHER CODE", "SURVIVED"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
