"""XML signatures: templates as text, values computed and spliced into that text.

A document under construction is text all the way. A signature template holds the marks @D@
(digest value) and @S@ (signature value); signing parses a copy, computes the two values and
replaces the marks, so that every other byte of the text stays as it was written.

`sign` lets xmlsec compute them. `sign_by_hand` is for what xmlsec does not make or not make
twice alike: ECDSA and RSA-PSS (both deterministic here), and signatures that are wrong on purpose.
"""

import base64
import hashlib
import hmac
import subprocess
import tempfile

import xmlsec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from lxml import etree

from . import keys
from .world import ROOT

DS = "http://www.w3.org/2000/09/xmldsig#"
MORE = "http://www.w3.org/2001/04/xmldsig-more#"
MORE21 = "http://www.w3.org/2021/04/xmldsig-more#"
ENC = "http://www.w3.org/2001/04/xmlenc#"
ENVELOPED = DS + "enveloped-signature"
EXC = "http://www.w3.org/2001/10/xml-exc-c14n#"
INC = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
INC11 = "http://www.w3.org/2006/12/xml-c14n11"
XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116"
XSLT = "http://www.w3.org/TR/1999/REC-xslt-19991116"

DIGESTS = {
    "sha1": DS + "sha1", "sha256": ENC + "sha256", "sha384": MORE + "sha384",
    "sha512": ENC + "sha512",
}
METHODS = {
    "rsa-sha1": DS + "rsa-sha1", "rsa-sha256": MORE + "rsa-sha256",
    "rsa-sha384": MORE + "rsa-sha384", "rsa-sha512": MORE + "rsa-sha512",
    "rsa-pss-sha256": "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
    "ecdsa-sha256": MORE + "ecdsa-sha256", "ecdsa-sha384": MORE + "ecdsa-sha384",
    "ecdsa-sha512": MORE + "ecdsa-sha512",
    "ed25519": MORE21 + "eddsa-ed25519", "ed448": MORE21 + "eddsa-ed448",
    "hmac-sha256": MORE + "hmac-sha256",
}
ID_NAMES = ("ID", "Id", "AssertionID", "ResponseID", "ref")


def transform(algorithm, prefixes=None):
    """One Transform; with a prefix list for exclusive canonicalization where one is given."""
    if prefixes is None:
        return f'<ds:Transform Algorithm="{algorithm}"/>'
    return (
        f'<ds:Transform Algorithm="{algorithm}"><ec:InclusiveNamespaces xmlns:ec="{EXC}" '
        f'PrefixList="{prefixes}"/></ds:Transform>')


def reference(uri, *, c14n=EXC, digest="sha256", prefixes=None, transforms=None, type=None):
    """One Reference. `transforms` replaces enveloped + canonicalization by any text."""
    if transforms is None:
        transforms = transform(ENVELOPED) + transform(c14n, prefixes)
    if transforms:
        transforms = f"<ds:Transforms>{transforms}</ds:Transforms>"
    attributes = ("" if uri is None else f' URI="{uri}"') + (f' Type="{type}"' if type else "")
    return (
        f"<ds:Reference{attributes}>{transforms}"
        f'<ds:DigestMethod Algorithm="{DIGESTS.get(digest, digest)}"/>'
        "<ds:DigestValue>@D@</ds:DigestValue></ds:Reference>")


def template(*references, c14n=EXC, method="rsa-sha256", prefixes=None, certificate=None,
             key_info="", parameters="", after=""):
    """A Signature with marks. `certificate` names the key whose certificate KeyInfo shows."""
    if certificate:
        key_info = (
            "<ds:KeyInfo><ds:X509Data><ds:X509Certificate>"
            f"{keys.certificate_text(certificate)}"
            "</ds:X509Certificate></ds:X509Data></ds:KeyInfo>")
    inner = "" if prefixes is None else (
        f'<ec:InclusiveNamespaces xmlns:ec="{EXC}" PrefixList="{prefixes}"/>')
    return (
        f'<ds:Signature xmlns:ds="{DS}"><ds:SignedInfo>'
        f'<ds:CanonicalizationMethod Algorithm="{c14n}">{inner}</ds:CanonicalizationMethod>'
        f'<ds:SignatureMethod Algorithm="{METHODS.get(method, method)}">{parameters}'
        f'</ds:SignatureMethod>{"".join(references)}</ds:SignedInfo>'
        f"<ds:SignatureValue>@S@</ds:SignatureValue>{key_info}{after}</ds:Signature>")


# Signing


def sign(text, key="idp-rsa"):
    """Fills the marks in with what xmlsec computes. `key` is a name, or bytes for HMAC."""
    tree, node = pending(text)
    context = xmlsec.SignatureContext()
    context.key = xmlsec_key(key, private=True)
    register_ids(context, tree)
    context.sign(node)
    return fill(text, [each.text for each in node.iter(f"{{{DS}}}DigestValue")],
                "".join(node.find(f"{{{DS}}}SignatureValue").text.split()))


def sign_by_hand(text, key="idp-rsa", algorithm="rsa-sha256", digests=None):
    """Fills the marks in without xmlsec: exclusive canonicalization by lxml only.

    `digests` gives digest values as text instead of computing them.
    """
    tree, node = pending(text)
    if digests is None:
        digests = [digest_of(tree, node, each) for each in node.iter(f"{{{DS}}}Reference")]
    filled = fill(text, digests, "@S@")
    _, node = pending(filled)
    info = node.find(f"{{{DS}}}SignedInfo")
    octets = canonical(info, prefix_list(info.find(f"{{{DS}}}CanonicalizationMethod")))
    value = base64.b64encode(raw_signature(octets, key, algorithm)).decode()
    return filled.replace("@S@", value)


def pending(text):
    """The tree without marks, and the one Signature that is still to be computed."""
    values = etree.fromstring(text.encode("utf-8")).iter(f"{{{DS}}}SignatureValue")
    numbers = [number for number, each in enumerate(values) if each.text == "@S@"]
    if len(numbers) != 1:
        raise ValueError(f"{len(numbers)} signatures are pending")
    tree = etree.fromstring(text.replace("@D@", "").replace("@S@", "").encode("utf-8"))
    return tree, list(tree.iter(f"{{{DS}}}SignatureValue"))[numbers[0]].getparent()


def fill(text, digests, value):
    for digest in digests:
        text = text.replace("@D@", digest, 1)
    if "@D@" in text:
        raise ValueError("a digest is missing")
    return text.replace("@S@", value)


def register_ids(context, tree):
    for element in tree.iter(etree.Element):
        for name in ID_NAMES:
            if element.get(name):
                context.register_id(element, name)


def xmlsec_key(key, private=False):
    if isinstance(key, bytes):
        return xmlsec.Key.from_binary_data(xmlsec.KeyData.HMAC, key)
    if private:
        return xmlsec.Key.from_file(str(keys.FOLDER / (key + ".key")), xmlsec.KeyFormat.PEM)
    public = keys.certificate(key).public_key().public_bytes(
        Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return xmlsec.Key.from_memory(public, xmlsec.KeyFormat.PEM)


def digest_of(tree, signature, ref):
    """The digest of the element that the reference names, without the signature itself."""
    name = ref.get("URI", "")[1:]
    found = [
        each for each in tree.iter(etree.Element)
        if name and any(each.get(attribute) == name for attribute in ID_NAMES)]
    algorithm = ref.find(f"{{{DS}}}DigestMethod").get("Algorithm").rsplit("#")[-1]
    octets = b""
    if found:
        every = list(tree.iter())
        signature, target = every.index(signature), every.index(found[0])
        copy = list(etree.fromstring(etree.tostring(tree)).iter())
        without(copy[signature])
        prefixes = None
        for each in ref.iter(f"{{{DS}}}Transform"):
            prefixes = prefix_list(each) or prefixes
        octets = canonical(copy[target], prefixes)
    if algorithm not in hashlib.algorithms_available:
        algorithm = "sha256"
    return base64.b64encode(hashlib.new(algorithm, octets).digest()).decode()


def without(element):
    """Takes an element out and leaves the text behind it where it is."""
    parent, before, tail = element.getparent(), element.getprevious(), element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def prefix_list(element):
    inner = element.find(f"{{{EXC}}}InclusiveNamespaces")
    return None if inner is None else inner.get("PrefixList").split()


def canonical(element, prefixes=None):
    return etree.tostring(
        element, method="c14n", exclusive=True, with_comments=False,
        inclusive_ns_prefixes=prefixes or None, with_tail=False)


def raw_signature(octets, key, algorithm):
    if isinstance(key, bytes):
        return hmac.new(key, octets, "sha256").digest()
    loaded = keys.private(key)
    if algorithm in ("ed25519", "ed448"):
        return loaded.sign(octets)
    hash_ = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}[
        algorithm[-3:]]
    if algorithm.startswith("ecdsa"):
        der = loaded.sign(octets, ec.ECDSA(hash_, deterministic_signing=True))
        width = (loaded.key_size + 7) // 8
        return b"".join(each.to_bytes(width, "big") for each in decode_dss_signature(der))
    if algorithm.startswith("rsa-pss"):
        return pss(octets, loaded)
    return loaded.sign(octets, padding.PKCS1v15(), hash_)


def pss(message, key):
    """RSASSA-PSS with SHA-256, MGF1 and a fixed salt (RFC 8017, 8.1.1 and 9.1.1).

    Not for real use: no blinding, and the salt is the same each time.
    """
    numbers = key.private_numbers()
    modulus = numbers.public_numbers.n
    bits = modulus.bit_length() - 1
    length = (bits + 7) // 8
    salt = bytes(range(32))
    digest = hashlib.sha256(bytes(8) + hashlib.sha256(message).digest() + salt).digest()
    block = bytes(length - 32 - len(salt) - 2) + b"\x01" + salt
    mask = b"".join(
        hashlib.sha256(digest + counter.to_bytes(4, "big")).digest()
        for counter in range(length // 32 + 1))
    masked = bytearray(a ^ b for a, b in zip(block, mask))
    masked[0] &= 0xFF >> (8 * length - bits)
    encoded = bytes(masked) + digest + b"\xbc"
    value = pow(int.from_bytes(encoded, "big"), numbers.d, modulus)
    return value.to_bytes(key.key_size // 8, "big")


# Checking


def verify(data, key):
    """The number of signatures, each of which holds. Raises when one does not."""
    tree = etree.fromstring(data)
    nodes = list(tree.iter(f"{{{DS}}}Signature"))
    for node in nodes:
        context = xmlsec.SignatureContext()
        context.key = xmlsec_key(key)
        register_ids(context, tree)
        context.verify(node)
    return len(nodes)


def known_ids():
    """The options that tell xmlsec1 which attributes are IDs."""
    options = []
    for name, elements in {
        "ID": ("urn:oasis:names:tc:SAML:2.0:assertion:Assertion",
               "urn:oasis:names:tc:SAML:2.0:protocol:Response",
               "urn:oasis:names:tc:SAML:2.0:metadata:EntityDescriptor",
               "urn:oasis:names:tc:SAML:2.0:metadata:EntitiesDescriptor"),
        "AssertionID": ("urn:oasis:names:tc:SAML:1.0:assertion:Assertion",),
        "ResponseID": ("urn:oasis:names:tc:SAML:1.0:protocol:Response",),
        "Id": ("Part", DS + ":Object"), "ref": ("Part",),
    }.items():
        for element in elements:
            options += [f"--id-attr:{name}", element]
    return options


def verify_by_command(data, key, index=1):
    """Whether the xmlsec1 command finds that the signature with this number holds."""
    done = command(
        data, "--verify", "--enabled-key-data", "rsa,ecdsa",
        "--pubkey-cert-pem", str(keys.FOLDER / (key + ".crt")),
        "--node-xpath", f"(//*[local-name()='Signature'])[{index}]")
    return done.returncode == 0


def sign_by_command(text, key="idp-rsa"):
    """The document as the xmlsec1 command signs and writes it."""
    done = command(
        text.replace("@D@", "").replace("@S@", "").encode(), "--sign", "--privkey-pem",
        str(keys.FOLDER / (key + ".key")),
        "--node-xpath", "//*[local-name()='SignatureValue' and not(text())]/..")
    if done.returncode:
        raise ValueError(done.stderr.decode())
    return done.stdout.decode()


def canonical_by_command(text, id, algorithm):
    """The canonical form of the element with this Id, as the xmlsec1 command digests it."""
    root_end = text.rindex("</")
    ref = reference(f"#{id}", transforms=transform(*algorithm))
    document = text[:root_end] + template(ref) + text[root_end:]
    done = command(
        sign_by_command(document).encode(), "--verify", "--store-references", "--print-debug",
        "--pubkey-cert-pem", str(keys.FOLDER / "idp-rsa.crt"))
    start = b"== PreDigest data - start buffer:\n"
    end = b"\n== PreDigest data - end buffer"
    output = done.stdout
    return output[output.index(start) + len(start):output.index(end)]


def command(data, verb, *options):
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        file.write(data)
        file.flush()
        return subprocess.run(
            ["xmlsec1", verb, *options, *known_ids(), file.name], capture_output=True, cwd=ROOT)
