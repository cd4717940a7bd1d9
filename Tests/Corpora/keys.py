"""The keys that a case is verified with, and its properties."""

import base64
import pathlib
import re
import subprocess


class Keys:
    """Turns the keys of a case into `--key` arguments, with files in a folder of its own."""

    CERTIFICATES = ("x509-cert-pem", "x509-cert-der", "x509-cert-base64", "public-key-pem")

    def __init__(self, folder, scratch):
        self.folder = folder
        self.scratch = scratch
        self.count = 0
        self.stranger = str(scratch / "stranger.pem")
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048",
                "-out", scratch / "stranger.key")
        openssl("pkey", "-in", scratch / "stranger.key", "-pubout", "-out", self.stranger)

    def specifications(self, case):
        """The keys that a caller would pin for this case, and their origin."""
        usable = []
        for key in case.entry["keys"]:
            specifications = self.specification(key)
            if key.get("role") == "explicit verification key":
                return specifications, "manifest"
            usable.append(specifications)
        usable = [found for found in usable if found]
        if usable:
            # The SAML sources trust every signing key that they list, the others one at a time.
            chosen = usable[0] if case.kind == "xmldsig" else sum(usable, [])
            return chosen, "manifest"
        if case.expected == "valid":
            return self.from_document(case)
        # A certificate trusted in a case to be refused is an authority at most. Pinning the
        # certificate inside would trust what the case declares untrusted.
        for key in case.entry["keys"]:
            if key["type"] == "trusted-ca-der":
                return [str(self.folder / key["file"])], "the authority's own key"
        return [self.stranger], "a key that signed nothing"

    def decryption(self, case):
        """The private keys of the relying party."""
        return [str(self.folder / key["file"]) for key in case.entry["keys"]
                if key["type"] == "private-key-pem" and key.get("role") == "sp-decryption"]

    def specification(self, key):
        path = self.folder / key["file"]
        kind = key["type"].split(" ")[0]
        if key.get("role") in ("sp-decryption", "sp-encryption", "trusted-ca"):
            return []
        if kind == "x509-cert-base64":
            return [self.pem(path.read_bytes(), "CERTIFICATE")]
        if kind in self.CERTIFICATES:
            return [str(path)]
        if kind in ("hmac", "hmac-raw"):
            # A raw key is passed as its bytes, so that its form is never guessed.
            return ["hmac:" + base64.b64encode(path.read_bytes()).decode()]
        if kind == "hmac-base64":
            return ["hmac:" + path.read_text().strip()]
        if kind == "xmlsec-keys-xml":
            values = re.findall(r"<HMACKeyValue[^>]*>([^<]+)<", path.read_text())
            return ["hmac:" + "".join(value.split()) for value in values]
        if kind == "pkcs12":
            certificate = openssl("pkcs12", "-legacy", "-in", path, "-nokeys", "-clcerts",
                                  "-passin", "pass:" + key["password"])
            return [self.file(certificate)] if b"BEGIN CERTIFICATE" in certificate else []
        return []

    def from_document(self, case):
        """Valid under a trusted authority: the certificate in KeyInfo is pinned."""
        named = re.search(r"\(key file ([^)]+)\)", case.entry.get("explicit_key_check") or "")
        if named:
            return [str(self.folder / named[1])], "the key that the manifest's check used"
        for pattern, label in ((r"<(?:\w+:)?X509Certificate>([^<]+)<", "CERTIFICATE"),
                               (r"<(?:\w+:)?DEREncodedKeyValue[^>]*>([^<]+)<", "PUBLIC KEY")):
            found = re.findall(pattern, case.text)
            if found:
                return [self.pem(text.encode(), label) for text in found], "KeyInfo"
        for key in case.entry["keys"]:
            if key["type"] == "untrusted-cert-der":
                return [str(self.folder / key["file"])], "the certificate that it refers to"
        return [self.stranger], "a key that signed nothing"

    def pem(self, text, label):
        body = b"".join(text.split())
        lines = [body[index:index + 64].decode() for index in range(0, len(body), 64)]
        return self.file("\n".join(
            [f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]).encode())

    def file(self, data):
        self.count += 1
        path = self.scratch / f"key-{self.count}.pem"
        path.write_bytes(data)
        return str(path)


def openssl(*words):
    return subprocess.run(["openssl", *map(str, words)], capture_output=True, check=False).stdout


def properties(case, keys):
    """The manifest's flags, and properties found in the algorithms and keys."""
    found = set(case.entry.get("flags") or ())
    algorithms = case.entry.get("algorithms") or {}
    for uri in algorithms.get("sig", []) + algorithms.get("digest", []):
        for mark in ("sha224", "sha3-", "whirlpool", "sha1"):
            if mark in uri.lower():
                found.add(mark.rstrip("-"))
    for uri in algorithms.get("transforms", []):
        for mark, name in (("xmldsig#base64", "base64-transform"), ("xslt", "xslt"),
                           ("xmldsig-filter2", "xpath"), ("REC-xpath", "xpath"),
                           ("decrypt#", "decryption-transform"),
                           ("RelationshipTransform", "relationship-transform"),
                           ("STR-Transform", "token-reference-transform")):
            if mark in uri:
                found.add(name)
    if re.search(r"<([\w.-]+:)?(EncryptedKey|DerivedKey|EncapsulationMechanism)\b", case.text):
        found.add("encrypted-key")
    if len(re.findall(r"<(?:[\w.-]+:)?Reference[\s>]", case.text)) > 64:
        found.add("over-64-references")
    if re.search(r"<(?:[\w.-]+:)?Reference(?![^>]*\sURI=)[\s>]", case.text):
        found.add("anonymous-reference")
    for key in keys:
        if key.startswith("hmac:"):
            if len(base64.b64decode(key[5:])) < 32:
                found.add("hmac-under-32-bytes")
            continue
        text = key_text(key)
        bits = re.search(r"Public-Key: \((\d+) bit\)", text)
        if bits and "Modulus" in text and int(bits[1]) < 2048:
            found.add("rsa-under-2048")
        curve = re.search(r"ASN1 OID: (\S+)", text)
        if curve and curve[1] not in ("prime256v1", "secp384r1", "secp521r1"):
            found.add("other-curve")
    return found


def key_text(path):
    form = "PEM" if pathlib.Path(path).read_bytes().startswith(b"-----") else "DER"
    text = openssl("x509", "-in", path, "-inform", form, "-noout", "-text")
    text = text or openssl("pkey", "-pubin", "-in", path, "-inform", form, "-noout", "-text")
    return text.decode(errors="replace")
