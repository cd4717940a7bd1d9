#!/usr/bin/env python3
"""JSON Web Tokens in both directions: PyJWT and the openssl command sign, `claims` verifies; `claims`
issues, PyJWT verifies. Keys are made for the run and deleted.

Exit codes: 0 success, 1 failures.
"""

import argparse
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOON = 1893499200
AT = "2030-01-01T12:00:00Z"
ISSUER, AUDIENCE = "https://idp.example/idp", "https://rp.example/"
CLAIMS = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": NOON + 300, "role": "editor"}
# JWS name: our name, kind of key.
ALGORITHMS = {
    "HS256": ("hmac-sha256", "secret"), "HS384": ("hmac-sha384", "secret"),
    "HS512": ("hmac-sha512", "secret"), "RS256": ("rsa-sha256", "rsa"),
    "RS384": ("rsa-sha384", "rsa"), "RS512": ("rsa-sha512", "rsa"),
    "PS256": ("rsa-pss-sha256", "rsa"), "PS384": ("rsa-pss-sha384", "rsa"),
    "PS512": ("rsa-pss-sha512", "rsa"), "ES256": ("ecdsa-sha256", "P-256"),
    "ES384": ("ecdsa-sha384", "P-384"), "ES512": ("ecdsa-sha512", "P-521"),
    "EdDSA": ("ed25519", "ed25519"), "Ed448": ("ed448", "ed448"),
}
WIDTH = {"ES256": 32, "ES384": 48, "ES512": 66}


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*arguments, data=None):
    return subprocess.run(
        ["openssl", *arguments], input=data, capture_output=True, check=True).stdout


def make_keys(folder):
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out",
            folder / "rsa.key")
    for curve in ("P-256", "P-384", "P-521"):
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}", "-out",
                folder / f"{curve}.key")
    for curve in ("ed25519", "ed448"):
        openssl("genpkey", "-algorithm", curve, "-out", folder / f"{curve}.key")
    for name in ("rsa", "P-256", "P-384", "P-521", "ed25519", "ed448"):
        openssl("pkey", "-in", folder / f"{name}.key", "-pubout", "-out", folder / f"{name}.pub")
    (folder / "secret").write_bytes(openssl("rand", "-base64", "64").replace(b"\n", b""))


def by_openssl(algorithm, folder):
    """A token whose octets but the signature are written here; openssl signs it."""
    kind = ALGORITHMS[algorithm][1]
    text = ".".join(b64(json.dumps(part).encode()) for part in (
        {"alg": algorithm, "typ": "JWT"}, CLAIMS)).encode()
    if kind in ("ed25519", "ed448"):
        (folder / "message").write_bytes(text)
        raw = openssl("pkeyutl", "-sign", "-rawin", "-inkey", folder / f"{kind}.key", "-in",
                      folder / "message")
        return f"{text.decode()}.{b64(raw)}"
    digest = "sha" + algorithm[2:]
    if kind == "secret":
        secret = base64.b64decode((folder / "secret").read_bytes()).hex()
        raw = openssl("dgst", f"-{digest}", "-mac", "HMAC", "-macopt", f"hexkey:{secret}",
                      "-binary", data=text)
        return f"{text.decode()}.{b64(raw)}"
    options = []
    if algorithm.startswith("PS"):
        options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"]
    raw = openssl("dgst", f"-{digest}", "-sign", folder / f"{kind}.key", *options, data=text)
    if algorithm in WIDTH:
        raw = fixed_width(raw, WIDTH[algorithm])
    return f"{text.decode()}.{b64(raw)}"


def fixed_width(der, width):
    """The two INTEGERs of a DER sequence, side by side."""
    position = 2 if der[1] < 0x80 else 3
    result = b""
    for _ in range(2):
        length = der[position + 1]
        number = der[position + 2:position + 2 + length].lstrip(b"\0")
        result += number.rjust(width, b"\0")
        position += 2 + length
    return result


def key_argument(kind, folder):
    return f"hmac-file:{folder / 'secret'}" if kind == "secret" else str(folder / f"{kind}.pub")


def verdict(claims, token, kind, folder):
    outcome = subprocess.run(
        [claims, "verify", "--format", "jwt", "--key", key_argument(kind, folder), "--issuer",
         ISSUER, "--audience", AUDIENCE, "--at", AT],
        input=token.encode(), capture_output=True)
    return json.loads(outcome.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--claims", default=str(ROOT / ".build/release/claims"))
    claims = parser.parse_args().claims
    try:
        import jwt
        from cryptography.hazmat.primitives.serialization import (
            load_pem_private_key, load_pem_public_key)
    except ImportError:
        jwt = None
        print("PyJWT or cryptography absent: openssl alone")
    passed, failed = 0, []

    def check(what, is_right):
        nonlocal passed
        if is_right:
            passed += 1
        else:
            failed.append(what)

    def accepted(what, token, kind, folder):
        record = verdict(claims, token, kind, folder)
        check(what, record["valid"] and record["claims"] == {"sub": ["ada"], "role": ["editor"]})
        head, payload, signature = token.split(".")
        other = "B" if signature[4] == "A" else "A"
        changed = f"{head}.{payload}.{signature[:4]}{other}{signature[5:]}"
        check(f"{what}, changed", not verdict(claims, changed, kind, folder)["valid"])

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_keys(folder)
        for algorithm, (ours, kind) in ALGORITHMS.items():
            accepted(f"openssl {algorithm}", by_openssl(algorithm, folder), kind, folder)
            if jwt is None:
                continue
            if kind == "secret":
                private = public = base64.b64decode((folder / "secret").read_bytes())
                signing = ["--key", f"hmac-file:{folder / 'secret'}"]
            else:
                private = load_pem_private_key((folder / f"{kind}.key").read_bytes(), None)
                public = load_pem_public_key((folder / f"{kind}.pub").read_bytes())
                signing = ["--signing-key", str(folder / f"{kind}.key")]
            # PyJWT has no Ed448 by that name.
            if algorithm != "Ed448":
                accepted(f"PyJWT {algorithm}", jwt.encode(CLAIMS, private, algorithm=algorithm),
                         kind, folder)
            token = subprocess.run(
                [claims, "mint", "jwt", "--issuer", ISSUER, "--audience", AUDIENCE, "--subject",
                 "ada", "--claim", "role=editor", "--claim", "role=\u00e9\"", "--at", AT,
                 "--lifetime", "300", "--id", "j1", "--algorithm", ours, *signing],
                capture_output=True, text=True, check=True).stdout.strip()
            if algorithm == "Ed448":
                signed, _, signature = token.rpartition(".")
                public.verify(base64.urlsafe_b64decode(signature + "=="), signed.encode())
                passed += 1
                continue
            # The clock of PyJWT is the wall clock, so the times are compared here instead.
            decoded = jwt.decode(
                token, public, algorithms=[algorithm], audience=AUDIENCE, issuer=ISSUER,
                options={"verify_exp": False, "verify_nbf": False, "verify_iat": False})
            check(f"ours {algorithm}", decoded == {
                "iss": ISSUER, "aud": AUDIENCE, "iat": NOON, "nbf": NOON - 60, "exp": NOON + 300,
                "jti": "j1", "sub": "ada", "role": ["editor", "\u00e9\""]})
    for what in failed:
        print(f"wrong: {what}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
