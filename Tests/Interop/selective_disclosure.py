#!/usr/bin/env python3
"""SD-JWTs that sd-jwt-python issues and presents while this runs, verified by `claims`.

With a folder of checkouts (`FOLDER/sd-jwt-python`) its test cases are played: issued, presented and compared with the
claims that they expect; each presentation also with one disclosure changed, which must be refused. Then a matrix:
algorithm of the issuer x digest of disclosures x key binding. Needs PyPI's sd-jwt.
Exit codes: 0 success, 1 failures.
"""

import argparse
import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from jwcrypto import jwk, jws
from sd_jwt.common import SDObj
from sd_jwt.holder import SDJWTHolder
from sd_jwt.issuer import SDJWTIssuer
from sd_jwt.utils.yaml_specification import load_yaml_specification

ROOT = pathlib.Path(__file__).resolve().parents[2]
ISSUER, VERIFIER, NONCE = "https://example.com/issuer", "https://example.com/verifier", "1234567890"
FACTS = {"iss", "aud", "exp", "nbf", "jti"}
# Why a test case of theirs is refused here.
EXPLAINED = {
    "header_mod": ("input.json-member", "kid is a number, where RFC 7515, 4.1.4 has a string"),
    "json_serialization_flattened": ("input.base64", "JSON serialization is not read (RFC 9901, 8 is optional)"),
    "json_serialization_general": ("input.base64", "JSON serialization is not read (RFC 9901, 8 is optional)"),
}
KINDS = {"ES256": ("EC", "P-256"), "ES384": ("EC", "P-384"), "ES512": ("EC", "P-521"), "EdDSA": ("OKP", "Ed25519"),
         "RS256": ("RSA", None), "PS256": ("RSA", None)}


def new_key(algorithm):
    kind, curve = KINDS[algorithm]
    return jwk.JWK.generate(kty=kind, **({"crv": curve} if curve else {"size": 2048}))


class Run:
    def __init__(self, claims, folder):
        self.claims, self.folder, self.passed, self.failed, self.explained = claims, folder, 0, [], 0

    def verdict(self, token, key, *options):
        (self.folder / "issuer.jwks").write_text(json.dumps({"keys": [key.export_public(as_dict=True)]}))
        done = subprocess.run(
            [self.claims, "verify", "--format", "sdjwt", "--key", f"jwks:{self.folder / 'issuer.jwks'}",
             "--issuer", ISSUER, "--audience", VERIFIER, "--explain", *options], input=token.encode(),
            capture_output=True)
        return json.loads(done.stdout)

    def check(self, what, is_right, found=""):
        if is_right:
            self.passed += 1
        else:
            self.failed.append(f"{what}: {str(found)[:400]}")


def flat(payload):
    """The claims as `claims` prints them, JSON texts parsed."""
    claims = {}
    for name, value in payload.items():
        values = [each for each in (value if isinstance(value, list) else [value]) if each is not None]
        if name not in FACTS and values:
            claims[name] = values
    return claims


def read(record):
    def parsed(text):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return {name: [parsed(each) for each in values] for name, values in record.get("claims", {}).items()}


def same(expected, found):
    """Texts that look like JSON are parsed on both sides."""
    loose = lambda value: value if not isinstance(value, str) else read({"claims": {"x": [value]}})["x"][0]  # noqa: E731
    return {name: [loose(each) for each in values] for name, values in expected.items()} == found


def changed(token):
    """The token with another salt in its first disclosure; none where it has no disclosure."""
    pieces = token.split("~")
    if len(pieces) < 3 or not pieces[1]:
        return None
    parts = json.loads(base64.urlsafe_b64decode(pieces[1] + "=="))
    text = json.dumps(["other", *parts[1:]])
    pieces[1] = base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()
    return "~".join(pieces)


def test_cases(run, folder):
    for path in sorted(folder.glob("*/specification.yml")):
        name, case = path.parent.name, load_yaml_specification(path)
        issuer, holder = new_key("ES256"), new_key("ES256")
        bound = case.get("key_binding", False)
        style = case.get("serialization_format", "compact")
        times = {"iss": ISSUER, "aud": VERIFIER, "exp": int(time.time()) + 3600}
        SDJWTIssuer.unsafe_randomness = False
        issued = SDJWTIssuer(
            times | case["user_claims"], issuer, holder if bound else None,
            add_decoy_claims=case.get("add_decoy_claims", False), serialization_format=style,
            extra_header_parameters={"typ": "dc+sd-jwt"} | case.get("extra_header_parameters", {}))
        presenter = SDJWTHolder(issued.sd_jwt_issuance, serialization_format=style)
        presenter.create_presentation(
            case["holder_disclosed_claims"], NONCE if bound else None, VERIFIER if bound else None,
            holder if bound else None)
        token = presenter.sd_jwt_presentation
        options = ["--key-binding", VERIFIER, "--nonce", NONCE] if bound else []
        record = run.verdict(token, issuer, *options)
        if name in EXPLAINED:
            code, reason = EXPLAINED[name]
            run.explained += 1
            found = record.get("error", {}).get("code")
            if found != code:
                run.failed.append(f"{name}: {found}, not {code}")
            print(f"{name}: {found}, {reason}")
            continue
        expected = flat(case["expect_verified_user_claims"] | (
            {"cnf": {"jwk": holder.export_public(as_dict=True)}} if bound else {}))
        run.check(name, record["valid"] and same(expected, read(record)), record)
        twin = changed(token)
        if twin:
            found = run.verdict(twin, issuer, *options)
            run.check(f"{name}, changed", not found["valid"] and found["error"]["code"].startswith("disclosure."), found)


def by_hand(key, algorithm, payload, typ):
    made = jws.JWS(json.dumps(payload))
    made.allowed_algs = [algorithm]
    made.add_signature(key, alg=algorithm, protected=json.dumps({"alg": algorithm, "typ": typ}))
    return made.serialize(compact=True)


def matrix(run):
    text = lambda value: base64.urlsafe_b64encode(value).rstrip(b"=").decode()  # noqa: E731
    rows = []
    for algorithm in KINDS:
        issuer, holder = new_key(algorithm), new_key(algorithm)
        row = [algorithm]
        for digest in ("sha-256", "sha-384", "sha-512"):
            hashed = lambda octets: text(hashlib.new(digest.replace("-", ""), octets).digest())  # noqa: E731
            role = text(json.dumps(["c2FsdA", "role", "user"]).encode())
            payload = {"iss": ISSUER, "aud": VERIFIER, "exp": int(time.time()) + 3600, "_sd_alg": digest,
                       "_sd": [hashed(role.encode())], "cnf": {"jwk": holder.export_public(as_dict=True)}}
            token = by_hand(issuer, algorithm, payload, "dc+sd-jwt") + f"~{role}~"
            binding = {"iat": int(time.time()), "aud": VERIFIER, "nonce": NONCE, "sd_hash": hashed(token.encode())}
            whole = token + by_hand(holder, algorithm, binding, "kb+jwt")
            right = 0
            for options, presented, code in [
                    ((), token, None), (("--key-binding", VERIFIER, "--nonce", NONCE), whole, None),
                    (("--key-binding", VERIFIER, "--nonce", NONCE), token, "binding.missing"),
                    (("--key-binding", VERIFIER, "--nonce", "other"), whole, "binding.nonce")]:
                record = run.verdict(presented, issuer, *options)
                is_right = record.get("error", {}).get("code") == code
                right += is_right
                run.check(f"{algorithm} {digest} {options}", is_right, record)
            row.append(f"{right} of 4")
        rows.append(row)
    print("| issuer and holder | sha-256 | sha-384 | sha-512 |\n| --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def issued_here(run):
    """What sd-jwt-python issues with decoys, nothing disclosed."""
    key = new_key("ES256")
    issued = SDJWTIssuer(
        {"iss": ISSUER, "aud": VERIFIER, "exp": int(time.time()) + 3600, SDObj("role"): "user"}, key, None,
        add_decoy_claims=True, extra_header_parameters={"typ": "dc+sd-jwt"})
    record = run.verdict(issued.sd_jwt_issuance, key)
    run.check("issuance", record["valid"] and record["disclosed"] == {"role": ["disclosed"]}, record)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", nargs="?", help="a folder with the checkout sd-jwt-python")
    parser.add_argument("--claims", default=str(ROOT / ".build/release/claims"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        run = Run(options.claims, pathlib.Path(name))
        if options.folder:
            test_cases(run, pathlib.Path(options.folder) / "sd-jwt-python/tests/testcases")
        issued_here(run)
        matrix(run)
    for what in run.failed:
        print(f"wrong: {what}")
    print(f"{run.passed} passed, {len(run.failed)} failed, {run.explained} explained")
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
