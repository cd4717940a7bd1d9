#!/usr/bin/env python3
"""Lets the `claims` command issue tokens and independent programs verify them.

Each token must verify with every installed program (and not verify with another value in it), though
the clock that issued it is ahead of theirs, have exactly the given content, fit the schemas, and be
identical a second time where its algorithm allows it. Programs that are not installed are reported
and skipped; keys are made for the run and deleted.

Exit codes: 0 success, 1 failures, 2 usage.
"""

import argparse
import base64
import collections
import copy
import hashlib
import hmac
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import warnings

import messages
import signers

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLAIMS = ROOT / ".build" / "release" / "claims"

PSS = ["rsa-pss-sha256", "rsa-pss-sha384", "rsa-pss-sha512"]
ALGORITHMS = [name for name in messages.ALGORITHMS if not name.startswith("hmac")] + PSS
KEYS = {"ecdsa-sha256": "ec256", "ecdsa-sha384": "ec384", "ecdsa-sha512": "ec521"}
FORMS = [[], ["--wrap", "rstr"], ["--wrap", "response"]] + [
    ["--wrap", "response", "--sign", sign] for sign in ("assertion", "response", "both")]
VALUES = [
    (messages.IDENTITY + "emailaddress", ["ada@example.test"]),
    (messages.WINDOWS + "role", ["reader", "R&D <lead>", "]]>", "-->", '"', "a\tb\nc\rd"]),
    ("urn:x/\u00e9\U0001f9ee", ["Ada \u2013 \u00c5\U0001f9ee", "", "  two  "]),
]
# SAML 1.1 cuts a name at a slash.
NAMES2 = [("nickname", ["Ada"])]
NAME_FORMAT = "urn:oasis:names:tc:SAML:2.0:attrname-format:"
# How far ahead of its reader's clock an issuer's may be.
AHEAD = 30
IDENTIFIERS = {"Assertion": ("ID", "AssertionID"), "Response": ("ID", "ResponseID")}
SAML = ("urn:oasis:names:tc:SAML:1.0:", "urn:oasis:names:tc:SAML:2.0:")


def values(version):
    return VALUES + (NAMES2 if version == 2 else [])


def local(element):
    return element.tag.rpartition("}")[2]


class Token:
    """An issued token, with its options."""

    def __init__(self, title, octets, key, algorithm, version, *, at=0, parts=None, said=None):
        self.title, self.octets, self.key = title, octets, key
        self.algorithm, self.version = algorithm, version
        self.at, self.parts, self.said = at, parts, VALUES if said is None else said

    def with_octets(self, octets):
        return Token(self.title, octets, self.key, self.algorithm, self.version, at=self.at,
                     parts=self.parts, said=self.said)

    def signed(self, root):
        """The elements that have a signature of their own, with their identifiers."""
        for signature in root.iter(f"{{{messages.DS}}}Signature"):
            element = signature.getparent()
            name = next((n for n in IDENTIFIERS.get(local(element), ["ID"]) if element.get(n)))
            yield element, signature, name


class Command:
    name = "xmlsec1"

    def __init__(self):
        signers.run("xmlsec1", "--version")

    def check(self, token, root, keys):
        # Version 1.2 has no RSA-PSS.
        if token.algorithm in PSS:
            return False
        words = ["--pubkey-cert-pem", keys.certificate(token.key), "--enabled-key-data", "x509"]
        for element, _, name in token.signed(root):
            namespace = element.tag[1:].partition("}")[0]
            words += [f"--id-attr:{name}", f"{namespace}:{local(element)}"]
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "in.xml")
            source.write_bytes(token.octets)
            for element, _, name in token.signed(root):
                path = f"//*[@{name}='{element.get(name)}']/*[local-name()='Signature']"
                signers.run("xmlsec1", "--verify", "--trusted-pem", keys.certificate(token.key),
                            *words, "--node-xpath", path, str(source))
        return True


class Library:
    name = "python-xmlsec"

    def __init__(self):
        self.xmlsec = __import__("xmlsec")

    def check(self, token, root, keys):
        if token.algorithm in PSS:
            return False
        self.xmlsec.tree.add_ids(root, ["ID", "AssertionID", "ResponseID"])
        for _, signature, _ in token.signed(root):
            context = self.xmlsec.SignatureContext()
            context.key = self.xmlsec.Key.from_file(
                keys.certificate(token.key), self.xmlsec.constants.KeyDataFormatCertPem)
            context.verify(signature)
        return True


class SignXML:
    name = "signxml"

    def __init__(self):
        self.signxml = __import__("signxml")

    def check(self, token, root, keys):
        certificate = pathlib.Path(keys.certificate(token.key)).read_text()
        for element, _, name in token.signed(root):
            # The element's context must not matter.
            result = self.signxml.XMLVerifier().verify(
                copy.deepcopy(element), x509_cert=certificate, id_attribute=name)
            result = result if isinstance(result, list) else [result]
            if [one.signed_xml.get(name) for one in result] != [element.get(name)]:
                raise ValueError("another element is signed")
        return True


class OneLogin:
    name = "python3-saml"

    def __init__(self):
        from onelogin.saml2.response import OneLogin_Saml2_Response
        from onelogin.saml2.settings import OneLogin_Saml2_Settings
        self.response, self.settings = OneLogin_Saml2_Response, OneLogin_Saml2_Settings

    def check(self, token, root, keys):
        if token.version == 1 or local(root) != "Response" or token.algorithm not in (
                "rsa-sha256", "rsa-sha384", "rsa-sha512"):
            return False
        settings = self.settings({
            "strict": True,
            "sp": {"entityId": messages.AUDIENCE,
                   "assertionConsumerService": {"url": messages.RECIPIENT}},
            "idp": {"entityId": messages.ISSUER,
                    "singleSignOnService": {"url": messages.ISSUER + "sso"},
                    "x509cert": pathlib.Path(keys.certificate(token.key)).read_text()}})
        response = self.response(settings, base64.b64encode(token.octets).decode())
        request = {"https": "on", "http_host": "rp.example.test", "script_name": "/acs"}
        if not response.is_valid(request, messages.REQUEST):
            raise ValueError(response.get_error())
        if response.get_nameid() != messages.SUBJECT:
            raise ValueError(f"names {response.get_nameid()}")
        found = response.get_attributes()
        if set(found) != {name for name, _ in values(2)}:
            raise ValueError(f"has the attributes {sorted(found)}")
        if response.get_session_index() != "_a1-session":
            raise ValueError(f"has the session {response.get_session_index()}")
        return True


class ServiceProvider:
    """pysaml2 with its own xmlsec1: without tolerance between the clocks."""
    name = "pysaml2"
    claims = CLAIMS

    def __init__(self):
        import logging
        from saml2 import BINDING_HTTP_POST, client, config
        logging.disable(logging.CRITICAL)
        self.binding, self.client, self.config = BINDING_HTTP_POST, client, config
        self.made = {}

    def provider(self, keys, key):
        if key not in self.made:
            metadata = pathlib.Path(keys.folder, f"{key}-metadata.xml")
            metadata.write_bytes(mint(
                self.claims, "metadata", "--issuer", messages.ISSUER, "--sign-on",
                messages.ISSUER + "sso", "--certificate", keys.certificate(key)))
            self.made[key] = self.client.Saml2Client(config=self.config.SPConfig().load({
                "entityid": messages.AUDIENCE, "xmlsec_binary": "/usr/bin/xmlsec1",
                "allow_unknown_attributes": True, "metadata": {"local": [str(metadata)]},
                "service": {"sp": {
                    "endpoints": {"assertion_consumer_service": [
                        (messages.RECIPIENT, self.binding)]},
                    "want_response_signed": False, "want_assertions_signed": False,
                    "want_assertions_or_response_signed": True}}}))
        return self.made[key]

    def check(self, token, root, keys):
        if token.version == 1 or local(root) != "Response" or token.algorithm in PSS:
            return False
        answer = self.provider(keys, token.key).parse_authn_request_response(
            base64.b64encode(token.octets).decode(), self.binding, {messages.REQUEST: "/"})
        if answer is None or answer.get_subject().text != messages.SUBJECT:
            raise ValueError("is refused")
        sessions = [one.session_index for one in answer.assertion.authn_statement]
        if sessions != ["_a1-session"]:
            raise ValueError(f"has the sessions {sessions}")
        formats = {one.name: one.name_format for one in
                   answer.assertion.attribute_statement[0].attribute}
        if formats != {name: NAME_FORMAT + ("basic" if name == "nickname" else "uri")
                       for name, _ in values(2)}:
            raise ValueError(f"has the formats {formats}")
        return True


class Schema:
    name = "schemas (pysaml2)"

    def __init__(self):
        from saml2.xml.schema import validate
        self.validate = validate

    def check(self, token, root, keys):
        if token.version == 1 or not root.tag.startswith("{" + SAML[1]):
            return False
        self.validate(token.octets.decode())
        return True


class Content:
    """The content read by another XML parser."""

    name = "lxml"

    def check(self, token, root, keys):
        if local(root) == "EntityDescriptor":
            return False
        found = []
        for attribute in root.iter("{*}Attribute"):
            name = attribute.get("Name") or "/".join(
                (attribute.get("AttributeNamespace"), attribute.get("AttributeName")))
            found.append((name, [value.text or "" for value in attribute]))
        if found != token.said:
            raise ValueError(f"says {found}")
        begins = {one.get("NotBefore") for one in root.iter("{*}Conditions")}
        if begins != {messages.instant(token.at - 60).replace("Z", ".000Z")}:
            raise ValueError(f"begins {begins}")
        signed = [local(element) for element, _, _ in token.signed(root)]
        if token.parts and signed != token.parts:
            raise ValueError(f"{signed} are signed")
        return True


def notices_damage(checker, token, keys, parse):
    """Whether the check works: a token with another value in it must not pass."""
    octets = token.octets.replace(b">reader<", b">raider<")
    damaged = token.with_octets(octets)
    try:
        return octets == token.octets or not checker.check(damaged, parse(octets), keys)
    except Exception:  # pylint: disable=broad-except
        return True


def available(kinds):
    for kind in kinds:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield kind()
        except (ImportError, OSError) as error:
            print(f"skipped: {kind.name} ({error})")


def mint(claims, *words):
    return signers.run(str(claims), "mint", *words)


def spoken(values):
    return [word for name, texts in values for text in texts
            for word in ("--claim", f"{name}={text}")]


def xml_tokens(claims, keys):
    said = ["--issuer", messages.ISSUER, "--audience", messages.AUDIENCE, "--subject",
            messages.SUBJECT, "--at", messages.instant(AHEAD), "--id", "_a1"]
    delivery = ["--recipient", messages.RECIPIENT, "--in-response-to", messages.REQUEST]
    for algorithm in ALGORITHMS:
        key = KEYS.get(algorithm, "rsa")
        signing = ["--signing-key", keys.private(key), "--certificate", keys.certificate(key),
                   "--algorithm", algorithm]
        for version, verb in ((1, "saml11"), (2, "saml20")):
            for form in FORMS:
                words = [verb, *form, *said, *spoken(values(version)), *signing]
                if version == 2 or "response" in form:
                    words += delivery
                octets = mint(claims, *words)
                title = f"{verb} {' '.join(form)} {algorithm}"
                if algorithm.startswith("rsa-sha") and mint(claims, *words) != octets:
                    raise ValueError(f"{title}: other bytes the second time")
                yield Token(title, octets, key, algorithm, version, at=AHEAD,
                            parts=signed_parts(version, form), said=values(version))
        octets = mint(
            claims, "metadata", "--issuer", messages.ISSUER, "--sign-on", messages.ISSUER + "sso",
            "--id", "_m", "--certificate", keys.certificate("ec256"), "--lifetime", "86400",
            *signing)
        yield Token(f"metadata {algorithm}", octets, key, algorithm, 2)


def signed_parts(version, form):
    """The signed elements, in document order of the signatures. SAML 1.1 signs a response by default."""
    if "response" not in form:
        return ["Assertion"]
    sign = form[-1] if "--sign" in form else "both" if version == 1 else "assertion"
    return {"assertion": ["Assertion"], "response": ["Response"],
            "both": ["Response", "Assertion"]}[sign]


def early_fault(claims, keys, checkers):
    """A reader without tolerance must refuse a token whose beginning is from a clock ahead."""
    strict = [checker for checker in checkers if isinstance(checker, ServiceProvider)]
    if not strict:
        return None
    octets = mint(
        claims, "saml20", "--wrap", "response", "--issuer", messages.ISSUER, "--audience",
        messages.AUDIENCE, "--subject", messages.SUBJECT, "--at", messages.instant(3600),
        "--not-before", messages.instant(3600), "--recipient", messages.RECIPIENT,
        "--in-response-to", messages.REQUEST, "--id", "_a1", *spoken(values(2)), "--signing-key",
        keys.private("rsa"))
    token = Token("early", octets, "rsa", "rsa-sha256", 2)
    from lxml import etree
    try:
        strict[0].check(token, etree.fromstring(octets), keys)
    # It raises its own exceptions.
    except Exception:  # pylint: disable=broad-except
        return None
    return "accepts a token that begins in an hour"


def swt_fault(claims, keys):
    """Ten lines that do not use this package."""
    values = [(messages.IDENTITY + "name", "Ada \u2013 +&=%~' x"), ("a b", ""), ("role", "x,y")]
    token = mint(
        claims, "swt", "--issuer", messages.ISSUER, "--audience", messages.AUDIENCE, "--key",
        f"hmac-file:{keys.secret_file}", "--at", messages.instant(), "--lifetime", "60",
        *spoken([(name, [value]) for name, value in values])).decode().removesuffix("\n")
    text, _, mac = token.rpartition("&HMACSHA256=")
    wanted = hmac.new(keys.secret, text.encode(), hashlib.sha256).digest()
    if base64.b64decode(urllib.parse.unquote(mac)) != wanted:
        return "another MAC"
    found = urllib.parse.parse_qsl(text, keep_blank_values=True, strict_parsing=True)
    expected = values + [
        ("Audience", messages.AUDIENCE), ("ExpiresOn", str(int(messages.NOW.timestamp()) + 60)),
        ("Issuer", messages.ISSUER)]
    return None if found == expected else f"says {found}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--claims", default=CLAIMS, type=pathlib.Path, metavar="PATH")
    options = parser.parse_args()
    if not options.claims.exists():
        parser.error(f"no command at {options.claims}: build it, or name it with --claims")
    from lxml import etree
    claims = ServiceProvider.claims = options.claims.resolve()
    checkers = list(available([Command, Library, SignXML, OneLogin, ServiceProvider, Schema, Content]))
    counts = collections.Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        keys = signers.Keys(folder)
        for token in xml_tokens(claims, keys):
            for checker in checkers:
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        done = checker.check(token, etree.fromstring(token.octets), keys)
                    counts[checker.name] += bool(done)
                    if done and checker.name != Schema.name and not notices_damage(
                            checker, token, keys, etree.fromstring):
                        raise ValueError("takes a damaged token")
                # Each program raises its own exceptions.
                except Exception as error:  # pylint: disable=broad-except
                    wrong += 1
                    print(f"WRONG {checker.name}: {token.title}: {error}")
        fault = early_fault(claims, keys, checkers)
        if fault:
            wrong += 1
            print(f"WRONG pysaml2: {fault}")
        fault = swt_fault(claims, keys)
        counts["hmac"] += not fault
        if fault:
            wrong += 1
            print(f"WRONG hmac: swt: {fault}")
    for name, count in counts.items():
        print(f"{name}: {count} tokens")
    print(f"{counts.total()} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
