#!/usr/bin/env python3
"""Bad variants of encrypted tokens, ML-DSA tokens and SD-JWTs, judged by `claims` and by programs of others.

    Tests/Interop/json_mutants.py --claims .build/release/claims [--variants 20000]

Many tokens of each kind are made (encrypted and ML-DSA tokens by `claims mint` and by jwcrypto in turns, SD-JWTs by sd-jwt-python)
and each is varied by `claims mutate`, until there are so many variants of the kind; key bindings, which that takes away, are varied
here. `claims verify` must refuse each with the predicted code. joserfc, jwcrypto and sd-jwt-python get the same bytes; what they
let through is explained in EXPLAINED. Keys are made for the run and deleted. Needs PyPI's joserfc, jwcrypto and sd-jwt, and a build
with trait PostQuantum.

Prints a table in Markdown. Exit codes: 0 each verdict as predicted or explained, 1 not.
"""

import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile
import time

import sd_jwt.holder
from jwcrypto import jwe, jwk, jws, jwt
from jwcrypto.common import base64url_decode, base64url_encode
from sd_jwt.common import SDObj
from sd_jwt.holder import SDJWTHolder
from sd_jwt.issuer import SDJWTIssuer
from sd_jwt.verifier import SDJWTVerifier

from mutants import AT, AUDIENCE, FORGED, ISSUER, NOON, ROOT, asked, mutants, ours, run, token

NONCE = "n-1"
PAIRS = [("RSA-OAEP-256", "A256GCM", "RS256"), ("RSA-OAEP", "A128CBC-HS256", "ES256"), ("ECDH-ES", "A128GCM", "ES256"),
         ("ECDH-ES+A256KW", "A256CBC-HS512", "RS256"), ("ECDH-ES+A128KW", "A192GCM", "EdDSA"), ("A256KW", "A256GCM", "ES256"),
         ("A128GCMKW", "A192CBC-HS384", "RS256"), ("dir", "A256GCM", "ES256")]
SIGNERS = {"RS256": {"kty": "RSA", "size": 2048}, "ES256": {"kty": "EC", "crv": "P-256"}, "EdDSA": {"kty": "OKP", "crv": "Ed25519"},
           "ML-DSA-65": {"kty": "AKP", "alg": "ML-DSA-65"}, "ML-DSA-87": {"kty": "AKP", "alg": "ML-DSA-87"}}
# What another program lets through, by its name and the identifier of the variant, and why.
EXPLAINED = {
    ("jwcrypto", r"encoding/(payload|signature)-padding(-four)?(-inside)?"):
        "it takes = behind base64url away, also before it verifies, so the octets that it verifies are the signed ones",
    ("jwcrypto", "time/expired-now(-inside)?"): "it refuses after exp and the skew, where RFC 7519, 4.1.4 has on or after",
    ("jwcrypto", "time/issued-in-future(-inside)?"): "it does not judge iat, which RFC 7519, 4.1.6 leaves open",
    ("jwcrypto", "time/empty-window(-inside)?"): "it does not compare nbf with exp, each of which is within the skew",
    ("joserfc", "time/empty-window-inside"): "it does not compare nbf with exp, each of which is within the skew",
    ("sd-jwt", r"encoding/(payload|signature)-padding(-four)?"): "it is jwcrypto that verifies there",
    ("sd-jwt", r"disclosure/(foreign|foreign-alone|reserved-\w+|malformed-\w+|salt-\d|padding-\d)"):
        "it ignores a disclosure to which no digest refers, where RFC 9901, 7.1 rejects the token; no claim comes of it",
    ("sd-jwt", r"binding/(no-iat|iat-\w+|exp-over)"): "it judges no times: its verifier.py leaves them to do",
}

# Each of them takes times from here, as `claims` does.
time.time = sd_jwt.holder.time = lambda: NOON


class Key:
    """A key of the issuer or the recipient, in memory and in files."""

    def __init__(self, folder, name, **kind):
        self.own = jwk.JWK.generate(**kind)
        self.public = self.own if kind["kty"] == "oct" else jwk.JWK(**self.own.export_public(as_dict=True))
        self.file, self.trusted = folder / f"{name}.key", folder / f"{name}.jwks"
        if kind["kty"] in ("AKP", "oct"):
            self.file.write_text(self.own.export())
            self.word = f"jwk:{self.file}"
        else:
            self.file.write_bytes(self.own.export_to_pem(private_key=True, password=None))
            self.word = str(self.file)
        self.trusted.write_text(json.dumps({"keys": [self.public.export(as_dict=True)]}))
        self.recipient = folder / f"{name}.jwk"
        self.recipient.write_text(self.public.export())


def payload(number):
    return {"iss": ISSUER, "aud": AUDIENCE, "sub": "alice", "exp": NOON + 600, "nbf": NOON - 60, "iat": NOON - 60,
            "jti": f"j{number}", "role": "user"}


def signed(key, algorithm, number, typ="JWT"):
    made = jws.JWS(json.dumps(payload(number)))
    made.allowed_algs = [algorithm]
    made.add_signature(key.own, alg=algorithm, protected=json.dumps({"alg": algorithm, "typ": typ}))
    return made.serialize(compact=True)


# The programs of others: each returns None for a refusal, else the text that it would read claims from.


def by_jwcrypto(key, algorithm):
    def verify(text):
        read = jwt.JWT(jwt=text, key=key.public, algs=[algorithm], expected_type="JWS",
                       check_claims={"iss": ISSUER, "aud": AUDIENCE, "exp": None, "nbf": None})
        return read.claims
    return verify


def by_joserfc(key, algorithm):
    from joserfc import jwt as other
    from joserfc.jwk import import_key

    known = import_key(key.public.export(as_dict=True))
    rules = other.JWTClaimsRegistry(
        now=NOON, leeway=60, iss={"essential": True, "value": ISSUER}, aud={"essential": True, "value": AUDIENCE},
        exp={"essential": True})

    def verify(text):
        read = other.decode(text, known, algorithms=[algorithm])
        rules.validate(read.claims)
        return json.dumps(read.claims)
    return verify


def opened_by_jwcrypto(recipient, pair, inner):
    def verify(text):
        read = jwe.JWE(algs=list(pair))
        read.deserialize(text, recipient.own)
        return inner(read.payload.decode())
    return verify


def opened_by_joserfc(recipient, pair, inner):
    from joserfc import jwe as other
    from joserfc.jwk import import_key

    own = import_key(recipient.own.export(as_dict=True))

    def verify(text):
        return inner(other.decrypt_compact(text, own, algorithms=list(pair)).plaintext.decode())
    return verify


def by_sd_jwt(key, is_bound):
    def verify(text):
        read = SDJWTVerifier(text, lambda issuer, header: key.public, *((AUDIENCE, NONCE) if is_bound else ()))
        return json.dumps(read.get_verified_payload())
    return verify


# The kinds: each yields the parts of a kind, which differ in algorithms: the trusted key, how the n-th token is made, the words for
# `claims mutate` or what varies in its place, the words for `claims verify`, and the programs of others.


def encrypted(folder, claims):
    issuers = {name: Key(folder, name, **SIGNERS[name]) for name in ("RS256", "ES256", "EdDSA")}
    for number, (algorithm, encryption, signature) in enumerate(PAIRS):
        kind = ({"kty": "RSA", "size": 2048} if algorithm.startswith("RSA") else
                {"kty": "oct", "size": 128 if algorithm == "A128GCMKW" else 256} if not algorithm.startswith("ECDH") else
                {"kty": "OKP", "crv": "X25519"} if number % 2 else {"kty": "EC", "crv": "P-256"})
        issuer, recipient = issuers[signature], Key(folder, f"recipient{number}", **kind)
        header = {"alg": algorithm, "enc": encryption, "cty": "JWT"}

        def make(count, issuer=issuer, recipient=recipient, header=header, signature=signature):
            if count % 2:
                made = jwe.JWE(signed(issuer, signature, count), json.dumps(header), algs=[header["alg"], header["enc"]])
                made.add_recipient(recipient.public)
                return made.serialize(compact=True).encode()
            return token(claims, None, (
                "jwt", "--signing-key", issuer.word, "--encrypt-to", f"jwk:{recipient.recipient}", "--encryption", header["enc"],
                "--key-management", header["alg"]))

        pair = (algorithm, encryption)
        extra = ("--decrypt-key", recipient.word)
        yield issuer, make, extra, extra, {
            "jwcrypto": opened_by_jwcrypto(recipient, pair, by_jwcrypto(issuer, signature)),
            "joserfc": opened_by_joserfc(recipient, pair, by_joserfc(issuer, signature))}


def post_quantum(folder, claims):
    for algorithm in ("ML-DSA-65", "ML-DSA-87"):
        issuer = Key(folder, algorithm, **SIGNERS[algorithm])

        def make(count, issuer=issuer, algorithm=algorithm):
            if count % 2:
                return signed(issuer, algorithm, count).encode()
            return token(claims, None, ("jwt", "--signing-key", issuer.word))

        yield issuer, make, (), (), {"jwcrypto": by_jwcrypto(issuer, algorithm)}


def presented(issuer, algorithm, holder, is_bound, count):
    facts = payload(count) | {"groups": [SDObj("staff"), "all"], "address": {SDObj("city"): "Bonn", "country": "DE"}}
    facts[SDObj("role")] = facts.pop("role")
    issued = SDJWTIssuer(
        facts, issuer.own, holder.public if is_bound else None, sign_alg=algorithm, add_decoy_claims=count % 2 == 1,
        extra_header_parameters={"typ": "dc+sd-jwt"})
    held = SDJWTHolder(issued.sd_jwt_issuance)
    held.create_presentation({"role": True, "groups": [True], "address": {"city": True}}, *((NONCE, AUDIENCE, holder.own) if is_bound else ()))
    return held.sd_jwt_presentation.encode()


def disclosing(folder, claims):
    holder = Key(folder, "holder", **SIGNERS["ES256"])
    for algorithm in ("ES256", "RS256"):
        issuer = Key(folder, f"sd-{algorithm}", **SIGNERS[algorithm])
        for is_bound in (False, True):
            # A binding that is not demanded is not read.
            def make(count, issuer=issuer, algorithm=algorithm, is_bound=is_bound):
                return presented(issuer, algorithm, holder, is_bound, count)

            yield issuer, make, ("--format", "sdjwt"), ("--format", "sdjwt"), {"sd-jwt": by_sd_jwt(issuer, False)}


def bound(folder, claims):
    holder, other = Key(folder, "holder", **SIGNERS["ES256"]), Key(folder, "other", **SIGNERS["ES256"])
    for algorithm in ("ES256", "RS256"):
        issuer = Key(folder, f"sd-{algorithm}", **SIGNERS[algorithm])

        def make(count, issuer=issuer, algorithm=algorithm):
            return presented(issuer, algorithm, holder, True, count)

        yield issuer, make, lambda good: unbound(good, holder, other), (
            "--format", "sdjwt", "--key-binding", AUDIENCE, "--nonce", NONCE), {"sd-jwt": by_sd_jwt(issuer, True)}


def unbound(good, holder, other):
    """Variants of the key binding of a presentation, as `claims mutate` writes them."""
    before, _, binding = good.decode().rpartition("~")
    before += "~"
    facts = json.loads(base64url_decode(binding.split(".")[1]))

    def made(key=holder, alg="ES256", typ="kb+jwt", without=(), **changes):
        text = json.dumps({name: value for name, value in (facts | changes).items() if name not in without})
        made = jws.JWS(text)
        made.allowed_algs = [alg]
        made.add_signature(key.own if isinstance(key, Key) else key, alg=alg, protected=json.dumps({"alg": alg, "typ": typ}))
        return before + made.serialize(compact=True)

    public = jwk.JWK(kty="oct", k=base64url_encode(holder.public.export_to_pem()))
    head, body, signature = binding.split(".")
    turned = base64url_decode(signature)
    flipped = [base64url_encode(turned[:place] + bytes([turned[place] ^ 1]) + turned[place + 1:]) for place in range(len(turned))]
    pieces = before.split("~")
    variants = [
        ("missing", "missing", before), ("of-another-key", "signature", made(other)), ("typ", "malformed", made(typ="JWT")),
        ("mac-of-the-public-key", "signature", made(public, "HS256")),
        ("none", "signature", before + f'{base64url_encode(json.dumps({"alg": "none", "typ": "kb+jwt"}))}.{body}.{signature}'),
        ("none-unsigned", "malformed", before + f'{base64url_encode(json.dumps({"alg": "none", "typ": "kb+jwt"}))}.{body}.'),
        ("payload-changed", "signature", before + f"{head}.{base64url_encode(json.dumps(facts | {'nonce': NONCE, 'x': 1}))}.{signature}"),
        ("nonce", "nonce", made(nonce="n-2")), ("no-nonce", "nonce", made(without=["nonce"])), ("nonce-number", "nonce", made(nonce=1)),
        ("audience", "audience", made(aud=AUDIENCE + "/")), ("audiences", "audience", made(aud=[AUDIENCE])),
        ("no-audience", "audience", made(without=["aud"])),
        ("iat-old", "time", made(iat=NOON - 360)), ("iat-ahead", "time", made(iat=NOON + 61)), ("no-iat", "time", made(without=["iat"])),
        ("iat-text", "time", made(iat=str(NOON))), ("exp-over", "time", made(exp=NOON - 60)),
        ("no-hash", "hash", made(without=["sd_hash"])), ("hash", "hash", made(sd_hash=base64url_encode(bytes(32)))),
        ("one-disclosure-less", "hash", "~".join(pieces[:1] + pieces[2:]) + binding),
        ("no-disclosures", "hash", pieces[0] + "~" + binding),
        ("disclosures-in-another-order", "hash", "~".join(pieces[:1] + pieces[-2:0:-1] + [""]) + binding),
        *((f"flip-{place}", "signature", before + f"{head}.{body}.{text}") for place, text in enumerate(flipped))]
    return b"".join(json.dumps({"id": f"binding/{name}", "expected": f"binding.{code}", "issuerSigned": False, "token": text}).encode()
                    + b"\n" for name, code, text in variants)


KINDS = {"JWE": encrypted, "ML-DSA": post_quantum, "SD-JWT": disclosing, "SD-JWT, key binding": bound}


class Count:
    """What one kind came to."""

    def __init__(self, title):
        self.title, self.wrong, self.tokens = title, [], 0
        self.variants, self.accepted = {False: 0, True: 0}, collections.defaultdict(collections.Counter)
        self.forged, self.differences = collections.Counter(), collections.Counter()

    def judge(self, claims, part, tokens):
        issuer, make, varied, words, others = part
        variants, lines = [], b""
        for number in range(tokens):
            good = make(number)
            for name, verify in others.items():
                if asked(verify, good.decode().strip()) is None:
                    verify(good.decode().strip())
            # The verb reads no private key of ML-DSA.
            key = ("--key", issuer.word)
            text = varied(good) if callable(varied) else run(claims, "mutate", *key, "--at", AT, *varied, data=good)
            variants += [json.loads(line) for line in text.splitlines()]
            lines += text + json.dumps({"id": "good", "token": good.decode().strip()}).encode() + b"\n"
            variants.append(None)
        verdicts = ours(claims, lines, f"jwks:{issuer.trusted}", ("--issuer", ISSUER, *words))
        for variant, verdict in zip(variants, verdicts, strict=True):
            self.one(variant, verdict, others)
        self.tokens += tokens

    def one(self, variant, verdict, others):
        code = verdict.get("error", {}).get("code")
        if variant is None:
            if code or not verdict["valid"]:
                self.wrong.append(f"a good token: {code}")
            return
        self.variants[variant["issuerSigned"]] += 1
        if code != variant["expected"] or verdict["valid"]:
            self.wrong.append(f"{variant['id']}: {variant['expected']}, not {code}")
        for name, verify in others.items():
            read = asked(verify, variant["token"])
            if read is None:
                continue
            self.accepted[name][variant["issuerSigned"]] += 1
            self.forged[name] += not variant["issuerSigned"] and (FORGED in read or '"admin"' in read)
            self.differences[name, variant["id"]] += 1

    def rows(self, names):
        total = self.variants
        yield self.title, "claims", f"{len(self.wrong)} of {total[False]}", "0", f"0 of {total[True]}"
        for name in names:
            seen = self.accepted[name]
            yield self.title, name, f"{seen[False]} of {total[False]}", str(self.forged[name]), f"{seen[True]} of {total[True]}"


def reason(name, identifier):
    return next((why for (other, pattern), why in EXPLAINED.items() if other == name and re.fullmatch(pattern, identifier)), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--claims", default=ROOT / ".build/release/claims")
    parser.add_argument("--variants", type=int, default=20_000, help="of each kind, at least")
    options = parser.parse_args()
    rows, explained, wrong = [], [], 0
    for title, kind in KINDS.items():
        begun, count = time.monotonic(), Count(title)
        with tempfile.TemporaryDirectory() as name:
            parts = list(kind(pathlib.Path(name), options.claims))
            while sum(count.variants.values()) < options.variants:
                for part in parts:
                    count.judge(options.claims, part, 4)
        names = sorted({name for part in parts for name in part[4]})
        rows += count.rows(names)
        print(f"{title}: {sum(count.variants.values())} variants of {count.tokens} tokens, {time.monotonic() - begun:.0f} s",
              file=sys.stderr)
        for what, times in collections.Counter(count.wrong).items():
            print(f"wrong: {title}, {what} ({times} times)")
        explained += [(title, *key, times) for key, times in sorted(count.differences.items()) if reason(*key)]
        unexplained = {key: times for key, times in count.differences.items() if reason(*key) is None}
        for (name, identifier), times in sorted(unexplained.items()):
            print(f"unexplained: {title}, {name} lets {identifier} through ({times} times)")
        wrong += len(count.wrong) + len(unexplained)
    print("| token | verifier | variants without the key let through | with forged claims | variants with it let through |")
    print("| --- | --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print("\n| token | verifier | variant let through | times | why |\n| --- | --- | --- | --- | --- |")
    for title, name, identifier, times in explained:
        print(f"| {title} | {name} | {identifier} | {times} | {reason(name, identifier)} |")
    print(f"{wrong} verdicts neither predicted nor explained")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
