"""The base documents B1 to B9, built once. Everything else is cut from them as text."""

import base64
import hashlib
import hmac
import json

from .. import keys, saml11
from ..documents20 import (
    REQUESTER, SAML, assertion, claims, confirmation, part, response, signed, status, subject)
from ..encryption import around, whole
from ..jwt import CLAIMS as JWT_CLAIMS, b64, hs
from ..metadata import entity, idp_role
from ..saml20 import SLOT
from ..sealing import sealed
from ..signing import raw_signature, reference, sign, template
from ..swt import escaped
from ..world import ALICE, AT, IDP, IDP_KEY, RP, splice

SWT_HEAD = (
    "role=user&Issuer=https%3a%2f%2fidp.example%2fidp&Audience=https%3a%2f%2frp.example%2fsaml"
    "&ExpiresOn=1893499500")
SECRET = "hmac-file:keys/acs.key"
WS = {"format": "rstr", "recipient": None, "inResponseTo": None}
SWT = {"format": "swt", "pin": "swt", "keys": [SECRET], "recipient": None, "inResponseTo": None,
       "subject": None, "tokenID": None, "claims": {"role": ["user"]}}
NOON = 1893499200


def mac(message, key=keys.SWT_KEY):
    return base64.b64encode(hmac.new(key, message.encode(), hashlib.sha256).digest()).decode()


def swt(message, key=keys.SWT_KEY):
    """The token whose MAC is right for exactly these bytes."""
    return f"{message}&HMACSHA256={escaped(mac(message, key))}"


def bearer_without_data():
    return subject(f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(""))


def saml20_token(**parts):
    """A SAML 2.0 assertion for WS-Federation: nobody is named as its recipient."""
    text = assertion(**{"subject": bearer_without_data()} | parts)
    return splice(text, "<saml:Assertion ", f'<saml:Assertion xmlns:saml="{SAML}" ', 1)


def es256(payload):
    head = b64(json.dumps({"alg": "ES256", "typ": "JWT"})) + "." + b64(json.dumps(payload))
    return f"{head}.{b64(raw_signature(head.encode(), 'idp-ec256', 'ecdsa-sha256'))}"


def rs256(payload, header=None, key="idp-rsa"):
    head = b64(json.dumps(header or {"alg": "RS256", "typ": "JWT"})) + "." + b64(
        json.dumps(payload) if not isinstance(payload, str) else payload)
    return f"{head}.{b64(raw_signature(head.encode(), key, 'rsa-sha256'))}"


def add(suite):
    good = {"claims": claims()}
    suite.base("B1", signed(response()), **good)
    suite.base("B2", signed(response(), None, "_r"), **good)
    suite.base("B3", signed(response(), "_a", "_r"), **good)
    inner = signed(whole(assertion()))
    rp = {"decryptKeys": ["keys/rp-rsa.key"]}
    suite.base("B4", around(sealed(inner, "B4", "aes256-gcm"), sign=True), **good, **rp)
    suite.base("B4u", around(sealed(inner, "B4u", "aes256-gcm")), **good, **rp)
    one = {"claims": saml11.claims()}
    # Nothing signed says where it was sent or what it answers.
    suite.base("B5", signed(saml11.response(saml11.assertion(declare=True))), format="saml11",
               recipient=None, inResponseTo=None, **one)
    suite.base("B5r", signed(saml11.response(), None, "_r"), format="saml11", **one)
    token = signed(saml11.assertion())
    suite.base("B6", saml11.rstr(token), **WS, **one)
    suite.base("B6c", saml11.collection(saml11.rstr(
        token, trust=saml11.TRUST13, declare=False)), **WS, **one)
    suite.base("B6e", saml11.rstr(signed(saml20_token()), type=SAML), **WS, **good)
    suite.base("B7", swt(SWT_HEAD), suffix="txt", **SWT)
    jwt = {"format": "jwt", "pin": "jwt", "recipient": None, "inResponseTo": None,
           "subject": "alice", "tokenID": "t1",
           "claims": {"sub": ["alice"], "iat": [str(NOON - 60)], "role": ["user"]}}
    suite.base("B8", rs256(JWT_CLAIMS), suffix="txt", **jwt)
    suite.base("B8e", es256(JWT_CLAIMS), suffix="txt", keys=["keys/idp-ec256.crt"], **{
        key: value for key, value in jwt.items()})
    suite.base("B8h", hs({"alg": "HS256", "typ": "JWT"}, JWT_CLAIMS), suffix="txt", keys=[
        "hmac-file:keys/hmac-64.key"], **jwt)
    suite.base("B11", signed(response("", status=status(REQUESTER)), None, "_r"),
               code="response.status")
