#!/usr/bin/env python3
"""Signs tokens now with independent programs and lets the `claims` command verify them.

Each must be accepted with exactly its content. With --flip, one token of each kind is damaged in
every byte instead, and each damage must be refused, except where canonicalization or base64 removes
it. Programs that are not installed are reported and skipped; keys are made for the run and deleted.

Exit codes: 0 success, 1 failures, 2 usage.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import flips
import messages
import signers

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLAIMS = ROOT / ".build" / "release" / "claims"

RESPONSE = "//*[local-name()='Response']/*[local-name()='Signature']"
ASSERTION = "//*[local-name()='Assertion']/*[local-name()='Signature']"
ALONE = "/*[local-name()='Assertion']/*[local-name()='Signature']"

KEYS = {"rsa": "rsa", "ecdsa-sha256": "ec256", "ecdsa-sha384": "ec384", "ecdsa-sha512": "ec521"}
LAYERS = {"assertion": (False, True), "response": (True, False), "both": (True, True)}

# name: options of the signature template, comment put into values, whether to indent.
VARIANTS = {
    "plain": ({}, "", False),
    "pretty-printed": ({}, "", True),
    "PrefixList": ({"prefixes": "xs #default unknown"}, "", False),
    "comments in text": ({}, "<!-- c -->", False),
    "inclusive c14n": (
        {"method": messages.INCLUSIVE, "transform": messages.INCLUSIVE}, "", False),
    "c14n 1.1": (
        {"method": messages.INCLUSIVE11, "transform": messages.INCLUSIVE11}, "", False),
    "inclusive method, exclusive transform": ({"method": messages.INCLUSIVE}, "", False),
    "sha512 digest": ({"digest": "sha512"}, "", False),
}


def key_of(algorithm):
    return KEYS.get(algorithm) or "rsa"


def layered(layers, note, signature):
    """The message with a signature, made by `signature`, on each of its layers."""
    on_response, on_assertion = LAYERS[layers]
    inner = messages.assertion(signature("_a1") if on_assertion else "", note=note)
    return messages.response(inner, signature("_r1") if on_response else "")


def indented(text):
    """The same document with white space between elements and where xs:anyURI collapses it."""
    text = re.sub(r">\s*<(?!/[\w:]*AttributeValue|!--)", ">\n  <", text)
    return re.sub(r"(:Audience)>([^<]+)<", r"\1>\n  \2\n  <", text)


def template_tokens(signer, keys):
    """Everything that template signers can make: every layer, algorithm and variant."""
    plain = [("plain", algorithm, layers) for layers in LAYERS
             for algorithm in messages.ALGORITHMS if not algorithm.startswith("hmac")]
    other = [(variant, algorithm, layers) for variant in VARIANTS if variant != "plain"
             for algorithm in ("rsa-sha256", "ecdsa-sha256") for layers in LAYERS]
    for variant, algorithm, layers in plain + other:
        options, note, pretty = VARIANTS[variant]
        text = layered(layers, note, lambda identifier: messages.template(
            "#" + identifier, algorithm, **options))
        # The Response is signed over the signature of the assertion, hence after it.
        paths = [path for path, wanted in zip((ASSERTION, RESPONSE), reversed(LAYERS[layers]))
                 if wanted]
        key = key_of(algorithm)
        yield (f"{layers}, {algorithm}, {variant}", key, algorithm,
               signer.fill(indented(text) if pretty else text, keys, key, paths),
               messages.expected_claims(messages.METHOD2))
    for algorithm in ("rsa-sha256", "ecdsa-sha256", "ecdsa-sha512"):
        key = key_of(algorithm)
        text = messages.assertion1(messages.template("#_a1", algorithm))
        yield (f"SAML 1.1 assertion, {algorithm}", key, algorithm,
               signer.fill(text, keys, key, [ALONE]), messages.expected_claims(messages.METHOD1))


def signxml_tokens(signer, keys):
    algorithms = ["rsa-sha256", "rsa-sha512", "rsa-pss-sha256", "rsa-pss-sha384",
                  "rsa-pss-sha512", "ecdsa-sha256", "ecdsa-sha384", "ecdsa-sha512"]
    methods = {"exclusive c14n": messages.EXCLUSIVE, "inclusive c14n": messages.INCLUSIVE,
               "c14n 1.1": messages.INCLUSIVE11}
    for algorithm in algorithms:
        for name, method in methods.items():
            for layers, (on_response, on_assertion) in LAYERS.items():
                key = key_of(algorithm)
                # One placeholder at a time: signxml uses the first that it finds.
                text = messages.assertion(signers.SIGNXML_PLACE if on_assertion else "")
                if method == messages.EXCLUSIVE and on_assertion:
                    text = signer.sign(text, keys, key, "_a1", algorithm, method)
                    text = messages.response(
                        text, signers.SIGNXML_PLACE if on_response else "")
                elif on_assertion:
                    # Inclusive canonicalization includes the context: signed in place.
                    text = signer.sign(messages.response(text), keys, key, "_a1", algorithm, method)
                    if on_response:
                        text = text.replace(
                            "<samlp:Status>", signers.SIGNXML_PLACE + "<samlp:Status>", 1)
                else:
                    text = messages.response(text, signers.SIGNXML_PLACE)
                if on_response:
                    text = signer.sign(text, keys, key, "_r1", algorithm, method)
                yield (f"{layers}, {algorithm}, {name}", key, algorithm, text,
                       messages.expected_claims(messages.METHOD2))


def onelogin_tokens(signer, keys):
    for algorithm in ("rsa-sha256", "rsa-sha384", "rsa-sha512"):
        claims = messages.expected_claims(messages.METHOD2)
        yield (f"response, {algorithm}", "rsa", algorithm,
               signer.sign(messages.response(messages.assertion()), keys, "rsa", algorithm), claims)
        # Without an XML declaration an assertion can be put into a Response unchanged.
        signed = signer.sign(messages.assertion(), keys, "rsa", algorithm)
        signed = re.sub(r"^<\?xml[^>]*\?>\s*", "", signed)
        yield (f"assertion, {algorithm}", "rsa", algorithm, messages.response(signed), claims)


def pysaml2_tokens(signer, keys):
    for algorithm in ("rsa-sha256", "rsa-sha512"):
        for layers, (on_response, on_assertion) in LAYERS.items():
            text = signer.make(
                keys, "rsa", algorithm, response=on_response, assertion=on_assertion)
            # pysaml2 maps the names of attributes and sets the times itself.
            started = re.search(r'AuthnInstant="([^"]+)"', text)[1].replace("Z", ".000Z")
            claims = {
                messages.IDENTITY + "nameidentifier": [messages.SUBJECT],
                messages.WINDOWS + "authenticationmethod": [messages.METHOD2],
                messages.WINDOWS + "authenticationinstant": [started],
                "role": ["reader", "R&D <lead>"],
                "urn:oid:0.9.2342.19200300.100.1.3": ["ada@example.test"],
            }
            yield f"{layers}, {algorithm}", "rsa", algorithm, text, claims


MAKERS = {
    "xmlsec1": template_tokens, "python-xmlsec": template_tokens, "signxml": signxml_tokens,
    "python3-saml": onelogin_tokens, "pysaml2": pysaml2_tokens,
}


class Verifier:
    """The command, with a relying party's options."""

    def __init__(self, claims, keys):
        self.claims = str(claims)
        self.keys = keys

    def words(self, key):
        if key == "secret":
            return ["--key", f"hmac-file:{self.keys.secret_file}"]
        return ["--key", self.keys.certificate(key)]

    def context(self, version):
        """SAML 1.1 assertions alone name neither recipient nor request."""
        words = ["--issuer", messages.ISSUER, "--audience", messages.AUDIENCE]
        if version == 2:
            words += ["--recipient", messages.RECIPIENT, "--in-response-to", messages.REQUEST]
        return words

    def run(self, *words, text=b""):
        return subprocess.run(
            [self.claims, *words], input=text, capture_output=True, timeout=600, check=False)

    def fault(self, text, key, algorithm, claims):
        """The error of the verdict on a good token; None when it is right."""
        version = 1 if "SAML:1.0:assertion" in text else 2
        process = self.run("verify", *self.words(key), *self.context(version), text=text.encode())
        if process.stderr:
            return f"talk on standard error: {process.stderr.decode()[:200]}"
        record = json.loads(process.stdout)
        if process.returncode or not record["valid"]:
            error = record.get("error", {})
            return f"refused: {error.get('code')} at {error.get('node')}: {error.get('found')}"
        found = {name: record[name] for name in ("claims", "issuer", "subject", "audiences")}
        wanted = {"claims": claims, "issuer": messages.ISSUER, "subject": messages.SUBJECT,
                  "audiences": [messages.AUDIENCE]}
        if found != wanted:
            differ = [f"{name}: {found[name]} is not {wanted[name]}" for name in wanted
                      if found[name] != wanted[name]]
            return "says otherwise: " + "; ".join(differ)
        if record["signedBy"]["algorithm"] != algorithm:
            return f"signed by {record['signedBy']}, not with {algorithm}"
        return f"warns: {record['warnings']}" if record["warnings"] else None


def interoperate(verifier, present):
    counts = collections.Counter()
    wrong = 0
    for name, signer in present.items():
        for title, key, algorithm, text, claims in MAKERS[name](signer, verifier.keys):
            fault = verifier.fault(text, key, algorithm, claims)
            counts[name] += 1
            if fault:
                wrong += 1
                print(f"WRONG {name}: {title}: {fault}")
    for name, count in counts.items():
        print(f"{name}: {count} tokens")
    return wrong, counts.total()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--claims", default=CLAIMS, type=pathlib.Path, metavar="PATH")
    parser.add_argument("--flip", action="store_true",
                        help="damage one token of each kind in every byte instead")
    parser.add_argument("--seed", type=int, default=1, help="of the random bytes; default 1")
    options = parser.parse_args()
    if not options.claims.exists():
        parser.error(f"no command at {options.claims}: build it, or name it with --claims")
    present = signers.available(print)
    with tempfile.TemporaryDirectory() as folder:
        verifier = Verifier(options.claims.resolve(), signers.Keys(folder))
        if options.flip:
            signer = present.get("xmlsec1") or present.get("python-xmlsec")
            wrong, total = flips.run(verifier, signer, options.seed)
        else:
            wrong, total = interoperate(verifier, present)
    print(f"{total - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
