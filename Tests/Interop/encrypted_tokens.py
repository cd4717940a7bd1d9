#!/usr/bin/env python3
"""Encrypted JSON Web Tokens in both directions: joserfc, jwcrypto and Debian's jose encrypt a signed token, `claims`
verifies it; `claims` encrypts, each of them decrypts. Each token is read once more with a changed tag, which must be
refused. Keys are made for the run and deleted.

Prints a table in Markdown: algorithm x program, `i` for what they made, `o` for what we made, with the number of
contents (enc) that passed. Needs PyPI's joserfc and jwcrypto, and the command jose; what is absent is left out.
Exit codes: 0 success, 1 failures.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
AT = "2030-01-01T12:00:00Z"
ISSUER, AUDIENCE = "https://idp.example/idp", "https://rp.example/"
CONTENTS = {"A128CBC-HS256": 32, "A192CBC-HS384": 48, "A256CBC-HS512": 64, "A128GCM": 16, "A192GCM": 24,
            "A256GCM": 32}
AGREEMENTS = ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW"]
CURVES = ["P-256", "P-384", "P-521", "X25519"]
SECRETS = {"A128KW": 16, "A192KW": 24, "A256KW": 32, "A128GCMKW": 16, "A192GCMKW": 24, "A256GCMKW": 32}

warnings.simplefilter("ignore")


def run(*command, data=None, fails=False):
    done = subprocess.run(list(map(str, command)), input=data, capture_output=True)
    if done.returncode and not fails:
        raise RuntimeError(f"{command[:4]}: {done.stderr.decode()[:300]}")
    return done.stdout


class Jwcrypto:
    name = "jwcrypto"

    def __init__(self):
        from jwcrypto import jwe, jwk
        self.jwe, self.jwk = jwe, jwk

    def encrypt(self, header, content, key):
        made = self.jwe.JWE(content, json.dumps(header), algs=[header["alg"], header["enc"]])
        made.add_recipient(self.jwk.JWK(**key))
        return made.serialize(compact=True)

    def decrypt(self, token, header, key):
        read = self.jwe.JWE(algs=[header["alg"], header["enc"]])
        read.deserialize(token, self.jwk.JWK(**key))
        return read.payload


class Joserfc:
    name = "joserfc"

    def __init__(self):
        from joserfc import jwe
        from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
        self.jwe, self.kinds = jwe, {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey, "oct": OctKey}

    def key(self, key):
        return self.kinds[key["kty"]].import_key(key)

    def encrypt(self, header, content, key):
        return self.jwe.encrypt_compact(
            dict(header), content, self.key(key), algorithms=[header["alg"], header["enc"]])

    def decrypt(self, token, header, key):
        return self.jwe.decrypt_compact(
            token, self.key(key), algorithms=[header["alg"], header["enc"]]).plaintext


class Jose:
    name = "jose"

    def __init__(self):
        self.known = set(run("jose", "alg").decode().split())

    def check(self, header, key):
        if not {header["alg"], header["enc"]} <= self.known or key["kty"] == "OKP":
            raise NotImplementedError

    def encrypt(self, header, content, key):
        self.check(header, key)
        with tempfile.NamedTemporaryFile(suffix=".jwk") as file:
            pathlib.Path(file.name).write_text(json.dumps(key))
            return run("jose", "jwe", "enc", "-I-", "-i", json.dumps({"protected": header}), "-k", file.name,
                       "-c", data=content).decode().strip()

    def decrypt(self, token, header, key):
        self.check(header, key)
        with tempfile.NamedTemporaryFile(suffix=".jwk") as file:
            pathlib.Path(file.name).write_text(json.dumps(key))
            return run("jose", "jwe", "dec", "-i-", "-k", file.name, "-O-", data=token.encode())


def programs():
    found = []
    for kind in (Jwcrypto, Joserfc, Jose):
        try:
            found.append(kind())
        except (ImportError, FileNotFoundError):
            print(f"{kind.name} absent", file=sys.stderr)
    return found


class World:
    """Keys, a signed token, and the command."""

    def __init__(self, claims, folder):
        from jwcrypto import jwk
        self.claims, self.folder = claims, folder
        make = jwk.JWK.generate
        self.keys = {"RSA": make(kty="RSA", size=2048), "X25519": make(kty="OKP", crv="X25519")}
        self.keys |= {curve: make(kty="EC", crv=curve) for curve in CURVES[:3]}
        self.keys |= {count: make(kty="oct", size=count * 8) for count in (16, 24, 32, 48, 64)}
        self.keys = {name: {k: v for k, v in key.export(as_dict=True).items() if k != "kid"}
                     for name, key in self.keys.items()}
        for name, key in self.keys.items():
            (folder / f"{name}.jwk").write_text(json.dumps(key))
        run("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out",
            folder / "idp.key")
        run("openssl", "pkey", "-in", folder / "idp.key", "-pubout", "-out", folder / "idp.pub")
        self.signed = self.mint()

    def mint(self, *options):
        return run(
            self.claims, "mint", "jwt", "--issuer", ISSUER, "--audience", AUDIENCE, "--subject", "ada", "--at",
            AT, "--id", "j1", "--signing-key", self.folder / "idp.key", *options).strip()

    def verdict(self, token, key):
        return json.loads(run(
            self.claims, "verify", "--key", self.folder / "idp.pub", "--issuer", ISSUER, "--audience", AUDIENCE,
            "--at", AT, "--decrypt-key", f"jwk:{self.folder / f'{key}.jwk'}", data=token, fails=True))


def cases():
    for algorithm in ("RSA-OAEP", "RSA-OAEP-256"):
        yield algorithm, algorithm, lambda _: "RSA"
    for curve in CURVES:
        for algorithm in AGREEMENTS:
            yield f"{algorithm}, {curve}", algorithm, lambda _, curve=curve: curve
    for algorithm, count in SECRETS.items():
        yield algorithm, algorithm, lambda _, count=count: count
    yield "dir", "dir", CONTENTS.get


def changed(token):
    head, _, tag = token.rpartition(".")
    return f"{head}.{'B' if tag[0] == 'A' else 'A'}{tag[1:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--claims", default=str(ROOT / ".build/release/claims"))
    claims = parser.parse_args().claims
    failed, total, table = [], 0, []
    with tempfile.TemporaryDirectory() as name:
        world = World(claims, pathlib.Path(name))
        others = programs()
        for title, algorithm, key_of in cases():
            row = [title]
            for program in others:
                counts = {"i": 0, "o": 0}
                for encryption in CONTENTS:
                    key, header = key_of(encryption), {"alg": algorithm, "enc": encryption}
                    jwk = world.keys[key]
                    try:
                        theirs = program.encrypt(header, world.signed, jwk)
                    except (NotImplementedError, RuntimeError):
                        continue
                    record = world.verdict(theirs.encode(), key)
                    twin = world.verdict(changed(theirs).encode(), key)
                    is_right = (record["valid"] and record["subject"] == "ada" and record["encryptedWith"] == {
                        "algorithm": algorithm, "encryption": encryption}
                        and twin.get("error", {}).get("code") == "encryption.failed")
                    counts["i"] += is_right
                    total += 1
                    if not is_right:
                        failed.append(f"{program.name} {title} {encryption}: {record} {twin}")
                    ours = world.mint(
                        "--encrypt-to", f"jwk:{world.folder / f'{key}.jwk'}", "--encryption", encryption,
                        "--key-management", algorithm).decode()
                    total += 1
                    try:
                        is_right = program.decrypt(ours, header, jwk) == world.signed
                    except Exception as error:  # each program has errors of its own
                        is_right = False
                        failed.append(f"{program.name} reading ours {title} {encryption}: {error!r}")
                    counts["o"] += is_right
                row.append(f"i {counts['i']}, o {counts['o']}" if any(counts.values()) else "none")
            table.append(row)
    print("| alg | " + " | ".join(each.name for each in others) + " |")
    print("| --- |" + " --- |" * len(others))
    for row in table:
        print("| " + " | ".join(row) + " |")
    for what in failed:
        print(f"wrong: {what}")
    print(f"{total - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
