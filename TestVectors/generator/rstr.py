"""rstr/: Simple Web Tokens in WS-Trust envelopes and in javascriptnotify JSON."""

import base64
import json

from . import swt
from .saml11 import ADDRESSING, POLICY, SOAP, TRUST, WSSE, WSU, splice

SWT_TYPE = "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"
BASE64 = ("http://docs.oasis-open.org/wss/2004/01/"
          "oasis-200401-wss-soap-message-security-1.0#Base64Binary")

# TV-7 of the protocol reference, as it prints it.
TV7 = (
    '{"appliesTo":"uri:talks.example.org","context":null,"created":1893455400,"expires":'
    '1893456000,"securityToken":"&lt;?xml version=&quot;1.0&quot; encoding=&quot;utf-16&quot;?>'
    "&lt;wsse:BinarySecurityToken wsu:Id=&quot;uuid:11111111-2222-3333-4444-555555555555-1&quot; "
    f"ValueType=&quot;{SWT_TYPE}&quot; EncodingType=&quot;{BASE64}&quot; "
    f"xmlns:wsu=&quot;{WSU}&quot; xmlns:wsse=&quot;{WSSE}&quot;>"
    "cm9sZT1lZGl0b3ImQXVkaWVuY2U9dXJpJTNhdGFsa3MuZXhhbXBsZS5vcmcmRXhwaXJlc09uPTE4OTM0NTYwMDAmSX"
    "NzdWVyPWh0dHBzJTNhJTJmJTJmdGFsa3Nucy5hY2Nlc3Njb250cm9sLndpbmRvd3MubmV0JTJmJkhNQUNTSEEyNTY9"
    "aHcxbzl5eGVRRzFpb0g2WDZ2WVhtbGRDOGhKa1NtbDFvZ0JIdnBaU3pWYyUzZA=="
    f'&lt;/wsse:BinarySecurityToken>","tokenType":"{SWT_TYPE}"}}')


def binary(content, value_type=SWT_TYPE, encoding=BASE64):
    types = f' ValueType="{value_type}"' if value_type else ""
    types += f' EncodingType="{encoding}"' if encoding else ""
    return (f'<wsse:BinarySecurityToken wsu:Id="uuid:1-2-3"{types} xmlns:wsu="{WSU}" '
            f'xmlns:wsse="{WSSE}">{content}</wsse:BinarySecurityToken>')


def rstr(token, type=SWT_TYPE, after=""):
    return (
        f'<t:RequestSecurityTokenResponse Context="rm=0&amp;id=p1" xmlns:t="{TRUST}">\n  '
        f'<t:Lifetime><wsu:Created xmlns:wsu="{WSU}">2029-12-31T23:50:00.000Z</wsu:Created>'
        f'<wsu:Expires xmlns:wsu="{WSU}">2030-01-01T00:00:00.000Z</wsu:Expires></t:Lifetime>\n  '
        f'<wsp:AppliesTo xmlns:wsp="{POLICY}"><EndpointReference xmlns="{ADDRESSING}">'
        "<Address>uri:talks.example.org</Address></EndpointReference></wsp:AppliesTo>\n  "
        f"<t:RequestedSecurityToken>{token}</t:RequestedSecurityToken>{after}\n  "
        f"<t:TokenType>{type}</t:TokenType>\n  <t:RequestType>{TRUST}/Issue</t:RequestType>\n  "
        "<t:KeyType>http://schemas.xmlsoap.org/ws/2005/05/identity/NoProofKey</t:KeyType>\n"
        "</t:RequestSecurityTokenResponse>\n")


def build(suite):
    def vector(name, text, code=None, attack=(), note="", suffix="xml", by="make.py", **more):
        path = f"rstr/{name}.{suffix}"
        suite.put(path, text)
        line = {
            "id": f"rstr/{name}", "file": path, "format": "rstr",
            "keys": ["hmac-file:keys/acs.key"], "issuers": [swt.ISSUER],
            "audiences": [swt.AUDIENCE], "at": swt.AT, "skew": 60, "recipient": None,
            "inResponseTo": None, "allow": [], "verdict": "reject" if code else "accept",
            "madeBy": by} | more
        if code:
            line["code"] = code
        else:
            line |= {"issuer": swt.ISSUER, "subject": None, "tokenID": None,
                     "claims": {"role": ["editor"]}}
        if attack:
            line["attack"] = [attack] if isinstance(attack, str) else list(attack)
        suite.add(line | {"note": note})

    content = base64.b64encode(swt.TV[2].encode()).decode()
    if content not in TV7:
        raise ValueError("TV-7 does not hold TV-2")
    folded = "\n".join(content[at:at + 76] for at in range(0, len(content), 76))
    good = binary(content)

    vector("swt", rstr(good), note="TV-2 in a BinarySecurityToken")
    vector("swt-folded", rstr(binary(f"\n{folded}\n")), note="base64 with line breaks")
    vector("notify", TV7, note="TV-7", suffix="json", by="Access Control Service (shape)")
    vector("notify-order", json.dumps(dict(reversed(json.loads(TV7).items())), indent=1) + "\n",
           note="the members in another order, indented", suffix="json")

    vector("two-tokens", rstr(good + good), "response.several-assertions", "WSF-2")
    vector("two-requested", rstr(good, after=(
        f"<t:RequestedSecurityToken>{good}</t:RequestedSecurityToken>")),
        "response.several-assertions", "WSF-2")
    vector("no-token", rstr(""), "response.no-assertion", "WSF-2")
    vector("value-type-jwt", rstr(binary(content, "urn:ietf:params:oauth:token-type:jwt")),
           "response.token-type", "WSF-6", "ValueType says JWT, the content is an SWT")
    vector("value-type-x509", rstr(binary(content, "http://docs.oasis-open.org/wss/2004/01/"
           "oasis-200401-wss-x509-token-profile-1.0#X509v3")), "response.token-type", "WSF-6")
    vector("value-type-missing", rstr(binary(content, None)), "response.token-type", "WSF-6")
    vector("encoding-hex", rstr(binary(swt.TV[2].encode().hex(), encoding=BASE64.replace(
        "Base64", "Hex"))), "response.token-type", "WSF-6")
    vector("token-type-saml", rstr(good, "urn:oasis:names:tc:SAML:1.0:assertion"),
           "response.token-type", "WSF-4")
    vector("base64-junk", rstr(binary(content[:9] + "*" + content[9:])), "input.base64", "WSF-6")
    vector("content-child", rstr(binary(f"{content[:8]}<x/>{content[8:]}")), "xml.mixed-content",
           "WSF-6")
    vector("tampered", rstr(binary(base64.b64encode(splice(
        swt.TV[2], "editor", "editos").encode()).decode())), "signature.mac-mismatch")
    vector("expired", rstr(binary(base64.b64encode(swt.TV[5].encode()).decode())), "time.expired",
           ["WSF-4", "TIME-16"], "the envelope's Lifetime has not ended")
    vector("audience", rstr(good), "audience.mismatch", "WSF-4",
           audiences=["uri:other.example.org"])
    vector("doctype", "<!DOCTYPE x>\n" + rstr(good), "xml.doctype", "XML-1")
    vector("request", rstr(good).replace("RequestSecurityTokenResponse", "RequestSecurityToken"),
           "xml.unexpected-root", "WSF-9")
    fault = (
        f'<s:Envelope xmlns:s="{SOAP}"><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value>'
        f'<s:Subcode><s:Value xmlns:t="{TRUST}">t:FailedAuthentication</s:Value></s:Subcode>'
        '</s:Code><s:Reason><s:Text xml:lang="en">ACS10001: no such user</s:Text></s:Reason>'
        "</s:Fault></s:Body></s:Envelope>\n")
    vector("fault", fault, "response.fault", "WSF-9")

    def notify(name, text, code, **more):
        vector(f"notify-{name}", text, code, suffix="json", **more)

    notify("duplicate", splice(TV7, '"context":null', '"context":null,"context":null'),
           "input.json-duplicate-name")
    notify("missing", splice(TV7, '"securityToken"', '"securityToke"'), "input.json-member")
    notify("number", json.dumps(json.loads(TV7) | {"securityToken": 7}), "input.json-member")
    notify("comma", splice(TV7, '1.0"}', '1.0",}'), "input.json-syntax")
    notify("cut", TV7[:-1], "input.json-syntax")
    notify("doctype", splice(TV7, "&lt;wsse:Binary", "&lt;!DOCTYPE x>&lt;wsse:Binary"),
           "xml.doctype")
    notify("token-type", splice(TV7, f'"tokenType":"{SWT_TYPE}"',
                                '"tokenType":"urn:oasis:names:tc:SAML:1.0:assertion"'),
           "response.token-type")
    notify("tampered", splice(TV7, "cm9sZT1lZGl0b3Im", base64.b64encode(b"role=editos&").decode()),
           "signature.mac-mismatch")
