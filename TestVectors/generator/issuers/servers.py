"""Keycloak, Shibboleth, SimpleSAMLphp, PingFederate, and the local Access Control Service."""

from .. import keys, swt
from ..documents20 import XS, XSI
from ..jwt import NOON
from ..rstr import binary
from ..rstr import rstr as wrapped
from ..saml11 import SAML as SAML11
from ..saml11 import rstr
from ..signing import sign
from ..world import ALICE, IDP_KEY, P1, P2, RP, splice
from .shapes import (
    ATTRIBUTE_FORMAT, EMAIL_FORMAT, NO_CONTEXT, NOW, OTHER_KEY, PERSISTENT, RP_KEY, TRANSIENT, assertion,
    attribute, authn, conditions, encrypted, response, signature, statement, subject)

KEYCLOAK = "https://keycloak.example/realms/campus"
SHIBBOLETH = "https://shibboleth.example/idp/shibboleth"
SIMPLESAML = "https://php.example/simplesaml/saml2/idp/metadata.php"
PING = "https://ping.example:9031"


def keycloak(shapes):
    p, basic = "saml:", ATTRIBUTE_FORMAT("basic")
    public = keys.private("idp-rsa").public_key().public_numbers()

    def text(number):
        return swt.base64.b64encode(number.to_bytes((number.bit_length() + 7) // 8, "big")).decode()

    info = ("<ds:KeyInfo><ds:KeyName>k-1</ds:KeyName><ds:X509Data><ds:X509Certificate>"
            f"{keys.certificate_text('idp-rsa')}</ds:X509Certificate></ds:X509Data><ds:KeyValue>"
            f"<ds:RSAKeyValue><ds:Modulus>{text(public.n)}</ds:Modulus><ds:Exponent>{text(public.e)}"
            "</ds:Exponent></ds:RSAKeyValue></ds:KeyValue></ds:KeyInfo>")

    def message(documents=True, assertions=False, key="idp-rsa", destination=None, cipher=None):
        outer = signature("_r1", prefix="dsig", key_info=info) if documents else ""
        inner = assertion(
            p, KEYCLOAK, subject(p, "f-1", f' Format="{PERSISTENT}"'), conditions(p),
            authn(p, NO_CONTEXT),
            statement(p, *(attribute(p, "Role", role, head=basic + ' FriendlyName="Role"',
                                     type="xs:string") for role in ("editor", "offline_access"))),
            slot=signature("_a1", prefix="dsig", key_info=info) if assertions else "")
        if cipher:
            inner = encrypted(p, inner, cipher, "keycloak")
        elif assertions:
            inner = sign(inner, key)
        whole = response("samlp:", p, KEYCLOAK, inner, slot=outer,
                         **({"destination": destination} if destination else {}))
        return sign(whole, key) if documents else whole

    world = {"issuer": KEYCLOAK, "issuers": (KEYCLOAK,), "id": "_a1", "subject": "f-1",
             "context": NO_CONTEXT}
    refused = {"issuers": (KEYCLOAK,)}
    claims = {"Role": ["editor", "offline_access"]}
    shapes.good("keycloak-saml20", message(), claims, **world,
                note="Keycloak, Sign documents: prefix dsig, one Attribute for each role")
    shapes.good("keycloak-assertions", message(False, True), claims, **world,
                note="Sign assertions alone")
    shapes.bad("keycloak-unsigned", message(False), "signature.missing", signed=False, **refused,
               note="neither Sign documents nor Sign assertions")
    shapes.bad("keycloak-destination", message(destination="https://rp.example/other"),
               "response.destination-mismatch", **refused,
               note="the address that the client has at Keycloak is not where we are asked")
    rolled = message(key="other-rsa")
    shapes.bad("keycloak-other-realm-key", rolled, "signature.invalid", **refused,
               note="the realm has a new active key")
    shapes.good("keycloak-both-realm-keys", rolled, claims, keys=(IDP_KEY, OTHER_KEY), **world,
                note="the same where both keys are trusted")
    shapes.good("keycloak-encrypted", message(cipher="aes128-cbc"), claims, decryptKeys=RP_KEY, **world,
                note="Encrypt assertions: AES-128-CBC inside a signed document")
    shapes.bad("keycloak-encrypted-unsigned", message(False, cipher="aes128-cbc"), "encryption.failed",
               signed=False, decryptKeys=RP_KEY, **refused,
               note="AES-CBC that nothing authenticates")
    payload = {"iss": KEYCLOAK, "aud": "client-1", "sub": "f-1", "iat": NOON - 60, "exp": NOON + 300,
               "jti": "t-1", "typ": "ID", "azp": "client-1", "preferred_username": "alice"}
    said = {"iat": [str(NOON - 60)], "sub": ["f-1"], "typ": ["ID"], "azp": ["client-1"],
            "preferred_username": ["alice"]}
    private = keys.private("idp-rsa")
    shapes.jwt("keycloak-jwt", payload, private, issuer=KEYCLOAK, claims=said, note="an ID token")
    shapes.jwt("keycloak-jwt-account", payload | {"aud": "account", "typ": "Bearer"}, private,
               "audience.mismatch", issuer=KEYCLOAK, note="an access token without an audience mapper")
    shapes.jwt("keycloak-jwt-hmac", payload, keys.secret("hmac-64"), "algorithm.key-mismatch",
               issuer=KEYCLOAK, algorithm="HS256", note="a client whose ID tokens are signed by HS256")


def shibboleth(shapes):
    p, uri = "saml2:", ATTRIBUTE_FORMAT("uri")
    mail, affiliation, targeted = (
        "urn:oid:0.9.2342.19200300.100.1.3", "urn:oid:1.3.6.1.4.1.5923.1.1.1.9",
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.10")
    qualified = f'NameQualifier="{SHIBBOLETH}" SPNameQualifier="{{}}"'.format

    def message(cipher="aes128-gcm", whole=True, sp=RP):
        name_id = (f'<saml2:NameID Format="{PERSISTENT}" {qualified(sp)}>p-1</saml2:NameID>')
        inner = assertion(
            p, SHIBBOLETH, subject(p, "_t1", f' Format="{TRANSIENT}" {qualified(sp)}'), conditions(p),
            authn(p), statement(
                p, attribute(p, mail, ALICE, head=uri + ' FriendlyName="mail"', type="xs:string"),
                attribute(p, affiliation, "staff@shibboleth.example", "member@shibboleth.example",
                          head=uri + ' FriendlyName="eduPersonScopedAffiliation"', type="xs:string"),
                attribute(p, targeted, name_id, head=uri + ' FriendlyName="eduPersonTargetedID"')))
        if cipher:
            inner = encrypted(p, inner, cipher, "shibboleth " + cipher)
        text = response("saml2p:", p, SHIBBOLETH, inner, slot=signature("_r1") if whole else "")
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + (sign(text) if whole else text)

    world = {"issuer": SHIBBOLETH, "issuers": (SHIBBOLETH,), "id": "_a1", "subject": "_t1"}
    refused = {"issuers": (SHIBBOLETH,)}
    claims = {mail: [ALICE], affiliation: ["staff@shibboleth.example", "member@shibboleth.example"],
              targeted: [f'<saml2:NameID xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion" '
                         f'Format="{PERSISTENT}" {qualified(RP)}>p-1</saml2:NameID>']}
    shapes.good("shibboleth-encrypted", message(), claims, decryptKeys=RP_KEY, **world,
                note="Shibboleth: the Response is signed, the assertion inside is AES-128-GCM")
    shapes.bad("shibboleth-no-key", message(), "encryption.no-key", signed=False, **refused,
               note="the same without our key")
    shapes.bad("shibboleth-unsigned", message(whole=False), "signature.missing", signed=False,
               decryptKeys=RP_KEY, **refused, note="signResponses is off: nothing is signed")
    shapes.good("shibboleth-cbc", message("aes128-cbc"), claims, decryptKeys=RP_KEY, **world,
                note="the cipher of older versions")
    shapes.good("shibboleth-plain", message(None), claims, **world, note="encryptAssertions is off")
    shapes.bad("shibboleth-other-sp", message(None, sp="https://other.example/saml"),
               "subject.sp-name-qualifier", **refused, note="the name was made for another service")


def simplesaml(shapes):
    p, basic = "saml:", ATTRIBUTE_FORMAT("basic")
    types = f' xmlns:xsi="{XSI}" xmlns:xs="{XS}"'

    def message(audience=RP):
        name = f' SPNameQualifier="{audience}" Format="{TRANSIENT}"'

        def said(name, *values):
            inner = "".join(f'<saml:AttributeValue xsi:type="xs:string">{value}</saml:AttributeValue>'
                            for value in values)
            return f'<saml:Attribute Name="{name}"{basic}>{inner}</saml:Attribute>'
        inner = sign(assertion(
            p, SIMPLESAML, subject(p, "_t1", name), conditions(p, audience=audience),
            authn(p, session="_s1"),
            statement(p, said("mail", ALICE), said("eduPersonAffiliation", "staff", "member")),
            slot=signature("_a1"), head=types))
        return sign(response("samlp:", p, SIMPLESAML, inner, slot=signature("_r1")))

    world = {"issuer": SIMPLESAML, "issuers": (SIMPLESAML,), "id": "_a1"}
    claims = {"mail": [ALICE], "eduPersonAffiliation": ["staff", "member"]}
    shapes.good("simplesaml-saml20", message(), claims, subject="_t1", **world,
                note="SimpleSAMLphp: both signed, basic attribute names, a transient name")
    shapes.bad("simplesaml-audience", message("https://other.example/saml"), "audience.mismatch",
               issuers=(SIMPLESAML,), note="made for another service provider")
    passive_php(shapes, world)


def passive_php(shapes, world):
    """The WS-Federation of its module adfs: a SAML 1.1 subject without confirmation."""
    password = "urn:oasis:names:tc:SAML:1.0:am:password"

    def token(until="2030-01-01T13:00:00Z"):
        named = "<saml:Subject><saml:NameIdentifier>alice</saml:NameIdentifier></saml:Subject>"
        return sign(
            f'<saml:Assertion xmlns:saml="{SAML11}" MajorVersion="1" MinorVersion="1" '
            f'AssertionID="_a1" Issuer="{SIMPLESAML}" IssueInstant="2030-01-01T11:30:00Z">'
            f'<saml:Conditions NotBefore="2030-01-01T11:29:30Z" NotOnOrAfter="{until}">'
            f"<saml:AudienceRestrictionCondition><saml:Audience>{RP}</saml:Audience>"
            "</saml:AudienceRestrictionCondition></saml:Conditions><saml:AuthenticationStatement "
            f'AuthenticationMethod="{password}" AuthenticationInstant="{NOW[:-5]}Z">{named}'
            f"</saml:AuthenticationStatement><saml:AttributeStatement>{named}<saml:Attribute "
            f'AttributeNamespace="{P1[:-1]}" AttributeName="emailaddress"><saml:AttributeValue>{ALICE}'
            f'</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>{signature("_a1")}'
            "</saml:Assertion>")

    free = {"recipient": None, "request": None, "format": "rstr"}
    shapes.good("simplesaml-wsfed", rstr(token()), {P1 + "emailaddress": [ALICE]}, subject="alice",
                context=password, **world | free,
                note="SAML 1.1 whose subject has no SubjectConfirmation: a warning")
    shapes.bad("simplesaml-wsfed-expired", rstr(token("2030-01-01T11:45:00Z")), "time.expired",
               issuers=(SIMPLESAML,), note="older than its lifetime", **free)


def ping(shapes):
    p = "saml:"
    unspecified = ATTRIBUTE_FORMAT("unspecified")

    def message(whole=False, destination=None):
        slot = signature("X9y.a1-b", certificate=None).replace("><ds:", ">\n<ds:")
        inner = assertion(
            p, PING, subject(p, ALICE, f' Format="{EMAIL_FORMAT}"'), conditions(p),
            authn(p, session="X9y.a1-b"),
            statement(p, attribute(p, "group", "red,green,blue", head=unspecified, type="xs:string")),
            slot="" if whole else slot, id="X9y.a1-b")
        return sign(response("samlp:", p, PING, inner, destination=destination,
                             slot=signature("_r1") if whole else ""))

    world = {"issuer": PING, "issuers": (PING,), "id": "X9y.a1-b"}
    claims = {"group": ["red,green,blue"]}
    shapes.good("ping-saml20", message(), claims, **world,
                note="PingFederate: a signed assertion in a Response without Destination")
    shapes.bad("ping-no-destination-signed", message(True), "response.destination-missing",
               issuers=(PING,), note="a signed Response has to name its destination")
    shapes.bad("ping-tampered", splice(message(), "red,green,blue", "red,green,admin"),
               "signature.digest-mismatch", signed=False, issuers=(PING,), note="a group was changed")


def local_acs(shapes):
    """What acs issues: Simple Web Tokens by themselves and in a wresult."""
    issuer = "http://127.0.0.1:8090/"
    type = (P2 + "role").replace(":", "%3a").replace("/", "%2f")
    token = swt.signed(f"{type}=editor&Audience=urn%3atalks&ExpiresOn={NOON + 600}"
                       "&Issuer=http%3a%2f%2f127.0.0.1%3a8090%2f")
    claims = {P2 + "role": ["editor"]}
    world = {"keys": ("hmac-file:keys/acs.key",), "issuers": (issuer,), "audiences": ("urn:talks",),
             "recipient": None, "request": None}

    def add(name, text, code=None, *, note, **more):
        outcome = {} if code else {"claims": claims}
        shapes.writer.add(name, text, code, issuer=issuer, subject=None, id=None, by="Python hmac",
                          note=note, **outcome, **world | more)

    plain = {"suffix": "txt", "format": "swt"}
    add("acs-swt", token, note="acs: the answer of WRAP v0.9", **plain)
    add("acs-swt-expired", token, "time.expired", at="2030-01-01T12:11:00Z", **plain,
        note="the lifetime of a relying party is 600 seconds")
    add("acs-wsfed", wrapped(binary(swt.base64.b64encode(token.encode()).decode())), format="rstr",
        note="the same in the wresult of WS-Federation")
    add("acs-other-key", token, "signature.mac-mismatch", keys=("hmac-file:keys/acs-other.key",),
        note="the key of another relying party", **plain)
