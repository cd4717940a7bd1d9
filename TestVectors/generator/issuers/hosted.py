"""Okta, Auth0, Google Workspace and OneLogin."""

from .. import keys
from ..documents20 import XS, XSI
from ..signing import sign
from ..world import ACS, ALICE, IDP_KEY, NAME_IDENTIFIER, P1, REQUEST, RP, splice
from .shapes import (
    ATTRIBUTE_FORMAT, EMAIL_FORMAT, NO_CONTEXT, OTHER_KEY, RP_KEY, UNSPECIFIED, assertion, attribute,
    authn, conditions, encrypted, response, signature, statement, subject)

OKTA = "http://www.okta.com/exk1example0000000001"
AUTH0 = "urn:example.auth0.com"
GOOGLE = "https://accounts.google.com/o/saml2?idpid=C0example"
ONELOGIN = "https://app.onelogin.com/saml/metadata/123456"


def okta(shapes):
    world = {"issuer": OKTA, "issuers": (OKTA,), "id": "id20000000001"}
    entity = ' Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity"'
    p, xs = "saml2:", f' xmlns:xs="{XS}"'

    def message(audience=RP, issuer=OKTA, seal_label=None):
        slot = signature("id20000000001", prefixes="xs")
        plain = ' NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified"'
        inner = assertion(
            p, issuer, subject(p, ALICE, f' Format="{UNSPECIFIED}"'), conditions(p, audience=audience),
            authn(p, session=REQUEST),
            statement(p, attribute(p, "email", ALICE, head=plain, type="xs:string"),
                      attribute(p, "groups", "Everyone", "Editors", head=plain, type="xs:string")),
            slot=slot, id="id20000000001", head=xs, issuer_head=entity)
        if seal_label:
            inner = encrypted(p, sign(inner), "aes256-cbc", seal_label, beside=True)
            text = response("saml2p:", p, issuer, inner, head=xs, issuer_head=entity,
                            slot=signature("_r1", prefixes="xs"))
            return '<?xml version="1.0" encoding="UTF-8"?>' + sign(text)
        text = sign(response("saml2p:", p, issuer, inner, head=xs, issuer_head=entity))
        return '<?xml version="1.0" encoding="UTF-8"?>' + sign(splice(
            text, "<saml2p:Status>", signature("_r1", prefixes="xs") + "<saml2p:Status>"))

    claims = {"email": [ALICE], "groups": ["Everyone", "Editors"]}
    shapes.good("okta-saml20", message(), claims, **world,
                note="Okta: both signed, PrefixList, xsi:type on every value")
    shapes.bad("okta-audience", message(ACS), "audience.mismatch", issuers=(OKTA,),
               note="Audience URI is the address of the endpoint, not our entity ID")
    shapes.bad("okta-other-app", message(issuer=OKTA.replace("01", "02")), "issuer.untrusted",
               issuers=(OKTA,), note="each application of an organization is an issuer of its own")
    shapes.good("okta-encrypted", message(seal_label="okta"), claims, decryptKeys=RP_KEY, **world,
                note="the EncryptedKey stands beside the data, which names it by a RetrievalMethod")
    shapes.bad("okta-encrypted-no-key", message(seal_label="okta"), "encryption.no-key", signed=False,
               issuers=(OKTA,), note="the same without our key")


def auth0(shapes):
    p = "saml:"
    namespace = "http://schemas.auth0.com/"

    def message(**options):
        types = f' xmlns:xs="{XS}" xmlns:xsi="{XSI}"'

        def said(name, value):
            return (f'<saml:Attribute Name="{name}"><saml:AttributeValue xsi:type="xs:anyType">'
                    f"{value}</saml:AttributeValue></saml:Attribute>")
        inner = assertion(
            p, AUTH0, subject(p, "auth0|0001", f' Format="{UNSPECIFIED}"'), conditions(p),
            statement(p, said(NAME_IDENTIFIER, "auth0|0001"), said(P1 + "emailaddress", ALICE),
                      said(namespace + "email_verified", "true"),
                      said(namespace + "identities", "[object Object]"), head=types),
            authn(p, NO_CONTEXT))
        return response("samlp:", p, AUTH0, inner, last=signature("_r1", prefix="", **options))

    world = {"issuer": AUTH0, "issuers": (AUTH0,), "id": "_a1", "subject": "auth0|0001",
             "context": NO_CONTEXT}
    claims = {NAME_IDENTIFIER: ["auth0|0001"], P1 + "emailaddress": [ALICE],
              namespace + "email_verified": ["true"], namespace + "identities": ["[object Object]"]}
    shapes.good("auth0-saml20", sign(message()), claims, **world,
                note="Auth0 with signResponse: the signature is the last child of the Response")
    old = sign(message(method="rsa-sha1", digest="sha1"))
    shapes.bad("auth0-sha1", old, "algorithm.legacy", issuers=(AUTH0,),
               note="signatureAlgorithm is rsa-sha1")
    shapes.good("auth0-sha1-allowed", old, claims, allow=("rsa-sha1",), **world,
                note="the same where the exception is made by name")


def google(shapes):
    p = "saml2:"
    kind = "xs:anyType"

    def message(request=REQUEST, key="idp-rsa", recipient=ACS):
        info = ("<ds:KeyInfo><ds:X509Data><ds:X509SubjectName>ST=California,C=US,OU=Google For Work,"
                "CN=Google,L=Mountain View,O=Google Inc.</ds:X509SubjectName><ds:X509Certificate>"
                f"{keys.certificate_text(key)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>")
        inner = assertion(
            p, GOOGLE, subject(p, ALICE, "", request=request, recipient=recipient), conditions(p),
            statement(p, '<saml2:Attribute Name="phone"/>',
                      attribute(p, "firstName", "Alice", type=kind),
                      attribute(p, "groups", "staff", "editors", type=kind)),
            authn(p, NO_CONTEXT, "_a1"))
        text = response("saml2p:", p, GOOGLE, inner, request=request, destination=recipient,
                        slot=signature("_r1", key_info=info))
        return ('<?xml version="1.0" encoding="UTF-8" standalone="no"?>' + sign(text, key))

    world = {"issuer": GOOGLE, "issuers": (GOOGLE,), "id": "_a1",
             "context": NO_CONTEXT}
    claims = {"firstName": ["Alice"], "groups": ["staff", "editors"]}
    shapes.good("google-saml20", message(), claims, **world,
                note="Google: the Response is signed, an attribute without value is an empty element")
    second = message(key="other-rsa")
    shapes.bad("google-second-certificate", second, "signature.invalid", issuers=(GOOGLE,),
               note="the application uses the second certificate, known is the first")
    shapes.good("google-both-certificates", second, claims, keys=(IDP_KEY, OTHER_KEY), **world,
                note="the same where both certificates are trusted")
    begun = message(request=None)
    shapes.good("google-started", begun, claims, request=None, **world,
                note="started from the list of applications: it answers no request")
    shapes.bad("google-started-refused", begun, "subject.in-response-to-missing", issuers=(GOOGLE,),
               note="the same where an answer to a request is expected")


def onelogin(shapes):
    p = "saml:"
    types = f' xmlns:xs="{XS}" xmlns:xsi="{XSI}"'

    def message(audience=RP, key="idp-rsa", whole=False, destination=ACS, **options):
        slot = signature("pfx-a1", certificate=key, **options)
        inner = assertion(
            p, ONELOGIN, subject(p, ALICE, f' Format="{EMAIL_FORMAT}"', request=None),
            conditions(p, audience=audience), authn(p, session="_d5"),
            statement(p, '<saml:Attribute Name="memberOf"' + ATTRIBUTE_FORMAT("basic")
                      + '><saml:AttributeValue xsi:type="xs:string">staff;editor'
                        "</saml:AttributeValue></saml:Attribute>"),
            slot="" if whole else slot, id="pfx-a1", head=types)
        return sign(response(
            "samlp:", p, ONELOGIN, inner, destination=destination, request=None,
            slot=signature("_r1") if whole else ""), key)

    world = {"issuer": ONELOGIN, "issuers": (ONELOGIN,), "id": "pfx-a1", "request": None}
    refused = {"issuers": (ONELOGIN,), "request": None}
    claims = {"memberOf": ["staff;editor"]}
    shapes.good("onelogin-saml20", message(), claims, **world,
                note="OneLogin: the assertion is signed, it answers no request")
    shapes.bad("onelogin-audience", message(audience="{audience}"), "audience.mismatch", **refused,
               note="Audience was left empty at the issuer; this is a recorded value")
    shapes.good("onelogin-no-destination", message(destination=None), claims, **world,
                note="Destination is missing, the signed Recipient binds the token")
    shapes.bad("onelogin-no-destination-signed", message(whole=True, destination=None),
               "response.destination-missing", **refused,
               note="a signed Response has to name its destination")
    shapes.bad("onelogin-sha1", message(method="rsa-sha1", digest="sha1"), "algorithm.legacy",
               **refused, note="SAML Signature Algorithm is SHA-1")
    shapes.good("onelogin-expired-certificate", message(key="expired"), claims,
                keys=("keys/expired.crt",), **world,
                note="the certificate around the key has expired: a warning")
