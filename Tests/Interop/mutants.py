#!/usr/bin/env python3
"""Bad variants of good tokens against several verifiers: how many each accepts.

`claims` issues a token with a fresh key and makes its variants (`claims mutate`); `claims verify`
must refuse each with the predicted code. The other verifiers get the same bytes. Variants that the
issuer's own key signed are counted apart: a library that only checks signatures does not detect most
of them.

Prints a table in Markdown. Exit codes: 0 claims refused all as predicted, 1 not.
"""

import argparse
import base64
import contextlib
import datetime
import io
import json
import logging
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
AT, NOON = "2030-01-01T12:00:00Z", 1893499200
ISSUER, AUDIENCE = "https://idp.example/idp", "https://rp.example/saml"
ACS, REQUEST, FORGED = "https://rp.example/acs", "_q1", "admin@rp.example"
SAML = ("--recipient", ACS, "--in-response-to", REQUEST)

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)


def run(*command, data=None, fails=False):
    done = subprocess.run(list(map(str, command)), input=data, capture_output=True)
    if done.returncode and not fails:
        sys.exit(f"{command[:4]}: {done.stderr.decode()}")
    return done.stdout


class Keys:
    def __init__(self, folder, subject="rsa:2048"):
        self.key, self.certificate = folder / "idp.key", folder / "idp.crt"
        self.public, self.secret = folder / "idp.pub", folder / "shared.key"
        run("openssl", "req", "-x509", "-newkey", subject, "-nodes", "-keyout", self.key, "-out",
            self.certificate, "-days", "3650", "-subj", "/CN=idp.example")
        self.public.write_bytes(
            run("openssl", "pkey", "-in", self.key, "-pubout"))
        self.secret.write_bytes(base64.b64encode(bytes(range(64))))


def token(claims, keys, arguments):
    return run(claims, "mint", *arguments, "--issuer", ISSUER, "--audience", AUDIENCE, "--subject",
               "alice", "--claim", "http://example.test/role=user", "--at", "2030-01-01T11:59:00Z")


def mutants(claims, good, key, extra, folder):
    lines = run(claims, "mutate", "--key", key, "--at", AT, *extra, data=good)
    return [json.loads(line) for line in lines.splitlines()], lines


def ours(claims, lines, key, extra):
    out = run(claims, "verify", "--lines", "--key", key, "--audience", AUDIENCE, "--at", AT, *extra,
              data=lines, fails=True)
    return [json.loads(line) for line in out.splitlines()]


# Each verifier returns None for a refusal, else the text that it would read claims from.


def xmlsec1(keys):
    names = [("ID", "urn:oasis:names:tc:SAML:2.0:assertion:Assertion"),
             ("ID", "urn:oasis:names:tc:SAML:2.0:protocol:Response"),
             ("AssertionID", "urn:oasis:names:tc:SAML:1.0:assertion:Assertion"),
             ("ResponseID", "urn:oasis:names:tc:SAML:1.0:protocol:Response")]
    flags = [item for name, element in names for item in (f"--id-attr:{name}", element)]

    def verify(text):
        with tempfile.NamedTemporaryFile(suffix=".xml") as file:
            file.write(text.encode())
            file.flush()
            done = subprocess.run(
                ["xmlsec1", "--verify", "--pubkey-cert-pem", keys.certificate, *flags, file.name],
                capture_output=True, timeout=20)
        return text if done.returncode == 0 else None

    return verify


def signxml(keys):
    from lxml import etree
    from signxml import XMLVerifier

    certificate = keys.certificate.read_text()

    def identifier(text):
        """The attribute that names what the first signature refers to: a response of SAML 1.1 has another."""
        uri = re.search(r'<ds:Reference URI="#([^"]*)"', text)
        named = uri and re.search(rf'\b(ResponseID|AssertionID)="{re.escape(uri[1])}"', text)
        return named[1] if named else "AssertionID" if "AssertionID" in text else "ID"

    def verify(text):
        result = XMLVerifier().verify(
            text.encode(), x509_cert=certificate, expect_references=1, id_attribute=identifier(text))
        result = result[0] if isinstance(result, list) else result
        return etree.tostring(result.signed_xml).decode()

    return verify


def python3_saml(keys):
    from onelogin.saml2.constants import OneLogin_Saml2_Constants
    from onelogin.saml2.response import OneLogin_Saml2_Response
    from onelogin.saml2.settings import OneLogin_Saml2_Settings
    from onelogin.saml2.utils import OneLogin_Saml2_Utils

    OneLogin_Saml2_Utils.now = staticmethod(lambda: NOON)
    OneLogin_Saml2_Constants.ALLOWED_CLOCK_DRIFT = 60
    binding = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
    settings = OneLogin_Saml2_Settings({
        "strict": True,
        "sp": {"entityId": AUDIENCE, "assertionConsumerService": {"url": ACS, "binding": binding}},
        "idp": {"entityId": ISSUER, "x509cert": keys.certificate.read_text(),
                "singleSignOnService": {"url": ISSUER, "binding": binding}},
        "security": {"rejectDeprecatedAlgorithm": True},
    })
    request = {"https": "on", "http_host": "rp.example", "script_name": "/acs", "get_data": {}}

    def verify(text):
        response = OneLogin_Saml2_Response(settings, base64.b64encode(text.encode()).decode())
        if not response.is_valid(request, request_id=REQUEST):
            return None
        return json.dumps([response.get_nameid(), response.get_attributes()])

    return verify


def pyjwt(key, algorithms):
    import jwt
    import jwt.api_jwt

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.datetime.fromtimestamp(NOON, tz)

    jwt.api_jwt.datetime = Clock

    def verify(text):
        return json.dumps(jwt.decode(
            text, key, algorithms=algorithms, audience=AUDIENCE, issuer=ISSUER, leeway=60,
            options={"require": ["exp", "iss", "aud"]}))

    return verify


def asked(verify, text):
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return verify(text)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", default=ROOT / ".build/release/claims")
    parser.add_argument("--list", action="store_true", help="name what each verifier lets through")
    options = parser.parse_args()
    claims, wrong, rows, listed = options.claims, 0, [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        keys = Keys(folder)
        pair = ("--signing-key", keys.key, "--certificate", keys.certificate)
        cases = []
        for part in ("assertion", "response", "both"):
            cases.append((f"SAML 2.0, {part} signed" if part != "both" else "SAML 2.0, both signed",
                          ("saml20", *pair, "--wrap", "response", "--sign", part, *SAML),
                          keys.key, keys.certificate, SAML,
                          {"python3-saml": python3_saml, "signxml": signxml, "xmlsec1": xmlsec1}))
        cases.append(("SAML 1.1 in a Response", ("saml11", *pair, "--wrap", "response"), keys.key,
                      keys.certificate, (), {"signxml": signxml, "xmlsec1": xmlsec1}))
        cases.append(("SAML 1.1 in an RSTR", ("saml11", *pair, "--wrap", "rstr"), keys.key,
                      keys.certificate, (), {"signxml": signxml, "xmlsec1": xmlsec1}))
        cases.append(("SWT", ("swt", "--key", f"hmac-file:{keys.secret}"),
                      f"hmac-file:{keys.secret}", f"hmac-file:{keys.secret}", (), {}))
        cases.append(("JWT, RS256", ("jwt", "--signing-key", keys.key), keys.key, keys.certificate,
                      (), {"PyJWT": lambda k: pyjwt(k.public.read_text(), ["RS256"])}))
        cases.append(("JWT, HS256", ("jwt", "--key", f"hmac-file:{keys.secret}"),
                      f"hmac-file:{keys.secret}", f"hmac-file:{keys.secret}", ("--format", "jwt"),
                      {"PyJWT": lambda k: pyjwt(bytes(range(64)), ["HS256"])}))
        for title, arguments, key, trusted, extra, others in cases:
            good = token(claims, keys, arguments)
            variants, lines = mutants(claims, good, key, extra, folder)
            verdicts = ours(claims, lines, trusted, extra)
            for variant, verdict in zip(variants, verdicts, strict=True):
                code = verdict.get("error", {}).get("code")
                if code != variant["expected"]:
                    wrong += 1
                    print(f"{title}: {variant['id']}: {variant['expected']}, not {code}",
                          file=sys.stderr)
            theirs = [v for v in variants if not v["issuerSigned"]]
            signed = [v for v in variants if v["issuerSigned"]]
            rows.append((title, "claims", f"0 of {len(theirs)}", "0", f"0 of {len(signed)}"))
            for label, make in others.items():
                verify = make(keys)
                if asked(verify, good.decode().rstrip("\n")) is None:
                    sys.exit(f"{title}: {label} refuses the good token")
                count = {False: [], True: []}
                forged = 0
                for variant in variants:
                    read = asked(verify, variant["token"])
                    if read is None:
                        continue
                    count[variant["issuerSigned"]].append(variant["id"])
                    # A forged subject or role in what the verifier returns.
                    forged += not variant["issuerSigned"] and (FORGED in read or '"admin"' in read)
                rows.append((title, label, f"{len(count[False])} of {len(theirs)}", f"{forged}",
                             f"{len(count[True])} of {len(signed)}"))
                listed.append((title, label, count[False]))
    print("| token | verifier | variants without the key let through | with forged claims | "
          "variants with it let through |")
    print("| --- | --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    if options.list:
        for title, label, names in listed:
            print(f"\n{title}, {label}: " + ", ".join(names))
    print(f"\nclaims: {wrong} not as predicted", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
