"""Damages a token in every byte and requires that each damage is refused.

Damage that canonicalization or base64 removes leaves the token unchanged; then the verdict must be
exactly the same. Another XML parser and Python's base64 decide which those are, not the command.
"""

import base64
import collections
import concurrent.futures
import json
import random
import urllib.parse
import xml.etree.ElementTree as ElementTree

import messages

ONE_ATTRIBUTE = [(messages.IDENTITY + "emailaddress", [("ada@example.test",) * 2])]
SIGNATURE_VALUE = f"{{{messages.DS}}}SignatureValue"


def run(verifier, signer, seed):
    """Flips every kind; returns the number of wrong verdicts, and of all."""
    chance = random.Random(seed)
    wrong = total = 0
    for name, maker in KINDS.items():
        made = maker(verifier, signer)
        if made is None:
            print(f"skipped: {name} (nothing here signs it)")
            continue
        token, region, judge, same = made
        mutants = list(damaged(token, region, chance))
        base, *answers = judge([token] + [mutant for _, mutant in mutants])
        if not base.get("valid"):
            print(f"WRONG {name}: the undamaged token is refused: {base}")
            wrong, total = wrong + 1, total + 1
            continue
        counts = collections.Counter()
        for (position, mutant), answer in zip(mutants, answers, strict=True):
            verdict = "refused"
            if answer.get("valid") is not False:
                harmless = answer == base and same(token, mutant)
                verdict = "unchanged, accepted" if harmless else "WRONG"
            counts[verdict] += 1
            if verdict == "WRONG":
                print(f"WRONG {name}: byte {position}, {token[position:position + 1]!r} became "
                      f"{mutant[position:position + 1]!r}: {str(answer)[:300]}")
        print(f"{name}: {len(region)} positions, {len(mutants)} flips, "
              f"{counts['refused']} refused, {counts['unchanged, accepted']} unchanged and "
              f"accepted, {counts['WRONG']} WRONG")
        wrong += counts["WRONG"]
        total += len(mutants)
    return wrong, total


def damaged(token, region, chance):
    """Each byte of the region with its lowest bit turned, and as some other byte."""
    for position in region:
        byte = token[position]
        others = [other for other in range(256) if other not in (byte, byte ^ 1, 0x0A)]
        for other in (byte ^ 1, chance.choice(others)):
            if other != 0x0A or b"<" in token:
                yield position, token[:position] + bytes([other]) + token[position + 1:]


# Verifiers


def lines(verifier, words, encode):
    """Many tokens in one run of the command."""
    def judge(tokens):
        text = b"\n".join(encode(token) for token in tokens) + b"\n"
        process = verifier.run("verify", "--lines", *words, text=text)
        records = [json.loads(line) for line in process.stdout.splitlines()]
        if process.returncode not in (0, 1) or process.stderr or len(records) != len(tokens):
            raise SystemExit(f"the command ended with {process.returncode}, "
                             f"{len(records)} answers to {len(tokens)} lines: "
                             f"{process.stderr.decode()[:500]}")
        return records
    return judge


def one_by_one(verifier, words):
    """`xml verify` takes one document a run."""
    def judge_one(token):
        process = verifier.run("xml", "verify", "--allow-partial", *words, "-", text=token)
        if process.returncode not in (0, 1) or process.stderr:
            raise SystemExit(f"the command ended with {process.returncode}: "
                             f"{process.stderr.decode()[:500]}")
        record = json.loads(process.stdout)
        if record["valid"] != (process.returncode == 0):
            raise SystemExit(f"exit status {process.returncode} with {record}")
        return record

    def judge(tokens):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return list(pool.map(judge_one, tokens))
    return judge


# Checks that damage changed nothing


def same_document(token, mutant):
    """Whether two documents have the same canonical form and the same signature bytes."""
    try:
        return seen(token) == seen(mutant)
    except (ElementTree.ParseError, ValueError):
        return False


def seen(token):
    root = ElementTree.fromstring(token)
    values = []
    for element in root.iter(SIGNATURE_VALUE):
        values.append(strict_base64("".join((element.text or "").split())))
        element.text = ""
    text = ElementTree.tostring(root, encoding="unicode")
    return ElementTree.canonicalize(text), values


def strict_base64(text):
    value = base64.b64decode(text, validate=True)
    if base64.b64encode(value).decode() != text:
        raise ValueError("not canonical base64")
    return value


def same_pairs(token, mutant):
    """Whether two Simple Web Tokens have the same signed bytes and the same MAC."""
    mark = b"&HMACSHA256="
    (text, _, mac), (other_text, _, other_mac) = token.rpartition(mark), mutant.rpartition(mark)
    try:
        return text == other_text and strict_base64(urllib.parse.unquote(mac.decode())) == (
            strict_base64(urllib.parse.unquote(other_mac.decode())))
    except ValueError:
        return False


# Kinds


def saml2(key, algorithm):
    def make(verifier, signer):
        if signer is None:
            return None
        text = messages.response(messages.assertion(
            messages.template("#_a1", algorithm), attributes=ONE_ATTRIBUTE))
        path = "//*[local-name()='Assertion']/*[local-name()='Signature']"
        token = signer.fill(text, verifier.keys, key, [path]).encode()
        return (token, between(token, b"<saml:Assertion", b"</saml:Assertion>"),
                lines(verifier, verifier.words(key) + verifier.context(2), base64.b64encode),
                same_document)
    return make


def saml1(verifier, signer):
    if signer is None:
        return None
    text = messages.assertion1(
        messages.template("#_a1", "rsa-sha256"), attributes=ONE_ATTRIBUTE)
    path = "/*[local-name()='Assertion']/*[local-name()='Signature']"
    token = signer.fill(text, verifier.keys, "rsa", [path]).encode()
    return (token, between(token, b"<saml:Assertion", b"</saml:Assertion>"),
            lines(verifier, verifier.words("rsa") + verifier.context(1), base64.b64encode),
            same_document)


def simple(verifier, _):
    token = messages.swt(verifier.keys.secret)
    return (token, range(len(token)),
            lines(verifier, verifier.words("secret") + verifier.context(1), bytes), same_pairs)


def keyed(verifier, signer):
    if signer is None:
        return None
    text = f'<note>pay <b>5</b>{messages.template("", "hmac-sha256")}</note>'
    path = "//*[local-name()='Signature']"
    token = signer.fill(text, verifier.keys, "secret", [path]).encode()
    return (token, between(token, b"<note", b"</note>"),
            one_by_one(verifier, verifier.words("secret")), same_document)


def between(token, start, end):
    return range(token.index(start), token.index(end) + len(end))


KINDS = {
    "SAML 2.0 response, RSA": saml2("rsa", "rsa-sha256"),
    "SAML 2.0 response, EC P-256": saml2("ec256", "ecdsa-sha256"),
    "SAML 1.1 assertion, RSA": saml1,
    "SWT": simple,
    "XML signature, HMAC": keyed,
}
