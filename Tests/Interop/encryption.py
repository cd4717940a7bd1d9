#!/usr/bin/env python3
"""Exchanges encrypted SAML with independent programs, in both directions.

The `claims` command must decrypt, verify and read what xmlsec1, python-xmlsec, pysaml2 and
python3-saml encrypt; they must decrypt what `claims mint --encrypt-to` makes, and verify the
signature inside. Each message has a damaged twin, which must be refused. Programs that are not
installed are reported and skipped; keys are made for the run and deleted.

Exit codes: 0 success, 1 failures, 2 usage.
"""

import argparse
import base64
import collections
import copy
import json
import logging
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import messages
import mint
import signers

XENC = "http://www.w3.org/2001/04/xmlenc#"
XENC11 = "http://www.w3.org/2009/xmlenc11#"
DSIG11 = "http://www.w3.org/2009/xmldsig11#"
TRUST = "http://schemas.xmlsoap.org/ws/2005/02/trust"
ASSERTION = "//*[local-name()='Assertion']"
CIPHERS = {f"aes{bits}-{mode}": (XENC11 if mode == "gcm" else XENC) + f"aes{bits}-{mode}"
           for bits in (128, 192, 256) for mode in ("gcm", "cbc")}
OLD = {"tripledes-cbc": ("3des", XENC + "tripledes-cbc")}
CURVES = ["ec256", "ec384", "ec521"]


def method(name, uri, inner=""):
    return f'<{name} Algorithm="{uri}">{inner}</{name}>'


# The transport in an EncryptedKey, and what must be allowed for it. xmlsec1 1.2 supports the first
# three.
TRANSPORTS = {
    "rsa-oaep-mgf1p": (XENC + "rsa-oaep-mgf1p", "", None),
    "rsa-oaep-mgf1p sha1 named": (
        XENC + "rsa-oaep-mgf1p", method("ds:DigestMethod", messages.DS + "sha1"), None),
    "rsa-1_5": (XENC + "rsa-1_5", "", "rsa-1_5"),
    "rsa-oaep-mgf1p sha256": (
        XENC + "rsa-oaep-mgf1p", method("ds:DigestMethod", messages.DIGESTS["sha256"]), None),
    "rsa-oaep sha256": (
        XENC11 + "rsa-oaep", method("ds:DigestMethod", messages.DIGESTS["sha256"])
        + method("xenc11:MGF", XENC11 + "mgf1sha256"), None),
    "rsa-oaep sha512, mgf1sha1": (
        XENC11 + "rsa-oaep", method("ds:DigestMethod", messages.DIGESTS["sha512"])
        + method("xenc11:MGF", XENC11 + "mgf1sha1"), None),
}
COMMAND_TRANSPORTS = list(TRANSPORTS)[:3]


def template(cipher, key):
    """An empty EncryptedData, for programs that fill one in."""
    return (
        f'<xenc:EncryptedData xmlns:xenc="{XENC}" xmlns:xenc11="{XENC11}"'
        f' xmlns:ds="{messages.DS}" xmlns:dsig11="{DSIG11}" Type="{XENC}Element">'
        f'{method("xenc:EncryptionMethod", cipher)}<ds:KeyInfo><xenc:EncryptedKey>{key}'
        "<xenc:CipherData><xenc:CipherValue/></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>"
        "<xenc:CipherData><xenc:CipherValue/></xenc:CipherData></xenc:EncryptedData>")


def transport(name):
    uri, inner, _ = TRANSPORTS[name]
    return method("xenc:EncryptionMethod", uri, inner)


SENDER = "<ds:KeyName>sender</ds:KeyName>"


def agreement(world, bits, key):
    """xmlsec finds the keys of an agreement by name; the template must name them."""
    point = base64.b64encode(signers.run(
        "openssl", "pkey", "-in", world.idp.private(key), "-pubout", "-outform", "DER")).decode()
    parameters = method("ds:DigestMethod", messages.DIGESTS["sha256"])
    return (
        method("xenc:EncryptionMethod", XENC + f"kw-aes{bits}")
        + '<ds:KeyInfo><xenc:AgreementMethod Algorithm="' + XENC11 + 'ECDH-ES">'
        + '<xenc11:KeyDerivationMethod Algorithm="' + XENC11 + 'ConcatKDF">'
        + '<xenc11:ConcatKDFParams AlgorithmID="000a0b" PartyUInfo="00" PartyVInfo="00c0">'
        + parameters + "</xenc11:ConcatKDFParams></xenc11:KeyDerivationMethod>"
        + f"<xenc:OriginatorKeyInfo>{SENDER}<dsig11:DEREncodedKeyValue>{point}"
        + "</dsig11:DEREncodedKeyValue></xenc:OriginatorKeyInfo>"
        + "<xenc:RecipientKeyInfo><ds:KeyName>recipient</ds:KeyName></xenc:RecipientKeyInfo>"
        + "</xenc:AgreementMethod></ds:KeyInfo>")


def holder(inner):
    return ('<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">'
            f"{inner}</saml:EncryptedAssertion>")


def token_response(inner, kind):
    return (
        f'<t:RequestSecurityTokenResponse xmlns:t="{TRUST}"><t:RequestedSecurityToken>{inner}'
        f"</t:RequestedSecurityToken><t:TokenType>{kind}</t:TokenType>"
        "</t:RequestSecurityTokenResponse>")


FORMS = {
    "assertion": (2, holder), "response": (2, lambda inner: messages.response(holder(inner))),
    "rstr": (2, lambda inner: token_response(
        holder(inner), "urn:oasis:names:tc:SAML:2.0:assertion")),
    "saml11 rstr": (1, lambda inner: token_response(
        inner, "urn:oasis:names:tc:SAML:1.0:assertion")),
}


class World:
    """The signer's keys, the recipient's keys, and a program that signs what other programs encrypt."""

    def __init__(self, folder):
        for name in ("idp", "rp"):
            pathlib.Path(folder, name).mkdir()
        self.folder = pathlib.Path(folder)
        self.idp = signers.Keys(self.folder / "idp")
        self.rp = signers.Keys(self.folder / "rp")
        self.signer = signers.CommandSigner()
        self.signed = {
            2: self.sign(messages.assertion(messages.template("#_a1", "rsa-sha256"))),
            1: self.sign(messages.assertion1(messages.template("#_a1", "rsa-sha256")))}

    def sign(self, text, path="//*[local-name()='Signature']"):
        text = self.signer.fill(text, self.idp, "rsa", [path])
        return text.partition("?>\n")[2] if text.startswith("<?xml") else text

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)


# --- Encrypted by other programs ---


class CommandEncrypter:
    name = "xmlsec1"

    def __init__(self):
        signers.run("xmlsec1", "--version")

    def encrypt(self, world, text, path, name, data, key="rsa"):
        bits = "des-192" if name.startswith("triple") else f"aes-{name[3:6]}"
        return signers.run(
            "xmlsec1", "--encrypt", "--pubkey-cert-pem", world.rp.certificate(key),
            "--session-key", bits, "--xml-data", world.file("data.xml", text), "--node-xpath", path,
            world.file("template.xml", data)).decode()

    def messages(self, world):
        for form in FORMS:
            for name, uri in CIPHERS.items():
                for way in COMMAND_TRANSPORTS:
                    yield form, name, uri, way
        for name, (_, uri) in OLD.items():
            yield "response", name, uri, "rsa-oaep-mgf1p"


class LibraryEncrypter:
    name = "python-xmlsec"

    def __init__(self):
        self.etree = __import__("lxml.etree", fromlist=["etree"])
        self.xmlsec = __import__("xmlsec")
        self.version = self.xmlsec.get_libxmlsec_version()

    def encrypt(self, world, text, path, name, data, key="rsa"):
        manager = self.xmlsec.KeysManager()
        recipient = self.xmlsec.Key.from_file(
            world.rp.certificate(key), self.xmlsec.constants.KeyDataFormatCertPem)
        if key != "rsa":
            # It names the keys of an agreement, including the sender's.
            recipient.name = "recipient"
            sender = self.xmlsec.Key.from_file(
                world.idp.private(key), self.xmlsec.constants.KeyDataFormatPem)
            sender.name = "sender"
            manager.add_key(sender)
        manager.add_key(recipient)
        context = self.xmlsec.EncryptionContext(manager)
        context.key = self.xmlsec.Key.generate(
            self.xmlsec.constants.KeyDataAes, int(name[3:6]),
            self.xmlsec.constants.KeyDataTypeSession)
        root = self.etree.fromstring(text.encode())
        context.encrypt_xml(self.etree.fromstring(data), root.xpath(path)[0])
        return self.etree.tostring(root, encoding="unicode")

    def messages(self, world):
        ways = list(TRANSPORTS) if self.version >= (1, 3) else COMMAND_TRANSPORTS
        for name, uri in CIPHERS.items():
            for way in ways:
                yield "response", name, uri, way


class PySAML2Encrypter(CommandEncrypter):
    """pysaml2 writes the template and lets xmlsec1 fill it in."""

    name = "pysaml2"

    def __init__(self):
        super().__init__()
        self.sigver = __import__("saml2.sigver", fromlist=["sigver"])

    def encrypt(self, world, text, path, name, data, key="rsa"):
        backend = self.sigver.CryptoBackendXmlSec1("xmlsec1")
        bits = "des-192" if name.startswith("triple") else f"aes-{name[3:6]}"
        return backend.encrypt_assertion(
            text, world.rp.certificate(key), data, key_type=bits, node_xpath=path)

    def messages(self, world):
        uris = CIPHERS | {name: uri for name, (_, uri) in OLD.items()}
        for name, uri in uris.items():
            for way in ("rsa-oaep-mgf1p", "rsa-1_5"):
                data = self.sigver.pre_encryption_part(msg_enc=uri, key_enc=TRANSPORTS[way][0])
                yield "response", name, uri, way, str(data)


def encrypted_messages(program, world):
    """Title, text, and what must be allowed for it; the response around some is signed afterwards."""
    for form, name, uri, way, *written in program.messages(world):
        version, around = FORMS[form]
        text = around(world.signed[version])
        data = written[0] if written else template(uri, transport(way))
        text = program.encrypt(world, text, ASSERTION, name, data)
        allowed = [word for word in (OLD.get(name, [None])[0], TRANSPORTS[way][2]) if word]
        title = f"{form} {name} {way}"
        yield title, text, allowed, "rsa", name
        if form == "response" and way == "rsa-oaep-mgf1p":
            place = "</saml:Issuer>" if "</saml:Issuer><samlp:Status" in text else None
            if place:
                empty = messages.template("#_r1", "rsa-sha256")
                text = text.replace(place, place + empty, 1)
                path = "/*/*[local-name()='Signature']"
                yield f"signed {title}", world.sign(text, path), allowed, "rsa", name


def agreed_messages(program, world):
    """ECDH-ES, in xmlsec since 1.3."""
    if program.name != "python-xmlsec" or program.version < (1, 3):
        return
    for key in CURVES:
        for name, uri in CIPHERS.items():
            text = FORMS["response"][1](world.signed[2])
            data = template(uri, agreement(world, int(name[3:6]), key))
            text = program.encrypt(world, text, ASSERTION, name, data, key)
            yield f"response {name} ecdh-es {key}", text.replace(SENDER, ""), [], key, name


def named_messages(world):
    """An EncryptedID that python3-saml makes, inside a signed assertion."""
    from onelogin.saml2.utils import OneLogin_Saml2_Utils as utils
    certificate = pathlib.Path(world.rp.certificate("rsa")).read_text()
    encrypted = utils.generate_name_id(messages.SUBJECT, None, None, certificate)
    text = messages.assertion(messages.template("#_a1", "rsa-sha256"))
    text = text.replace(
        f"<saml:NameID>{messages.SUBJECT}</saml:NameID>", encrypted.strip())
    yield "EncryptedID aes128-cbc", world.sign(text, ASSERTION + "/*[local-name()='Signature']"), [
        ], "rsa", "aes128-cbc"


def verdict(claims, world, text, allowed, key):
    words = ["--recipient", messages.RECIPIENT, "--in-response-to", messages.REQUEST]
    if "SAML:1.0:assertion" in text:
        words = []
    process = subprocess.run(
        [claims, "verify", "--key", world.idp.certificate("rsa"), "--issuer", messages.ISSUER,
         "--audience", messages.AUDIENCE, "--decrypt-key", world.rp.private(key), *words,
         *(word for name in allowed for word in ("--allow-algorithm", name))],
        input=text.encode(), capture_output=True, timeout=60, check=False)
    return json.loads(process.stdout)


def fault(claims, world, text, allowed, key, cipher):
    """The error of our verdict on a good message or its twins; None when both are right."""
    record = verdict(claims, world, text, allowed, key)
    if not record["valid"]:
        return f"refused: {record['error']}"
    version = 1 if "SAML:1.0:assertion" in text else 2
    wanted = messages.expected_claims(messages.METHOD1 if version == 1 else messages.METHOD2)
    if record["claims"] != wanted or record["subject"] != messages.SUBJECT:
        return f"says {record['claims']}, not {wanted}"
    authors = [line for line in record["warnings"] if "does not prove that it wrote" in line]
    if bool(authors) != ("EncryptedID" in text):
        return f"warns of an author {record['warnings']}"
    others = [line for line in record["warnings"] if line not in authors]
    hints = [line for line in others if "GCM" not in line and "allowed" not in line]
    if hints or bool(others) != bool(allowed or cipher.endswith("cbc")):
        return f"warns {record['warnings']}"
    if verdict(claims, world, damage(text), allowed, key)["valid"]:
        return "takes a damaged message"
    if allowed and verdict(claims, world, text, allowed[1:], key)["valid"]:
        return f"takes {allowed[0]} without being told to"
    return None


def damage(text):
    """The message with one base64 digit of its last ciphertext changed, with the same length."""
    found = list(re.finditer(r"CipherValue>\s*[A-Za-z0-9+/]{40}([A-Za-z0-9+/])", text))[-1]
    other = "A" if found[1] != "A" else "B"
    return text[:found.start(1)] + other + text[found.end(1):]


# --- Encrypted by us ---


def public_key(point):
    """The PEM of an uncompressed point."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    point = base64.b64decode(point)
    curve = {65: ec.SECP256R1, 97: ec.SECP384R1, 133: ec.SECP521R1}[len(point)]
    return ec.EllipticCurvePublicKey.from_encoded_point(curve(), point).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


class CommandDecrypter:
    name = "xmlsec1"

    def __init__(self):
        self.check = mint.Command().check

    def knows(self, way):
        return way == "rsa-oaep-mgf1p"

    def decrypt(self, world, octets, key):
        return signers.run("xmlsec1", "--decrypt", "--privkey-pem", world.rp.private(key),
                           world.file("in.xml", octets))


class LibraryDecrypter:
    name = "python-xmlsec"

    def __init__(self):
        self.check = mint.Library().check
        self.etree = __import__("lxml.etree", fromlist=["etree"])
        self.xmlsec = __import__("xmlsec")

    def knows(self, way):
        return way == "rsa-oaep-mgf1p" or self.xmlsec.get_libxmlsec_version() >= (1, 3)

    def decrypt(self, world, octets, key):
        manager = self.xmlsec.KeysManager()
        ours = self.xmlsec.Key.from_file(
            world.rp.private(key), self.xmlsec.constants.KeyDataFormatPem)
        root = self.etree.fromstring(octets)
        for agreed in root.iter(f"{{{XENC}}}AgreementMethod"):
            # xmlsec 1.3 finds the keys of an agreement by name and ignores KeyValue.
            ours.name = "recipient"
            sender = self.xmlsec.Key.from_memory(
                public_key(agreed.find(".//{*}PublicKey").text),
                self.xmlsec.constants.KeyDataFormatPem)
            sender.name = "sender"
            manager.add_key(sender)
            for name in ("Originator", "Recipient"):
                info = agreed.find(f"{{{XENC}}}{name}KeyInfo")
                del info[:]
                self.etree.SubElement(info, f"{{{messages.DS}}}KeyName").text = (
                    "sender" if name == "Originator" else "recipient")
        manager.add_key(ours)
        self.xmlsec.EncryptionContext(manager).decrypt(
            next(root.iter(f"{{{XENC}}}EncryptedData")))
        return self.etree.tostring(root)


class PySAML2Decrypter:
    name = "pysaml2"

    def __init__(self):
        self.sigver = __import__("saml2.sigver", fromlist=["sigver"])

    def knows(self, way):
        return way == "rsa-oaep-mgf1p"

    def decrypt(self, world, octets, key):
        backend = self.sigver.CryptoBackendXmlSec1("xmlsec1")
        return backend.decrypt(octets.decode(), world.rp.private(key)).encode()

    def check(self, token, root, keys):
        backend = self.sigver.CryptoBackendXmlSec1("xmlsec1")
        for element, _, name in token.signed(root):
            kind = f"{element.tag[1:].partition('}')[0]}:{mint.local(element)}"
            if name == "ID" and not backend.validate_signature(
                    token.octets.decode(), keys.certificate(token.key), "pem", kind,
                    element.get(name)):
                raise ValueError("the signature does not verify")
        return True


class OneLogin:
    """python3-saml decrypts, verifies and reads a whole response."""

    name = "python3-saml"

    def __init__(self):
        from onelogin.saml2.response import OneLogin_Saml2_Response
        from onelogin.saml2.settings import OneLogin_Saml2_Settings
        self.response, self.settings = OneLogin_Saml2_Response, OneLogin_Saml2_Settings

    def read(self, world, octets, key):
        settings = self.settings({
            "strict": True, "security": {"wantAssertionsEncrypted": True},
            "sp": {"entityId": messages.AUDIENCE,
                   "assertionConsumerService": {"url": messages.RECIPIENT},
                   "x509cert": pathlib.Path(world.rp.certificate(key)).read_text(),
                   "privateKey": pathlib.Path(world.rp.private(key)).read_text()},
            "idp": {"entityId": messages.ISSUER,
                    "singleSignOnService": {"url": messages.ISSUER + "sso"},
                    "x509cert": pathlib.Path(world.idp.certificate("rsa")).read_text()}})
        response = self.response(settings, base64.b64encode(octets).decode())
        request = {"https": "on", "http_host": "rp.example.test", "script_name": "/acs"}
        if not response.is_valid(request, messages.REQUEST):
            raise ValueError(response.get_error())
        if response.get_nameid() != messages.SUBJECT:
            raise ValueError(f"names {response.get_nameid()}")
        # It strips values and drops empty ones.
        wanted = {name: [value.strip() for value in values if value] for name, values in mint.VALUES}
        if response.get_attributes() != wanted:
            raise ValueError(f"says {response.get_attributes()}")


def ours(claims, world):
    """Title, octets, version, key encryption, key, and which signatures there are."""
    said = ["--issuer", messages.ISSUER, "--audience", messages.AUDIENCE, "--subject",
            messages.SUBJECT, "--at", messages.instant(-5), "--id", "_a1",
            *mint.spoken(mint.VALUES), "--signing-key", world.idp.private("rsa"), "--certificate",
            world.idp.certificate("rsa")]
    delivery = ["--recipient", messages.RECIPIENT, "--in-response-to", messages.REQUEST]
    forms = [(1, "saml11", ["--wrap", "rstr"])] + [(2, "saml20", form) for form in mint.FORMS]
    ways = [("rsa-oaep-mgf1p", "rsa"), ("rsa-oaep-sha256", "rsa")] + [
        ("ecdh-es", key) for key in CURVES]
    for version, verb, form in forms:
        for cipher in CIPHERS:
            for way, key in ways:
                words = [verb, *form, *said, "--encrypt-to", world.rp.certificate(key),
                         "--encryption-algorithm", cipher, "--key-encryption", way]
                octets = mint.mint(claims, *words, *(delivery if version == 2 else []))
                yield f"{verb} {' '.join(form)} {cipher} {way} {key}", octets, version, way, key


def read_by(program, world, octets, version, key, etree):
    """Decrypts a message of ours and verifies the signatures, outside and inside."""
    def token(content):
        return mint.Token("", content, "rsa", "rsa-sha256", version, at=-5)
    program.check(token(octets), etree.fromstring(octets), world.idp)
    root = etree.fromstring(program.decrypt(world, octets, key))
    assertion = next(root.iter("{*}Assertion"))
    alone = etree.tostring(copy.deepcopy(assertion))
    program.check(token(alone), etree.fromstring(alone), world.idp)
    mint.Content().check(token(alone), etree.fromstring(alone), world.idp)
    return assertion.find(f"{{{messages.DS}}}Signature") is not None


def check_ours(claims, world, programs, counts):
    from lxml import etree
    for title, octets, version, way, key in ours(claims, world):
        is_response = b":Response" in octets
        for program in programs:
            try:
                if isinstance(program, OneLogin):
                    # Its schemas do not include XML Encryption 1.1.
                    if not is_response or way != "rsa-oaep-mgf1p":
                        continue
                    program.read(world, octets, key)
                    counts[program.name] += 1
                    continue
                if not program.knows(way):
                    continue
                signed = read_by(program, world, octets, version, key, etree)
                if not signed and "--sign response" not in title:
                    raise ValueError("the assertion inside is unsigned")
                counts[program.name] += 1
                if "gcm" not in title:
                    continue
                try:
                    program.decrypt(world, damage(octets.decode()).encode(), key)
                # Each program raises its own exceptions.
                except Exception:  # pylint: disable=broad-except
                    continue
                raise ValueError("takes a damaged message")
            except Exception as error:  # pylint: disable=broad-except
                yield f"ours, {program.name}: {title}: {error}"


def check_theirs(claims, world, programs, counts):
    for program in programs:
        if program.name == OneLogin.name:
            made = named_messages(world)
        else:
            made = (one for source in (encrypted_messages, agreed_messages)
                    for one in source(program, world))
        for title, text, allowed, key, cipher in made:
            found = fault(claims, world, text, allowed, key, cipher)
            if found:
                yield f"theirs, {program.name}: {title}: {found}"
            else:
                counts[program.name] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--claims", default=mint.CLAIMS, type=pathlib.Path, metavar="PATH")
    options = parser.parse_args()
    if not options.claims.exists():
        parser.error(f"no command at {options.claims}: build it, or name it with --claims")
    claims = options.claims.resolve()
    # pysaml2 logs xmlsec1's messages about the damaged twins.
    logging.disable()
    theirs, ours_read = collections.Counter(), collections.Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = World(folder)
        encrypters = list(mint.available(
            [CommandEncrypter, LibraryEncrypter, PySAML2Encrypter, OneLogin]))
        decrypters = list(mint.available(
            [CommandDecrypter, LibraryDecrypter, PySAML2Decrypter, OneLogin]))
        for problem in check_theirs(claims, world, encrypters, theirs):
            wrong += 1
            print(f"WRONG {problem}")
        for problem in check_ours(claims, world, decrypters, ours_read):
            wrong += 1
            print(f"WRONG {problem}")
    for name, count in theirs.items():
        print(f"encrypted by {name}, read by us: {count} messages")
    for name, count in ours_read.items():
        print(f"encrypted by us, read by {name}: {count} messages")
    print(f"{theirs.total() + ours_read.total()} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
