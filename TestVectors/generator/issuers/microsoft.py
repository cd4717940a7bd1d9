"""AD FS and Entra ID."""

import re

from .. import keys
from ..documents20 import SAML
from ..jwt import NOON
from ..metadata import entity, fed_role, idp_role
from ..metadata import key as descriptor
from ..saml11 import SAML as SAML11
from ..saml11 import rstr
from ..sealing import content_key, data, key_info, oaep_key, seal
from ..signing import DS, sign
from ..world import ALICE, IDP_KEY, P1, P2, RP, splice
from .shapes import (
    EMAIL_FORMAT, NOW, OTHER_KEY, RP_KEY, assertion, attribute, authn, conditions,
    response, signature, statement, subject)

ADFS = "http://fs.example/adfs/services/trust"


def adfs(shapes):
    world = {"issuer": ADFS, "issuers": (ADFS,), "id": "_a1"}
    refused = {"issuers": (ADFS,)}
    slot = re.sub("<ds:KeyInfo>(.*)</ds:KeyInfo>", lambda found: (
        f'<KeyInfo xmlns="{DS}">' + found.group(1).replace("ds:", "") + "</KeyInfo>"),
        signature("_a1"))

    def token(since="2030-01-01T12:00:00.000Z", slot=slot):
        return assertion(
            "", ADFS, subject("", ALICE, f' Format="{EMAIL_FORMAT}"'), conditions("", since=since),
            statement("", attribute("", P1 + "givenname", "Alice"),
                      attribute("", P2 + "role", "staff", "editor")), authn("", session="_a1"),
            slot=slot)

    def message(inner, **more):
        head = ' Consent="urn:oasis:names:tc:SAML:2.0:consent:unspecified"'
        return response("samlp:", "", ADFS, inner, head=head, **more)

    claims = {P1 + "givenname": ["Alice"], P2 + "role": ["staff", "editor"]}
    shapes.good("adfs-saml20", sign(message(token())), claims, **world,
                note="AD FS: the assertion in the default namespace is signed, its KeyInfo too")
    ahead = sign(message(token("2030-01-01T12:01:30.000Z")))
    shapes.bad("adfs-clock-ahead", ahead, "time.not-yet-valid", **refused,
               note="no NotBeforeSkew, and a clock that is 90 seconds ahead")
    shapes.good("adfs-clock-ahead-skew", ahead, claims, skew=120, **world,
                note="the same with a tolerance of two minutes")
    rolled = sign(message(token()), "other-rsa")
    shapes.bad("adfs-rolled-over", rolled, "signature.invalid", **refused,
               note="signed by the certificate that became primary, known is the other")
    shapes.good("adfs-rolled-over-both", rolled, claims, keys=(IDP_KEY, OTHER_KEY), **world,
                note="the same where both certificates are trusted")
    sealed = sign(token())
    cek = content_key("aes256-cbc", "adfs")
    inner = (f'<EncryptedAssertion xmlns="{SAML}">' + data(
        seal(sealed.encode(), "aes256-cbc", cek, "adfs"), "aes256-cbc",
        info=key_info(oaep_key(cek, "adfs"))) + "</EncryptedAssertion>")
    shapes.good("adfs-encrypted", message(inner), claims, decryptKeys=RP_KEY, **world,
                note="the relying party trust has an encryption certificate")
    shapes.bad("adfs-encrypted-no-key", message(inner), "encryption.no-key", signed=False, **refused,
               note="the same without our key")
    passive(shapes, world, refused)
    both = (descriptor("idp-rsa"), descriptor("other-rsa"))
    shapes.metadata("adfs-metadata", entity(
        fed_role("ApplicationServiceType", descriptor("idp-rsa")),
        fed_role("SecurityTokenServiceType", *both), idp_role(*both), name=ADFS),
        {ADFS: ["idp-rsa", "other-rsa"]},
        "federation metadata before a rollover: two signing certificates in each role")


def passive(shapes, world, refused):
    """WS-Federation: a wresult with SAML 1.1."""
    def named(confirmation="bearer"):
        return (f"<saml:Subject><saml:NameIdentifier>{ALICE}</saml:NameIdentifier>"
                "<saml:SubjectConfirmation><saml:ConfirmationMethod>urn:oasis:names:tc:SAML:1.0:cm:"
                f"{confirmation}</saml:ConfirmationMethod></saml:SubjectConfirmation></saml:Subject>")

    def said(name, namespace, *values):
        inner = "".join(f"<saml:AttributeValue>{each}</saml:AttributeValue>" for each in values)
        return (f'<saml:Attribute AttributeName="{name}" AttributeNamespace="{namespace[:-1]}">'
                f"{inner}</saml:Attribute>")

    password = "urn:oasis:names:tc:SAML:1.0:am:password"
    token = sign(
        f'<saml:Assertion MajorVersion="1" MinorVersion="1" AssertionID="_a1" Issuer="{ADFS}" '
        f'IssueInstant="{NOW}" xmlns:saml="{SAML11}"><saml:Conditions NotBefore="{NOW}" '
        'NotOnOrAfter="2030-01-01T13:00:00.000Z"><saml:AudienceRestrictionCondition>'
        f"<saml:Audience>{RP}</saml:Audience></saml:AudienceRestrictionCondition></saml:Conditions>"
        f'<saml:AttributeStatement>{named()}{said("emailaddress", P1, ALICE)}'
        f'{said("role", P2, "staff", "editor")}</saml:AttributeStatement>'
        f'<saml:AuthenticationStatement AuthenticationMethod="{password}" '
        f'AuthenticationInstant="{NOW}">{named()}</saml:AuthenticationStatement>'
        f'{signature("_a1")}</saml:Assertion>')
    free = {"recipient": None, "request": None, "format": "rstr"}
    shapes.good("adfs-wsfed", rstr(token).replace("\n  ", ""), {
        P1 + "emailaddress": [ALICE], P2 + "role": ["staff", "editor"]}, context=password,
        **world | free, note="the wresult of AD FS: SAML 1.1 in a response of WS-Trust 2005/02")
    shapes.bad("adfs-wsfed-tampered", rstr(splice(token, ">editor<", ">admin<")),
               "signature.digest-mismatch", signed=False, **refused | free,
               note="a role was changed")


TENANT = "11111111-2222-3333-4444-555555555555"
ENTRA1 = f"https://sts.windows.net/{TENANT}/"
ENTRA2 = f"https://login.microsoftonline.com/{TENANT}/v2.0"
OTHER_TENANT = "99999999-2222-3333-4444-555555555555"
ENTRA_CLAIMS = "http://schemas.microsoft.com/identity/claims/"


def entra(shapes):
    password = "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"
    link = "http://schemas.microsoft.com/claims/groups.link"
    slot = signature("_a1", prefix="")

    def token(issuer=ENTRA1, groups=True, confirmation=None):
        said = attribute("", P2 + "groups", "g-1", "g-2") if groups else attribute(
            "", link, f"https://graph.windows.net/{TENANT}/users/u-1/getMemberObjects")
        named = subject("", ALICE, f' Format="{EMAIL_FORMAT}"')
        if confirmation:
            named = re.sub("<SubjectConfirmation .*</SubjectConfirmation>", confirmation, named)
        return assertion(
            "", issuer, named, conditions(""),
            statement("", attribute("", ENTRA_CLAIMS + "tenantid", TENANT),
                      attribute("", ENTRA_CLAIMS + "objectidentifier", "u-1"), said),
            authn("", password), slot=slot)

    def message(**options):
        return response("samlp:", "", options.get("issuer", ENTRA1), sign(token(**options)))

    world = {"issuer": ENTRA1, "issuers": (ENTRA1,), "id": "_a1", "context": password}
    claims = {ENTRA_CLAIMS + "tenantid": [TENANT], ENTRA_CLAIMS + "objectidentifier": ["u-1"]}
    groups = {P2 + "groups": ["g-1", "g-2"]}
    shapes.good("entra-saml20", message(), claims | groups, **world,
                note="Entra ID: the assertion alone is signed, everything in default namespaces")
    shapes.bad("entra-other-tenant", message(issuer=ENTRA1.replace(TENANT, OTHER_TENANT)),
               "issuer.untrusted", issuers=(ENTRA1,), note="another tenant, signed by a key we know")
    shapes.good("entra-groups-link", message(groups=False), claims | {link: [
        f"https://graph.windows.net/{TENANT}/users/u-1/getMemberObjects"]}, **world,
        note="more than 150 groups: a link in their place")
    bearer = '<SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"/>'
    passive = {"recipient": None, "request": None, "format": "rstr"}
    shapes.good("entra-wsfed", rstr(sign(token(confirmation=bearer)), type=SAML), claims | groups,
                **world | passive, note="WS-Federation: SAML 2.0 without confirmation data")
    tokens(shapes)


def tokens(shapes):
    """ID tokens of both versions."""
    payload = {
        "aud": "client-1", "iss": ENTRA2, "iat": NOON - 60, "nbf": NOON - 60, "exp": NOON + 3600,
        "oid": "u-1", "tid": TENANT, "sub": "pairwise-1", "ver": "2.0", "groups": ["g-1", "g-2"]}
    said = {"iat": [str(NOON - 60)], "oid": ["u-1"], "tid": [TENANT], "sub": ["pairwise-1"]}
    key, kid = keys.private("idp-rsa"), {"kid": "rsa-1"}
    known = ("jwks:keys/jwks.json",)
    shapes.jwt("entra-jwt", payload, key, issuer=ENTRA2, trust=known, headers=kid,
               claims=said | {"ver": ["2.0"], "groups": ["g-1", "g-2"]}, note="an ID token of version 2.0")
    old = payload | {"iss": ENTRA1, "ver": "1.0"}
    shapes.jwt("entra-jwt-1-0", old, key, "issuer.untrusted", issuer=ENTRA2, trust=known, headers=kid,
               note="version 1.0 has another issuer")
    shapes.jwt("entra-jwt-1-0-named", old, key, issuer=ENTRA1, trust=known, headers=kid,
               claims=said | {"ver": ["1.0"], "groups": ["g-1", "g-2"]},
               note="the same where that issuer is trusted")
    foreign = payload | {"tid": OTHER_TENANT, "iss": ENTRA2.replace(TENANT, OTHER_TENANT)}
    shapes.jwt("entra-jwt-other-tenant", foreign, key, "issuer.untrusted", issuer=ENTRA2, trust=known,
               headers=kid, note="another tenant, whose tokens the same key signs")
    many = {name: value for name, value in payload.items() if name != "groups"} | {
        "_claim_names": {"groups": "src1"},
        "_claim_sources": {"src1": {"endpoint": "https://graph.example/u-1/getMemberObjects"}}}
    shapes.jwt("entra-jwt-overage", many, key, issuer=ENTRA2, trust=known, headers=kid, claims=said | {
        "ver": ["2.0"], "_claim_names": ['{"groups":"src1"}'],
        "_claim_sources": ['{"src1":{"endpoint":"https://graph.example/u-1/getMemberObjects"}}']},
        note="more than 200 groups: the names of other sources in their place")
