#!/usr/bin/env python3
"""Runs the `claims` command over test data of other projects and compares the verdicts.

The data lies beside this repository and is not part of it; where it is missing, nothing is run.
Every case is run twice: with the policy that the command has by default, and with every legacy
algorithm allowed by name. A refusal of a case that its source accepts is counted as a refusal by
policy only where the case has a property that explains this very code (EXPLAINED_BY); what is left
must be in DEVIATIONS, with the clause, or it is a disagreement and the run fails.

Exit codes: 0 every disagreement is explained (or there are no corpora), 1 some are not, 2 usage.
"""

import argparse
import base64
import collections
import concurrent.futures
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import zlib

from deviations import DEVIATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFEST = ROOT.parent / "shared" / "corpora" / "MANIFEST.jsonl"
CLAIMS = ROOT / ".build" / "release" / "claims"

KINDS = ("xmldsig", "response", "saml20", "saml11", "swt")
LEGACY = (
    "rsa-sha1", "rsa-pss-sha1", "ecdsa-sha1", "hmac-sha1", "sha1",
    "rsa-small-modulus", "rsa-small-exponent", "hmac-short-key",
)
POLICIES = {"default": [], "legacy": [word for name in LEGACY
                                      for word in ("--allow-algorithm", name)]}

# Which property of a case explains which refusal. The properties are the manifest's flags and
# what `properties` adds to them.
EXPLAINED_BY = {
    "algorithm.legacy": {"sha1"},
    "algorithm.signature": {
        "dsa", "md5", "ripemd", "gost", "pqc", "eddsa", "sha3", "sha224", "whirlpool"},
    "algorithm.digest": {"md5", "ripemd", "gost", "sha3", "sha224", "whirlpool"},
    "key.unsupported": {"dsa", "gost", "pqc", "eddsa", "other-curve"},
    "key.unreadable": {"gost", "pqc"},
    "key.weak": {"rsa-under-2048"},
    "key.hmac-length": {"hmac-under-32-bytes"},
    "signature.hmac-output-length": {"hmac-output-length"},
    "signature.transform": {
        "xslt", "xpath", "base64-transform", "decryption-transform", "relationship-transform",
        "token-reference-transform"},
    "signature.external-reference": {"external-reference"},
    "signature.reference-uri": {"xpointer", "anonymous-reference"},
    "signature.reference-unresolved": {"xpointer"},
    "signature.reference-type": {"manifest"},
    "signature.too-many-references": {"over-64-references"},
    "xml.doctype": {"dtd", "entity"},
    "xml.namespace-uri": {"relative-namespace-uri"},
}

# Refusals that say that decryption comes first, and the properties that confirm it.
ENCRYPTED = {
    "encryption.no-key": {"encrypted-assertion", "encrypted-id-or-attr"},
    "algorithm.key-mismatch": {"encrypted-key"},
    "signature.invalid": {"encrypted-key"},
}

# Codes (or families, which end in a dot) that fit the reason a source gives for a refusal.
FITTING = {
    "signature": ("signature.",),
    "wrapping": ("signature.", "xml.duplicate-id", "xml.unexpected-element",
                 "response.several-assertions", "policy.unsigned-content"),
    "time": ("time.", "subject.confirmation-expired", "subject.confirmation-data"),
    "audience": ("audience.",),
    "issuer": ("issuer.", "xml.missing-element"),
    "destination": ("response.destination", "subject.recipient"),
    "subject-confirmation": ("subject.", "response.in-response-to"),
    "status": ("response.status", "xml.missing-element", "xml.unexpected-element",
               "xml.missing-attribute"),
    "structure": ("xml.", "subject.", "response.", "issuer.format"),
    "decryption": ("encryption.",),
    "certificate": ("key.", "signature.invalid"),
    "policy": ("algorithm.", "key.", "policy."),
    "xml": ("xml.doctype", "xml.entity", "xml.malformed", "xml.namespace"),
}

# What a token can be refused for after its signature held.
AFTER_SIGNATURE = ("time.", "audience.", "subject.", "response.")

COLUMNS = ("agrees", "agrees (other reason)", "refused by policy", "needs encryption",
           "explained", "disagrees", "unknown verdict")


class Outcome:
    """What one run of the command said."""

    def __init__(self, process):
        self.status = process.returncode
        self.talk = process.stderr.decode(errors="replace").strip()
        self.record = {}
        self.fault = None
        lines = process.stdout.splitlines()
        if self.status == 2:
            found = re.match(r"claims: error: ([a-z]+\.[a-z0-9-]+):", self.talk)
            self.code = found[1] if found else "usage"
            return
        if self.status not in (0, 1) or len(lines) != 1:
            self.code = f"exit {self.status}"
            self.fault = f"exit status {self.status}, {len(lines)} lines: {self.talk[:200]}"
            return
        self.record = json.loads(lines[0])
        self.code = self.record.get("error", {}).get("code", "accepted")
        if self.talk:
            self.fault = f"talk on standard error: {self.talk[:200]}"
        elif (self.status == 0) != (self.code == "accepted"):
            self.fault = f"exit status {self.status} with {self.code}"

    @property
    def accepted(self):
        return self.code == "accepted"

    @property
    def signature_held(self):
        """Whether at least one signature was verified and none failed."""
        outcomes = [(check["check"], check["outcome"]) for check in self.record.get("checks", [])]
        kinds = ("signature", "digest")
        return all((kind, "passed") in outcomes for kind in kinds) and not any(
            (kind, "failed") in outcomes for kind in kinds)

    @property
    def detail(self):
        error = self.record.get("error", {})
        parts = [error.get(key) for key in ("node", "expected", "found") if error.get(key)]
        return "; ".join(parts) or self.talk.splitlines()[0] if self.talk or parts else ""


class Case:
    """A line of the manifest with its document."""

    def __init__(self, entry, folder):
        self.entry = entry
        self.folder = folder
        self.id = entry["id"]
        self.kind = entry["kind"]
        self.expected = entry["expected"]
        self.reason_class = entry.get("reason_class")
        self.checks = entry.get("checks") or {}
        self.mode = self.checks.get("mode") or ("full" if self.kind == "swt" else "signature")
        self.path = folder / entry["file"]
        self.text = document(self.path.read_bytes(), entry["encoding"])
        self.source = "xmlsec/" + entry["source"]["set"] if self.id.startswith("xmlsec/") else (
            self.id.split("/")[0])

    @property
    def clock(self):
        """The instant to judge at; None for now.

        Where the manifest has none, an instant inside the window that the document names: the
        latest of the beginnings in it. A refusal for time that has no clock is judged now, as its
        source did.
        """
        if self.entry.get("clock"):
            return self.entry["clock"]
        if self.kind == "xmldsig" or (
                self.expected == "invalid" and self.reason_class == "time"):
            return None
        return inside_window(self.text)


def document(data, encoding):
    """The text that a file carries, as far as it can be had."""
    try:
        if encoding.startswith("url"):
            data = urllib.parse.unquote_to_bytes(data.strip())
        if "base64" in encoding:
            data = base64.b64decode(data)
        if "deflate" in encoding:
            data = zlib.decompress(data, -15)
    except (ValueError, zlib.error):
        pass
    return data.decode(errors="replace")


def inside_window(text):
    starts = []
    for name in ("IssueInstant", "NotBefore", "AuthnInstant", "AuthenticationInstant"):
        starts += re.findall(rf'\b{name}\s*=\s*["\']([^"\']+)', text)
    instants = []
    for start in starts:
        try:
            instant = datetime.datetime.fromisoformat(start.strip())
        except ValueError:
            continue
        instants.append(instant if instant.tzinfo else instant.replace(tzinfo=datetime.UTC))
    if not instants:
        return None
    return max(instants).astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")


# Keys


class Keys:
    """Turns the keys of a case into `--key` arguments, with files in a folder of its own."""

    CERTIFICATES = ("x509-cert-pem", "x509-cert-der", "x509-cert-base64", "public-key-pem")

    def __init__(self, folder, scratch):
        self.folder = folder
        self.scratch = scratch
        self.count = 0
        self.stranger = str(scratch / "stranger.pem")
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048",
                "-out", scratch / "stranger.key")
        openssl("pkey", "-in", scratch / "stranger.key", "-pubout", "-out", self.stranger)

    def specifications(self, case):
        """The keys that a caller would pin for this case, and where they come from."""
        usable = []
        for key in case.entry["keys"]:
            specifications = self.specification(key)
            if key.get("role") == "explicit verification key":
                return specifications, "manifest"
            usable.append(specifications)
        usable = [found for found in usable if found]
        if usable:
            # The SAML sources trust every signing key that they list, the others one at a time.
            chosen = usable[0] if case.kind == "xmldsig" else sum(usable, [])
            return chosen, "manifest"
        if case.expected == "valid":
            return self.from_document(case)
        # What is trusted in a case to be refused is an authority at most. Pinning the certificate
        # inside would be to trust what the case says is not to be trusted.
        for key in case.entry["keys"]:
            if key["type"] == "trusted-ca-der":
                return [str(self.folder / key["file"])], "the authority's own key"
        return [self.stranger], "a key that signed nothing"

    def specification(self, key):
        path = self.folder / key["file"]
        kind = key["type"].split(" ")[0]
        if key.get("role") in ("sp-decryption", "sp-encryption", "trusted-ca"):
            return []
        if kind == "x509-cert-base64":
            return [self.pem(path.read_bytes(), "CERTIFICATE")]
        if kind in self.CERTIFICATES:
            return [str(path)]
        if kind in ("hmac", "hmac-raw"):
            # A raw key is never left to be guessed: its bytes, whatever they look like.
            return ["hmac:" + base64.b64encode(path.read_bytes()).decode()]
        if kind == "hmac-base64":
            return ["hmac:" + path.read_text().strip()]
        if kind == "xmlsec-keys-xml":
            values = re.findall(r"<HMACKeyValue[^>]*>([^<]+)<", path.read_text())
            return ["hmac:" + "".join(value.split()) for value in values]
        if kind == "pkcs12":
            certificate = openssl("pkcs12", "-legacy", "-in", path, "-nokeys", "-clcerts",
                                  "-passin", "pass:" + key["password"])
            return [self.file(certificate)] if b"BEGIN CERTIFICATE" in certificate else []
        return []

    def from_document(self, case):
        """Valid for whoever trusts an authority: the certificate in KeyInfo is what is pinned."""
        named = re.search(r"\(key file ([^)]+)\)", case.entry.get("explicit_key_check") or "")
        if named:
            return [str(self.folder / named[1])], "the key that the manifest's check used"
        for pattern, label in ((r"X509Certificate>([^<]+)<", "CERTIFICATE"),
                               (r"DEREncodedKeyValue[^>]*>([^<]+)<", "PUBLIC KEY")):
            found = re.findall(pattern, case.text)
            if found:
                return [self.pem(text.encode(), label) for text in found], "KeyInfo"
        for key in case.entry["keys"]:
            if key["type"] == "untrusted-cert-der":
                return [str(self.folder / key["file"])], "the certificate that it refers to"
        return [self.stranger], "a key that signed nothing"

    def pem(self, text, label):
        body = b"".join(text.split())
        lines = [body[index:index + 64].decode() for index in range(0, len(body), 64)]
        return self.file("\n".join(
            [f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]).encode())

    def file(self, data):
        self.count += 1
        path = self.scratch / f"key-{self.count}.pem"
        path.write_bytes(data)
        return str(path)


def openssl(*words):
    return subprocess.run(["openssl", *map(str, words)], capture_output=True, check=False).stdout


def properties(case, keys):
    """The manifest's flags, and what it does not flag but algorithms and keys show."""
    found = set(case.entry.get("flags") or ())
    algorithms = case.entry.get("algorithms") or {}
    for uri in algorithms.get("sig", []) + algorithms.get("digest", []):
        for mark in ("sha224", "sha3-", "whirlpool", "sha1"):
            if mark in uri.lower():
                found.add(mark.rstrip("-"))
    for uri in algorithms.get("transforms", []):
        for mark, name in (("xmldsig#base64", "base64-transform"), ("xslt", "xslt"),
                           ("xmldsig-filter2", "xpath"), ("REC-xpath", "xpath"),
                           ("decrypt#", "decryption-transform"),
                           ("RelationshipTransform", "relationship-transform"),
                           ("STR-Transform", "token-reference-transform")):
            if mark in uri:
                found.add(name)
    if re.search(r"<([\w.-]+:)?(EncryptedKey|DerivedKey)\b", case.text):
        found.add("encrypted-key")
    if len(re.findall(r"<(?:[\w.-]+:)?Reference[\s>]", case.text)) > 64:
        found.add("over-64-references")
    if re.search(r"<(?:[\w.-]+:)?Reference(?![^>]*\sURI=)[\s>]", case.text):
        found.add("anonymous-reference")
    for key in keys:
        if key.startswith("hmac:"):
            if len(base64.b64decode(key[5:])) < 32:
                found.add("hmac-under-32-bytes")
            continue
        text = key_text(key)
        bits = re.search(r"Public-Key: \((\d+) bit\)", text)
        if bits and "Modulus" in text and int(bits[1]) < 2048:
            found.add("rsa-under-2048")
        curve = re.search(r"ASN1 OID: (\S+)", text)
        if curve and curve[1] not in ("prime256v1", "secp384r1", "secp521r1"):
            found.add("other-curve")
    return found


def key_text(path):
    form = "PEM" if pathlib.Path(path).read_bytes().startswith(b"-----") else "DER"
    text = openssl("x509", "-in", path, "-inform", form, "-noout", "-text")
    text = text or openssl("pkey", "-pubin", "-in", path, "-inform", form, "-noout", "-text")
    return text.decode(errors="replace")


# Runs


class Runner:
    def __init__(self, claims, scratch, folder):
        self.claims = str(claims)
        self.keys = Keys(folder, scratch)

    def run(self, case, policy):
        """The outcome, its column, and the properties that it was judged by."""
        if case.mode == "parse":
            outcome = self.command("decode", str(case.path))
            return outcome, *self.judge(case, outcome, set())
        keys, origin = self.keys.specifications(case)
        allowed = POLICIES[policy]
        if case.kind == "xmldsig":
            outcome = self.command("xml", "verify", *flag("--key", keys), *self.identifiers(case),
                                   *at(case), *allowed, str(case.path))
        else:
            keys = keys or [self.keys.stranger]
            outcome = self.command("verify", "--explain", *flag("--key", keys), *at(case),
                                   *self.context(case), *allowed, str(case.path))
        column, why = self.judge(case, outcome, properties(case, keys))
        return outcome, column, why if origin == "manifest" else f"{why} [key: {origin}]".strip()

    def command(self, *words):
        try:
            return Outcome(subprocess.run(
                [self.claims, *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=60,
                check=False))
        except subprocess.TimeoutExpired:
            return Outcome(subprocess.CompletedProcess(words, -1, b"", b"no answer in 60 s"))

    def identifiers(self, case):
        names = {attribute["name"] for attribute in case.entry["id_attributes"]}
        return flag("--id-attribute", sorted(names))

    def context(self, case):
        """What the relying party of the case expects."""
        checks = case.checks
        audience = checks.get("sp_entity_id")
        if case.mode != "full" or not audience:
            words = ["--allow-any-audience"]
        else:
            words = ["--audience", audience]
        if case.mode != "full":
            return words
        ignored = checks.get("ignore") or []
        issuer = checks.get("idp_entity_id") or checks.get("issuer")
        if issuer:
            words += ["--issuer", issuer]
        if checks.get("acs_url") and not {"recipient", "destination"} & set(ignored):
            words += ["--recipient", checks["acs_url"]]
        if checks.get("request_id"):
            words += ["--in-response-to", checks["request_id"]]
        return words

    def judge(self, case, outcome, found):
        """The column of an outcome, and a word on why."""
        if outcome.fault:
            return "disagrees", outcome.fault
        if case.expected not in ("valid", "invalid") or (
                case.mode == "decrypt" and outcome.code != "encryption.no-key"
                and case.expected == "valid"):
            return "unknown verdict", ""
        if outcome.code == "usage":
            return "disagrees", outcome.talk
        signature_alone = case.kind not in ("xmldsig", "swt") and case.mode == "signature"
        accepted = outcome.accepted or (
            signature_alone and outcome.signature_held
            and outcome.code.startswith(AFTER_SIGNATURE)
            and not fits(outcome.code, case.reason_class))
        if case.expected == "valid" and accepted:
            return "agrees", "" if outcome.accepted else "the signature does"
        flags = found & ENCRYPTED.get(outcome.code, set())
        if flags:
            return "needs encryption", ", ".join(sorted(flags))
        if case.expected == "invalid" and not accepted:
            if fits(outcome.code, case.reason_class):
                return "agrees", ""
            return "agrees (other reason)", case.reason_class or ""
        if case.expected == "valid":
            flags = found & EXPLAINED_BY.get(outcome.code, set())
            if flags:
                return "refused by policy", ", ".join(sorted(flags))
        codes, clause = DEVIATIONS.get(case.id, ((), ""))
        if outcome.code in codes:
            return "explained", clause
        return "disagrees", case.entry.get("expected_reason") or ""


def flag(name, values):
    return [word for value in values for word in (name, value)]


def at(case):
    return ["--at", case.clock] if case.clock else []


def fits(code, reason_class):
    return code.startswith(FITTING.get(reason_class, ("no code",)))


# Report


def table(results):
    """The counts of one policy by source."""
    counts = collections.defaultdict(collections.Counter)
    for case, _, column, _ in results:
        counts[case.source][column] += 1
        counts["total"][column] += 1
    rows = [["", *COLUMNS, "cases"]]
    for source in sorted(counts, key=lambda name: (name == "total", name)):
        row = counts[source]
        rows.append([source, *(str(row[column]) for column in COLUMNS), str(row.total())])
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] + [
            cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]).rstrip())


def policy_counts(results):
    counts = collections.Counter(
        (outcome.code, why.partition(" [")[0]) for _, outcome, column, why in results
        if column == "refused by policy")
    for (code, flags), count in sorted(counts.items()):
        print(f"  {count:4}  {code}  ({flags})")


def details(results, column):
    for case, outcome, found, why in results:
        if found == column:
            reason = case.entry.get("expected_reason")
            print(f"  {case.id}\n      expected {case.expected}"
                  + (f" ({case.reason_class}: {reason})" if reason else "")
                  + f", we say {outcome.code}" + (f" [{outcome.detail}]" if outcome.detail else "")
                  + (f"\n      {why}" if why and why != reason else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("manifest", nargs="?", default=MANIFEST, type=pathlib.Path)
    parser.add_argument("--claims", default=CLAIMS, type=pathlib.Path, metavar="PATH")
    parser.add_argument("--policy", choices=POLICIES, action="append",
                        help="run this policy only; default both")
    parser.add_argument("--case", action="append", metavar="TEXT",
                        help="only the cases whose id contains this; prints their outcomes")
    parser.add_argument("--verbose", action="store_true",
                        help="list the agreements for another reason too")
    options = parser.parse_args()
    if not options.manifest.exists():
        print("corpora absent: skipped")
        return 0
    if not options.claims.exists():
        parser.error(f"no command at {options.claims}: build it, or name it with --claims")
    folder = options.manifest.resolve().parent
    entries = map(json.loads, options.manifest.read_text().splitlines())
    cases = [Case(entry, folder) for entry in entries if entry["kind"] in KINDS]
    if options.case:
        cases = [case for case in cases if any(text in case.id for text in options.case)]
    unexplained = 0
    used = set()
    for policy in options.policy or POLICIES:
        with tempfile.TemporaryDirectory() as scratch:
            runner = Runner(options.claims, pathlib.Path(scratch), folder)
            with concurrent.futures.ThreadPoolExecutor() as pool:
                outcomes = pool.map(lambda case: (case, *runner.run(case, policy)), cases)
                results = list(outcomes)
        print(f"\n== policy: {policy} ==\n")
        table(results)
        print("\nrefused by policy, by code and property:")
        policy_counts(results)
        shown = ["explained", "disagrees"]
        if options.case:
            shown = list(COLUMNS)
        elif options.verbose:
            shown.insert(0, "agrees (other reason)")
        for column in shown:
            print(f"\n{column}:")
            details(results, column)
        used |= {case.id for case, _, column, _ in results if column == "explained"}
        unexplained += sum(column == "disagrees" for _, _, column, _ in results)
    if not options.case and not options.policy:
        for name in sorted(set(DEVIATIONS) - used):
            print(f"\nno longer a deviation: {name}")
    print(f"\ndisagrees: {unexplained} unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
