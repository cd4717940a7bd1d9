"""The messages that are signed: their text, and what a reader must find in them."""

import base64
import datetime
import hashlib
import hmac
import urllib.parse

ISSUER = "https://idp.example.test/"
AUDIENCE = "https://rp.example.test/"
RECIPIENT = "https://rp.example.test/acs"
REQUEST = "_request1"
SUBJECT = "ada@example.test"
NOW = datetime.datetime.now(datetime.UTC).replace(microsecond=0)

IDENTITY = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
WINDOWS = "http://schemas.microsoft.com/ws/2008/06/identity/claims/"
DS = "http://www.w3.org/2000/09/xmldsig#"
EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
INCLUSIVE = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
INCLUSIVE11 = "http://www.w3.org/2006/12/xml-c14n11"

ALGORITHMS = {
    "rsa-sha256": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "rsa-sha384": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
    "rsa-sha512": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    "ecdsa-sha256": "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256",
    "ecdsa-sha384": "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384",
    "ecdsa-sha512": "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512",
    "hmac-sha256": "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
}
DIGESTS = {
    "sha256": "http://www.w3.org/2001/04/xmlenc#sha256",
    "sha384": "http://www.w3.org/2001/04/xmldsig-more#sha384",
    "sha512": "http://www.w3.org/2001/04/xmlenc#sha512",
}

# Values that escape, repeat, are empty, are not ASCII. As XML text and as its content.
ATTRIBUTES = [
    (IDENTITY + "emailaddress", [("ada@example.test", "ada@example.test")]),
    (WINDOWS + "role", [("reader", "reader"), ("R&amp;D &lt;lead&gt;", "R&D <lead>")]),
    ("urn:oid:2.16.840.1.113730.3.1.241", [("Ada Lovelace \u2013 \u00c5\U0001f9ee", ) * 2]),
    ("empty", [("", "")]),
    ("spaces", [("  two  ", "  two  ")]),
]
METHOD2 = "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"
METHOD1 = "urn:oasis:names:tc:SAML:1.0:am:password"


def instant(offset=0):
    return (NOW + datetime.timedelta(seconds=offset)).strftime("%Y-%m-%dT%H:%M:%SZ")


def expected_claims(method, last=None):
    """The claims of the messages below. SAML 1.1 and 2.0 differ in the order of statements."""
    claims = {IDENTITY + "nameidentifier": [SUBJECT]}
    for name, values in ATTRIBUTES:
        claims[name] = [said for _, said in values]
    claims[WINDOWS + "authenticationmethod"] = [method]
    claims[WINDOWS + "authenticationinstant"] = [instant(-30).replace("Z", ".000Z")]
    return claims | (last or {})


def template(reference, algorithm, *, method=EXCLUSIVE, transform=EXCLUSIVE, prefixes=None,
             digest="sha256", enveloped=True):
    """An empty signature, for signers that fill one in."""
    inner = (f'<ec:InclusiveNamespaces xmlns:ec="{EXCLUSIVE}" PrefixList="{prefixes}"/>'
             if prefixes else "")
    steps = [f'<ds:Transform Algorithm="{DS}enveloped-signature"/>'] if enveloped else []
    steps.append(f'<ds:Transform Algorithm="{transform}">{inner}</ds:Transform>')
    return (
        f'<ds:Signature xmlns:ds="{DS}"><ds:SignedInfo>'
        f'<ds:CanonicalizationMethod Algorithm="{method}">{inner if method == EXCLUSIVE else ""}'
        f'</ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="{ALGORITHMS[algorithm]}"/>'
        f'<ds:Reference URI="{reference}"><ds:Transforms>{"".join(steps)}</ds:Transforms>'
        f'<ds:DigestMethod Algorithm="{DIGESTS[digest]}"/><ds:DigestValue/></ds:Reference>'
        "</ds:SignedInfo><ds:SignatureValue/></ds:Signature>")


def assertion(signature="", *, note="", attributes=None):
    """A SAML 2.0 assertion. `note` is put inside the text of its name and of a value."""
    subject = SUBJECT[:3] + note + SUBJECT[3:]
    parts = []
    for name, values in ATTRIBUTES if attributes is None else attributes:
        texts = "".join(
            f'<saml:AttributeValue xsi:type="xs:string">{text[:1]}{note if text else ""}'
            f"{text[1:]}</saml:AttributeValue>" for text, _ in values)
        parts.append(f'<saml:Attribute Name="{name}">{texts}</saml:Attribute>')
    return (
        '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'
        ' xmlns:xs="http://www.w3.org/2001/XMLSchema"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        f' ID="_a1" Version="2.0" IssueInstant="{instant()}">'
        f"<saml:Issuer>{ISSUER}</saml:Issuer>{signature}"
        f"<saml:Subject><saml:NameID>{subject}</saml:NameID>"
        '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">'
        f'<saml:SubjectConfirmationData Recipient="{RECIPIENT}" InResponseTo="{REQUEST}"'
        f' NotOnOrAfter="{instant(3600)}"/></saml:SubjectConfirmation></saml:Subject>'
        f'<saml:Conditions NotBefore="{instant(-60)}" NotOnOrAfter="{instant(3600)}">'
        f"<saml:AudienceRestriction><saml:Audience>{AUDIENCE}</saml:Audience>"
        "</saml:AudienceRestriction></saml:Conditions>"
        f'<saml:AttributeStatement>{"".join(parts)}</saml:AttributeStatement>'
        f'<saml:AuthnStatement AuthnInstant="{instant(-30)}"><saml:AuthnContext>'
        f"<saml:AuthnContextClassRef>{METHOD2}</saml:AuthnContextClassRef></saml:AuthnContext>"
        "</saml:AuthnStatement></saml:Assertion>")


def response(inner, signature=""):
    return (
        '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r1" Version="2.0"'
        f' IssueInstant="{instant()}" Destination="{RECIPIENT}" InResponseTo="{REQUEST}">'
        '<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">'
        f"{ISSUER}</saml:Issuer>{signature}<samlp:Status><samlp:StatusCode"
        ' Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>'
        f"{inner}</samlp:Response>")


def assertion1(signature="", *, attributes=None):
    """A SAML 1.1 assertion, whose signature comes last."""
    subject = (
        f"<saml:Subject><saml:NameIdentifier>{SUBJECT}</saml:NameIdentifier>"
        "<saml:SubjectConfirmation><saml:ConfirmationMethod>urn:oasis:names:tc:SAML:1.0:cm:bearer"
        "</saml:ConfirmationMethod></saml:SubjectConfirmation></saml:Subject>")
    parts = []
    for name, values in ATTRIBUTES if attributes is None else attributes:
        namespace, _, local = name.rpartition("/")
        texts = "".join(f"<saml:AttributeValue>{text}</saml:AttributeValue>" for text, _ in values)
        parts.append(f'<saml:Attribute AttributeName="{local}" AttributeNamespace="{namespace}">'
                     f"{texts}</saml:Attribute>")
    return (
        '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:1.0:assertion" MajorVersion="1"'
        f' MinorVersion="1" AssertionID="_a1" Issuer="{ISSUER}" IssueInstant="{instant()}">'
        f'<saml:Conditions NotBefore="{instant(-60)}" NotOnOrAfter="{instant(3600)}">'
        f"<saml:AudienceRestrictionCondition><saml:Audience>{AUDIENCE}</saml:Audience>"
        "</saml:AudienceRestrictionCondition></saml:Conditions>"
        f'<saml:AttributeStatement>{subject}{"".join(parts)}</saml:AttributeStatement>'
        f'<saml:AuthenticationStatement AuthenticationMethod="{METHOD1}"'
        f' AuthenticationInstant="{instant(-30)}">{subject}</saml:AuthenticationStatement>'
        f"{signature}</saml:Assertion>")


def swt(key):
    """A Simple Web Token in the order that ACS wrote: the MAC comes last."""
    pairs = [(IDENTITY + "nameidentifier", SUBJECT), (WINDOWS + "role", "R&D, lead"),
             ("Audience", AUDIENCE), ("ExpiresOn", str(int(NOW.timestamp()) + 3600)),
             ("Issuer", ISSUER)]
    text = urllib.parse.urlencode(pairs).encode()
    mac = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest())
    return text + b"&HMACSHA256=" + urllib.parse.quote_plus(mac).encode()


SWT_CLAIMS = {IDENTITY + "nameidentifier": [SUBJECT], WINDOWS + "role": ["R&D, lead"]}
