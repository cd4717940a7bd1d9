"""The independent programs that sign, behind one interface.

A signer fills the empty signatures of a message in the order given (`fill`), or makes its own
(`sign`); what cannot be imported or run is skipped and reported.
"""

import importlib
import os
import pathlib
import subprocess
import tempfile
import warnings

import messages

ID_ATTRIBUTES = {
    "ID": ["urn:oasis:names:tc:SAML:2.0:assertion:Assertion",
           "urn:oasis:names:tc:SAML:2.0:protocol:Response"],
    "AssertionID": ["urn:oasis:names:tc:SAML:1.0:assertion:Assertion"],
}


class Keys:
    """Keys and certificates made for this run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name, words in {
            "rsa": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
            "ec256": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
            "ec384": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
            "ec521": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"],
        }.items():
            run("openssl", "genpkey", *words, "-out", self.private(name))
            run("openssl", "req", "-new", "-x509", "-key", self.private(name), "-subj",
                f"/CN={name}", "-days", "30", "-out", self.certificate(name))
        self.secret = os.urandom(32)
        self.secret_file = self.folder / "secret.bin"
        self.secret_file.write_bytes(self.secret)

    def private(self, name):
        return str(self.folder / f"{name}.key")

    def certificate(self, name):
        return str(self.folder / f"{name}.crt")


class CommandSigner:
    """The `xmlsec1` command."""

    name = "xmlsec1"

    def __init__(self):
        run("xmlsec1", "--version")

    def fill(self, text, keys, key, signatures):
        for path in signatures:
            with tempfile.TemporaryDirectory() as folder:
                source, target = pathlib.Path(folder, "in.xml"), pathlib.Path(folder, "out.xml")
                source.write_text(text)
                words = ["--hmackey", str(keys.secret_file)] if key == "secret" else [
                    "--privkey-pem", keys.private(key)]
                for attribute, elements in ID_ATTRIBUTES.items():
                    for element in elements:
                        words += [f"--id-attr:{attribute}", element]
                run("xmlsec1", "--sign", *words, "--node-xpath", path, "--output", str(target),
                    str(source))
                text = target.read_text()
        return text


class LibrarySigner:
    """The Python binding of the xmlsec library."""

    name = "python-xmlsec"

    def __init__(self):
        self.etree = importlib.import_module("lxml.etree")
        self.xmlsec = importlib.import_module("xmlsec")

    def fill(self, text, keys, key, signatures):
        root = self.etree.fromstring(text.encode())
        for attribute in ID_ATTRIBUTES:
            self.xmlsec.tree.add_ids(root, [attribute])
        for path in signatures:
            context = self.xmlsec.SignatureContext()
            if key == "secret":
                context.key = self.xmlsec.Key.from_binary_data(
                    self.xmlsec.constants.KeyDataHmac, keys.secret)
            else:
                context.key = self.xmlsec.Key.from_file(
                    keys.private(key), self.xmlsec.constants.KeyDataFormatPem)
            context.sign(root.xpath(path)[0])
        return self.etree.tostring(root, encoding="unicode")


class SignXMLSigner:
    """The signxml package, which makes the signature itself."""

    name = "signxml"

    def __init__(self):
        self.etree = importlib.import_module("lxml.etree")
        self.signxml = importlib.import_module("signxml")

    def sign(self, text, keys, key, identifier, algorithm, canonicalization=messages.EXCLUSIVE):
        """Signs the element with `identifier` where the text has `PLACEHOLDER`."""
        root = self.etree.fromstring(text.encode())
        element = root if root.get("ID") == identifier else root.xpath(
            "//*[@ID=$id]", id=identifier)[0]
        algorithms = self.signxml.SignatureMethod
        method = {
            "rsa-sha256": algorithms.RSA_SHA256, "rsa-sha512": algorithms.RSA_SHA512,
            "rsa-pss-sha256": algorithms.SHA256_RSA_MGF1,
            "rsa-pss-sha384": algorithms.SHA384_RSA_MGF1,
            "rsa-pss-sha512": algorithms.SHA512_RSA_MGF1,
            "ecdsa-sha256": algorithms.ECDSA_SHA256, "ecdsa-sha384": algorithms.ECDSA_SHA384,
            "ecdsa-sha512": algorithms.ECDSA_SHA512,
        }[algorithm]
        signer = self.signxml.XMLSigner(
            signature_algorithm=method, digest_algorithm="sha256", c14n_algorithm=canonicalization)
        signed = signer.sign(
            element, key=pathlib.Path(keys.private(key)).read_bytes(),
            cert=pathlib.Path(keys.certificate(key)).read_text(), reference_uri=identifier)
        if element is root:
            return self.etree.tostring(signed, encoding="unicode")
        element.getparent().replace(element, signed)
        return self.etree.tostring(root, encoding="unicode")


SIGNXML_PLACE = f'<ds:Signature xmlns:ds="{messages.DS}" Id="placeholder"/>'


class OneLoginSigner:
    """python3-saml, which puts the signature after the Issuer of the root."""

    name = "python3-saml"

    def __init__(self):
        self.utils = importlib.import_module("onelogin.saml2.utils").OneLogin_Saml2_Utils

    def sign(self, text, keys, key, algorithm):
        signed = self.utils.add_sign(
            text, pathlib.Path(keys.private(key)).read_text(),
            pathlib.Path(keys.certificate(key)).read_text(), False,
            messages.ALGORITHMS[algorithm], messages.DIGESTS["sha256"])
        return signed.decode() if isinstance(signed, bytes) else signed


SERVICE = (
    f'<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"'
    f' entityID="{messages.AUDIENCE}"><md:SPSSODescriptor'
    ' protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">'
    '<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"'
    f' Location="{messages.RECIPIENT}" index="0"/></md:SPSSODescriptor></md:EntityDescriptor>')


class PySAML2Signer:
    """pysaml2, which writes the whole response and lets xmlsec1 sign it."""

    name = "pysaml2"

    def __init__(self):
        self.config = importlib.import_module("saml2.config")
        self.server = importlib.import_module("saml2.server")
        self.saml = importlib.import_module("saml2.saml")

    def make(self, keys, key, algorithm, *, response, assertion):
        """A response about the same subject with two attributes."""
        configuration = {
            "entityid": messages.ISSUER,
            "key_file": keys.private(key), "cert_file": keys.certificate(key),
            "xmlsec_binary": "/usr/bin/xmlsec1" if os.path.exists("/usr/bin/xmlsec1") else (
                "xmlsec1"),
            "metadata": {"inline": [SERVICE]},
            "service": {"idp": {
                "endpoints": {"single_sign_on_service": []},
                "policy": {"default": {
                    "lifetime": {"minutes": 60}, "attribute_restrictions": None,
                    "name_form": "urn:oasis:names:tc:SAML:2.0:attrname-format:uri"}},
            }},
        }
        server = self.server.Server(
            config=self.config.IdPConfig().load(configuration))
        try:
            return str(server.create_authn_response(
                {"role": ["reader", "R&D <lead>"], "mail": ["ada@example.test"]},
                in_response_to=messages.REQUEST, destination=messages.RECIPIENT,
                sp_entity_id=messages.AUDIENCE, userid="ada",
                name_id=self.saml.NameID(text=messages.SUBJECT),
                authn={"class_ref": messages.METHOD2}, sign_response=response,
                sign_assertion=assertion, sign_alg=messages.ALGORITHMS[algorithm],
                digest_alg=messages.DIGESTS["sha256"]))
        finally:
            server.close()


def available(talk):
    """The signers that are installed; reports the others."""
    signers = {}
    for kind in (CommandSigner, LibrarySigner, SignXMLSigner, OneLoginSigner, PySAML2Signer):
        try:
            with warnings.catch_warnings():
                # Warnings of these packages for their own developers.
                warnings.simplefilter("ignore")
                signers[kind.name] = kind()
        except (ImportError, OSError) as error:
            talk(f"skipped: {kind.name} ({error})")
    return signers


def run(*words):
    process = subprocess.run(words, capture_output=True, check=False)
    if process.returncode:
        talk = process.stderr.decode(errors="replace").strip()
        raise OSError(f"{words[0]} ended with {process.returncode}: {talk[-300:]}")
    return process.stdout
