"""Checks the vectors against programs that did not make them: xmlsec, and the xmlsec1 command."""

from lxml import etree

from . import keys
from .signing import DS, verify, verify_by_command

CERTIFICATES = (
    "idp-rsa", "other-rsa", "evil-rsa", "expired", "weak-rsa1024", "idp-ec256", "idp-ec384",
    "idp-ec521")
NOT_IN_COMMAND = ("-MGF1",)  # xmlsec1 1.2 knows no RSA-PSS


def run(suite):
    """Every accepted XML vector verifies; so does every reject that says `signed`."""
    problems, checked = [], 0
    for vector in suite.vectors:
        document = suite.files.get(vector.get("file", ""), b"")
        if not document.lstrip(b"\xef\xbb\xbf \n").startswith(b"<"):
            continue
        if not (vector.get("verdict") == "accept" or vector.get("signed")):
            continue
        if b"BinarySecurityToken" in document or b"EncryptedData" in document:
            continue
        if vector["format"] == "metadata" and not vector["keys"]:
            continue
        if b"xmldsig-more#eddsa-" in document:  # xmlsec 1.2 knows none
            continue
        if "ecdsa-asn1" in vector["allow"]:  # neither of the two takes it
            continue
        checked += 1
        names = CERTIFICATES if vector.get("signed") else trusted(vector)
        problems += problems_of(vector["id"], document, names)
    if problems:
        raise SystemExit("\n".join(problems))
    print(f"{checked} documents verified by xmlsec and xmlsec1")


def trusted(vector):
    """The names of the vector's public keys; an HMAC key as its bytes."""
    names = []
    for each in vector["keys"]:
        if each.startswith("hmac-file:"):
            names.append(keys.secret(each.split("/")[-1].removesuffix(".key")))
        else:
            names.append(each.split("/")[-1].rsplit(".", 1)[0])
    return names


def problems_of(name, document, candidates):
    signatures = list(etree.fromstring(document).iter(f"{{{DS}}}Signature"))
    if not signatures:
        return [f"{name}: no signature"]
    # Each signature by any of the candidates: one key usually made all.
    held = [key for key in candidates if holds(document, key)]
    if not held:
        return [f"{name}: xmlsec does not verify it"]
    if isinstance(held[0], bytes) or any(
            mark in etree.tostring(each).decode() for mark in NOT_IN_COMMAND
            for each in signatures):
        return []
    return [
        f"{name}: xmlsec1 does not verify signature {index}"
        for index in range(1, len(signatures) + 1)
        if not verify_by_command(document, held[0], index)]


def holds(document, key):
    try:
        return verify(document, key) > 0
    except Exception:  # xmlsec has no common base class
        return False
