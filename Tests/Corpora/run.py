#!/usr/bin/env python3
"""Runs the `claims` command over test data of other projects and compares the verdicts.

The data lies beside this repository and is not part of it; where it is missing, nothing is run.
Every case is run twice: with the command's default policy, and with every legacy
algorithm allowed by name. A refusal of a case that its source accepts is counted as a refusal by
policy only where the case has a property that explains this very code (EXPLAINED_BY); the rest
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
from keys import Keys, properties

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFEST = ROOT.parent / "shared" / "corpora" / "MANIFEST.jsonl"
CLAIMS = ROOT / ".build" / "release" / "claims"

KINDS = ("xmldsig", "response", "saml20", "saml11", "swt")
LEGACY = (
    "rsa-sha1", "rsa-pss-sha1", "ecdsa-sha1", "hmac-sha1", "sha1",
    "rsa-small-modulus", "rsa-small-exponent", "hmac-short-key", "ecdsa-asn1", "rsa-1_5", "3des",
)
POLICIES = {"default": [], "legacy": [word for name in LEGACY
                                      for word in ("--allow-algorithm", name)]}

# The properties of a case that explain each refusal. The properties are the manifest's flags and
# what `properties` adds to them.
EXPLAINED_BY = {
    "algorithm.legacy": {"sha1", "rsa-1_5", "3des"},
    "algorithm.signature": {
        "dsa", "md5", "ripemd", "gost", "pqc", "eddsa", "sha3", "sha224", "whirlpool"},
    "algorithm.digest": {"md5", "ripemd", "gost", "sha3", "sha224", "whirlpool"},
    "key.unsupported": {"dsa", "gost", "pqc", "eddsa", "other-curve"},
    # OpenSSL 3 cannot load these; DSA and EdDSA in DER are distinguished too late.
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

# Refusals for want of a key: the corpus has no private key for the case, or the signature's own key
# comes encrypted in the message, and keys come from the configuration alone.
ENCRYPTED = {
    "encryption.no-key": {"encrypted-assertion", "encrypted-id-or-attr"},
    "algorithm.key-mismatch": {"encrypted-key"},
    "signature.invalid": {"encrypted-key"},
}

# Codes (or families, which end in a dot) that fit the reason a source gives for a refusal.
FITTING = {
    "signature": ("signature.missing", "signature.misplaced", "signature.invalid",
                  "signature.digest-mismatch", "signature.mac"),
    "wrapping": ("signature.", "xml.duplicate-id", "xml.unexpected-element",
                 "response.several-assertions", "policy.unsigned-content"),
    "time": ("time.", "subject.confirmation-expired", "subject.confirmation-data"),
    "audience": ("audience.",),
    "issuer": ("issuer.", "xml.missing-element"),
    "destination": ("response.destination", "subject.recipient"),
    "subject-confirmation": ("subject.", "response.in-response-to"),
    "status": ("response.status", "xml.missing-element", "xml.unexpected-element",
               "xml.missing-attribute"),
    "structure": ("xml.", "subject.empty-name", "subject.missing", "response.version",
                  "response.fault", "response.no-assertion", "issuer.format", "audience.missing"),
    "decryption": ("encryption.",),
    "certificate": ("key.", "signature.invalid"),
    "policy": ("algorithm.", "key.", "policy."),
    "xml": ("xml.doctype", "xml.entity", "xml.malformed", "xml.namespace"),
}
# The same by the text of the reason, where its class is too wide.
FITTING_WORDS = {
    "SPNameQualifier": ("subject.sp-name-qualifier",),
}

# Where the manifest's notes give another context than its `checks`.
CONTEXTS = {
    "python3-saml/responses/valid_response_without_inresponseto.xml.base64": {
        "sp_entity_id": "https://pitbulk.no-ip.org/newonelogin/demo1/metadata.php",
        "acs_url": "https://pitbulk.no-ip.org/newonelogin/demo1/index.php?acs",
        "idp_entity_id": "https://pitbulk.no-ip.org/simplesaml/saml2/idp/metadata.php",
    },
}

# The codes with which a token can be refused after its signature was verified.
AFTER_SIGNATURE = ("time.", "audience.", "subject.", "response.")

# A case to be refused that is refused for its context alone: the source's cause is not found.
ACCEPTED_ALONE = "accepted where nothing is expected of it"

COLUMNS = ("agrees", "agrees (other reason)", "refused by policy", "key not given",
           "explained", "disagrees", "unknown verdict")


class Outcome:
    """The result of one run of the command."""

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
    def codes(self):
        """The first failure and, where every check was listed, the others."""
        checks = self.record.get("checks", [])
        return [self.code] + [check["code"] for check in checks if "code" in check]

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
        self.checks = (entry.get("checks") or {}) | CONTEXTS.get(self.id, {})
        self.mode = self.checks.get("mode") or ("full" if self.kind == "swt" else "signature")
        self.path = folder / entry["file"]
        self.text = document(self.path.read_bytes(), entry["encoding"])
        self.source = "xmlsec/" + entry["source"]["set"] if self.id.startswith("xmlsec/") else (
            self.id.split("/")[0])

    @property
    def clock(self):
        """The instant to verify at; None for now.

        Where the manifest has none, an instant inside the window that the document names: the
        latest of the beginnings in it. A refusal for time without a clock is verified now, as by its
        source.
        """
        if self.entry.get("clock"):
            return self.entry["clock"]
        if self.kind == "xmldsig" or (
                self.expected == "invalid" and self.reason_class == "time"):
            return None
        return inside_window(self.text)


def document(data, encoding):
    """The text in a file, as far as it can be read."""
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


# Runs


class Runner:
    def __init__(self, claims, scratch, folder):
        self.claims = str(claims)
        self.keys = Keys(folder, scratch)

    def run(self, case, policy):
        """The outcome, its column, and the properties that decided it."""
        if case.mode == "parse":
            outcome = self.command("decode", str(case.path))
            return outcome, *self.judge(case, outcome, set())
        keys, origin = self.keys.specifications(case)
        allowed = POLICIES[policy]
        if case.kind == "xmldsig":
            outcome = self.command("xml", "verify", "--allow-partial", *flag("--key", keys), *self.identifiers(case),
                                   *at(case), *allowed, str(case.path))
        else:
            keys = keys or [self.keys.stranger]
            ours = flag("--decrypt-key", self.keys.decryption(case))
            outcome = self.command("verify", "--explain", *flag("--key", keys), *ours, *at(case),
                                   *self.context(case), *allowed, str(case.path))
        column, why = self.judge(case, outcome, properties(case, keys))
        if column == "agrees (other reason)" and case.mode == "full":
            alone = self.command("verify", *flag("--key", keys), *ours, *at(case),
                                 "--allow-any-audience", *allowed, str(case.path))
            why += ", " + ACCEPTED_ALONE if alone.accepted else ""
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
        # An unexpected issuer ends the checks. In a case that is to be refused for another cause it
        # would hide whether that is detected.
        if issuer and (case.expected != "invalid" or case.reason_class == "issuer"):
            words += ["--issuer", issuer]
        if case.reason_class == "certificate":
            words += ["--certificate-dates", "enforce"]
        if checks.get("acs_url") and not {"recipient", "destination"} & set(ignored):
            words += ["--recipient", checks["acs_url"]]
        if checks.get("request_id"):
            words += ["--in-response-to", checks["request_id"]]
        return words

    def judge(self, case, outcome, found):
        """The column of an outcome, and a short reason."""
        if outcome.fault:
            return "disagrees", outcome.fault
        # "decrypt" does not cover the signature around the decrypted content.
        decrypted = case.mode == "decrypt" and outcome.code != "encryption.no-key"
        if case.expected not in ("valid", "invalid") or (decrypted and case.expected == "valid"):
            return "unknown verdict", ""
        if outcome.code == "usage":
            return "disagrees", outcome.talk
        signature_alone = case.kind not in ("xmldsig", "swt") and case.mode == "signature"
        accepted = outcome.accepted or (
            signature_alone and outcome.signature_held
            and outcome.code.startswith(AFTER_SIGNATURE)
            and not fits(outcome, case))
        if case.expected == "valid" and accepted:
            return "agrees", "" if outcome.accepted else "the signature does"
        if case.expected == "invalid" and not accepted:
            if fits(outcome, case):
                return "agrees", ""
            return "agrees (other reason)", case.reason_class or ""
        flags = found & ENCRYPTED.get(outcome.code, set())
        if flags:
            return "key not given", ", ".join(sorted(flags))
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


def fits(outcome, case):
    """Whether one of the failed checks is the source's reason for refusal."""
    fitting = FITTING.get(case.reason_class, ())
    for word, codes in FITTING_WORDS.items():
        if word in (case.entry.get("expected_reason") or ""):
            fitting += codes
    return any(code.startswith(fitting) for code in outcome.codes)


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


def details(results, column, word=""):
    for case, outcome, found, why in results:
        if found == column and word in why:
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
        if options.manifest != MANIFEST:
            parser.error(f"no manifest at {options.manifest}")
        print("corpora absent: skipped")
        return 0
    if not options.claims.exists():
        parser.error(f"no command at {options.claims}: build it, or name it with --claims")
    folder = options.manifest.resolve().parent
    try:
        entries = [json.loads(line) for line in options.manifest.read_text().splitlines()]
        cases = [Case(entry, folder) for entry in entries if entry["kind"] in KINDS]
    except (ValueError, KeyError, TypeError, OSError) as error:
        parser.error(f"cannot read the cases of {options.manifest}: {type(error).__name__}: {error}")
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
        else:
            print(f"\nagrees (other reason), but {ACCEPTED_ALONE}:")
            details(results, "agrees (other reason)", ACCEPTED_ALONE)
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
