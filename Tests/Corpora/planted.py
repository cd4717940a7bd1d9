"""Tokens with values of fifteen scripts planted in every position, well-formed and not, for capture.py.

Each token has one value in one position or several; every value is in no standard, so none may survive.
"""
import base64
import hashlib
import hmac
import json
import pathlib
import random
import re
import subprocess
import urllib.parse
import zlib

SECRET = bytes(range(32))
CLOCK = "2030-01-01T12:00:00Z"
END = 1893499500
SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
SAML1 = "urn:oasis:names:tc:SAML:1.0:assertion"
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
DS = "http://www.w3.org/2000/09/xmldsig#"
EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
TRUST = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
SECURITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
UTILITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
BASE64 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"


def letters(*ranges):
    return [chr(number) for first, last in ranges for number in range(first, last + 1)]


# Letters and digits of each.
SCRIPTS = {
    "latin": ("bcdfghjklmnpqrstvwxyz", "0123456789"),
    "latin with marks": ("\u00e4\u00f6\u00fc\u00df\u00e9\u0142\u0144\u015b\u017e\u010d\u0159", "0123456789"),
    "greek": (letters((0x3b1, 0x3c9)), "0123456789"),
    "cyrillic": (letters((0x430, 0x44f)), "0123456789"),
    "armenian": (letters((0x561, 0x586)), "0123456789"),
    "hebrew": (letters((0x5d0, 0x5ea)), "0123456789"),
    "arabic": (letters((0x627, 0x63a), (0x641, 0x64a)), letters((0x660, 0x669))),
    "persian": (["\u067e", "\u0686", "\u0698", "\u06af", "\u06cc", "\u06a9", *letters((0x628, 0x63a))], letters((0x6f0, 0x6f9))),
    "devanagari": (letters((0x915, 0x939)) + ["\u093f", "\u0940", "\u0947", "\u094b"], letters((0x966, 0x96f))),
    "bengali": (letters((0x995, 0x9a8)), letters((0x9e6, 0x9ef))),
    "thai": (letters((0xe01, 0xe2e)) + ["\u0e34", "\u0e35", "\u0e38", "\u0e48"], letters((0xe50, 0xe59))),
    "georgian": (letters((0x10d0, 0x10f0)), "0123456789"),
    "hangul": (letters((0xac00, 0xac40), (0xb098, 0xb0d0)), "0123456789"),
    "kana": (letters((0x3041, 0x3093), (0x30a2, 0x30f3)), letters((0xff10, 0xff19))),
    "han": (letters((0x4e10, 0x4e80), (0x738b, 0x73d0)), letters((0xff10, 0xff19))),
    "symbols": (letters((0x1f300, 0x1f320), (0x20ac, 0x20b9), (0x2600, 0x2640)), letters((0x1d7ce, 0x1d7d7))),
    "supplementary": (letters((0x20000, 0x20040), (0x10400, 0x10427)), letters((0x1d7d8, 0x1d7e1))),
}
LEGACY = {"cyrillic": ("cp1251", "koi8-r"), "greek": ("iso8859-7",), "hebrew": ("cp1255",), "arabic": ("iso8859-6",),
          "han": ("gb18030", "big5"), "kana": ("shift_jis", "euc-jp"), "hangul": ("euc-kr",), "thai": ("cp874",),
          "latin with marks": ("cp1250",)}


class Planter:
    """Makes values of a script and remembers them."""

    def __init__(self, chance, script):
        self.chance, self.script, self.values = chance, script, set()
        self.letters, self.digits = SCRIPTS[script]

    def remember(self, value):
        self.values.add(value)
        return value

    def word(self):
        return self.remember("".join(self.chance.choices(self.letters, k=self.chance.randint(6, 9))))

    def number(self):
        """Ten digits that begin like no time of these days."""
        first = self.chance.choice(self.digits[5:])
        return self.remember(first + "".join(self.chance.choices(self.digits, k=9)))

    def value(self):
        return self.chance.choice((
            self.word, self.number, lambda: self.word() + " " + self.word(), lambda: self.word() + self.number(),
            lambda: self.word() + "@" + self.word() + ".test", lambda: "https://" + self.word() + ".test/" + self.word()))()

    def digits_only(self):
        return self.remember(str(self.chance.randint(5, 9)) + "".join(self.chance.choices("0123456789", k=10)))


def legacy(plant, text):
    """The text in an encoding from before Unicode, or in UTF-16 where there is none for it."""
    try:
        return text.encode(plant.chance.choice(LEGACY.get(plant.script, ("utf-16-le",))))
    except UnicodeEncodeError:
        return text.encode("utf-16-be")


def encoded(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# MARK: JSON

def json_token(plant, position):
    """Header, payload and what stands behind, by position."""
    header = {"alg": "HS256"}
    claims = {"iss": "https://i.example", "aud": "rp", "exp": END}
    header_text = payload_text = None
    tail = ""
    quoted = lambda text: json.dumps(text, ensure_ascii=plant.chance.random() < 0.3)
    if position == "value":
        claims[plant.chance.choice(("sub", "name", "role", "custom"))] = plant.value()
    elif position == "name":
        claims[plant.value()] = plant.chance.choice((True, None, 1, "x"))
    elif position == "number":
        claims["nationalId"] = int(plant.digits_only())
    elif position == "list":
        claims["groups"] = [plant.value(), [plant.value(), {"a": plant.value()}], int(plant.digits_only())]
    elif position == "header":
        header[plant.chance.choice(("kid", "typ", "cty", "x5t", "x"))] = plant.value()
    elif position == "header name":
        header[plant.value()] = "x"
    elif position == "audience":
        claims["iss"], claims["aud"] = plant.value(), ["rp", plant.value()]
    elif position == "time text":
        claims[plant.chance.choice(("exp", "iat", "auth_time", "updated_at"))] = plant.number()
    elif position == "time list":
        claims[plant.chance.choice(("exp", "nbf", "iat", "updated_at"))] = [plant.number(), int(plant.digits_only())]
    elif position == "behind a time":
        payload_text = f'{{"iss":"i","exp":{END},{quoted(plant.value())},"{plant.number()}",{plant.digits_only()}}}'
    elif position == "time object":
        claims["iat"] = {plant.word(): plant.number(), "x": int(plant.digits_only())}
    elif position == "bare":
        payload_text = f'{{"iss":"i","exp":{END},"a":{plant.word()},"b":\'{plant.word()}\',{plant.number()}:1}}'
    elif position == "comment":
        payload_text = f'{{"iss":"i"/* {plant.word()} */,"exp":{END}}} // {plant.word()}'
    elif position == "escape":
        payload_text = '{"iss":"i","exp":%d,"a":"%s"}' % (END, "".join("\\" + part for part in plant.word()))
    elif position == "open":
        payload_text = f'{{"iss":"i","exp":{END},"a":"{plant.word()}'
    elif position == "no object":
        payload_text = plant.chance.choice((f'["{plant.word()}"]', f'"{plant.word()}"', plant.word()))
    elif position == "legacy":
        text = f'{{"iss":"i","exp":{END},"a":"{plant.word()}"}}'
        payload_text = legacy(plant, text)
    elif position == "tail":
        tail = "." + plant.word()
    elif position == "signature":
        tail = None
    header_text = header_text or json.dumps(header)
    payload_text = payload_text or json.dumps(claims, ensure_ascii=plant.chance.random() < 0.3)
    octets = payload_text if isinstance(payload_text, bytes) else payload_text.encode()
    message = encoded(header_text.encode()) + "." + encoded(octets)
    if tail is None:
        return (message + "." + plant.word()).encode()
    return (message + "." + encoded(hmac.digest(SECRET, message.encode(), hashlib.sha256)) + tail).encode()


JSON_POSITIONS = ["value", "name", "number", "list", "header", "header name", "audience", "time text", "time list",
                  "behind a time", "time object", "bare", "comment", "escape", "open", "no object", "legacy", "tail",
                  "signature"]


# MARK: pairs

def swt_token(plant, position):
    quote = lambda text: urllib.parse.quote(text, safe="") if plant.chance.random() < 0.5 else text
    pairs = [("Issuer", "https://i.example"), ("Audience", "rp"), ("ExpiresOn", str(END))]
    behind = ""
    if position == "value":
        pairs.insert(0, ("name", quote(plant.value())))
    elif position == "name":
        pairs.insert(0, (quote(plant.value()), "x"))
    elif position == "issuer":
        pairs[0] = ("Issuer", quote(plant.value()))
        pairs[1] = ("Audience", quote(plant.value()))
    elif position == "time":
        pairs[2] = ("ExpiresOn", quote(plant.number()))
    elif position == "long time":
        pairs[2] = ("ExpiresOn", plant.digits_only())
    elif position == "no pair":
        pairs.insert(1, (plant.value().replace("&", ""), None))
    elif position == "escape":
        pairs.insert(0, ("name", "%zz" + quote(plant.word()) + "%4"))
    elif position == "twice":
        pairs.insert(0, ("name", urllib.parse.quote(urllib.parse.quote(plant.word()))))
    elif position == "legacy":
        pairs.insert(0, ("name", urllib.parse.quote(legacy(plant, plant.word()))))
    elif position == "behind":
        behind = "&x=" + quote(plant.value())
    elif position == "mac":
        text = "&".join(f"{name}={value}" for name, value in pairs)
        return (text + "&HMACSHA256=" + quote(plant.word())).encode()
    text = "&".join(name if value is None else f"{name}={value}" for name, value in pairs).encode()
    mac = urllib.parse.quote(base64.b64encode(hmac.digest(SECRET, text, hashlib.sha256)), safe="")
    return text + b"&HMACSHA256=" + mac.encode() + behind.encode()


SWT_POSITIONS = ["value", "name", "issuer", "time", "long time", "no pair", "escape", "twice", "legacy", "behind", "mac"]


# MARK: XML

def raw_signature(message, key):
    """An ECDSA value as XML Signature has it, by OpenSSL."""
    der = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=message, capture_output=True, check=True).stdout
    place, parts = 2, []
    for _ in range(2):
        length = der[place + 1]
        parts.append(int.from_bytes(der[place + 2:place + 2 + length], "big").to_bytes(32, "big"))
        place += 2 + length
    return b"".join(parts)


def assertion(plant, position, version, key):
    """A signed assertion in canonical form, with content in one place; and what is made of it afterwards."""
    name, value = "a", "x"
    extra = issuer = subject = ""
    if position == "text":
        value = escaped(plant.value())
    elif position == "attribute":
        name = plant.value()
    elif position == "subject":
        subject, issuer = escaped(plant.value()), escaped(plant.value())
    elif position == "references":
        value = "".join(plant.chance.choice((f"&#{ord(c)};", f"&#x{ord(c):x};", c)) for c in plant.word())
    elif position == "element":
        value = f'<x xmlns="urn:{plant.word()}" y="{plant.value()}">{plant.value()}<{plant_name(plant)}></{plant_name(plant)}></x>'
    elif position == "prefix":
        prefix = plant_name(plant)
        value = f'<{prefix}:x xmlns:{prefix}="urn:{plant.word()}" {prefix}:y="{plant.value()}">{plant.word()}</{prefix}:x>'
    elif position == "comment":
        value = f"x<!-- {plant.value()} -->"
    elif position == "instruction":
        value = f"x<?{plant_name(plant)} {plant.word()}?>"
    elif position == "cdata":
        value = f"<![CDATA[{plant.value()}]]>"
    elif position == "known namespace":
        value = f"<saml:{plant_name(plant)}>{plant.word()}</saml:{plant_name(plant)}>"
    elif position == "known attribute":
        value = f'<saml:NameID {plant_name(plant)}="{plant.word()}" Count="{plant.number()}">{plant.word()}</saml:NameID>'
    elif position == "types":
        value = (f'<x xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="{plant_name(plant)}">'
                 f'<ec:InclusiveNamespaces xmlns:ec="{EXCLUSIVE}" PrefixList="{plant.word()}"></ec:InclusiveNamespaces></x>')
    elif position == "times":
        value = (f'<wsu:Timestamp xmlns:wsu="{UTILITY}"><wsu:Created>{plant.number()}</wsu:Created>'
                 f"<wsu:Expires>{plant.digits_only()}</wsu:Expires></wsu:Timestamp>"
                 f'<wst:Lifetime xmlns:wst="{TRUST}">{plant.number()}</wst:Lifetime>')
    elif position == "octets":
        value = (f'<ds:KeyInfo xmlns:ds="{DS}"><ds:KeyValue><ds:RSAKeyValue><ds:Modulus>{plant.word()}</ds:Modulus><ds:Exponent>'
                 f"{plant.word()}</ds:Exponent></ds:RSAKeyValue></ds:KeyValue><ds:KeyName>{plant.value()}</ds:KeyName></ds:KeyInfo>")
    elif position == "base64":
        value = base64.b64encode(plant.value().encode()).decode()
    elif position == "instant":
        extra = plant.number()
    issuer = issuer or "https://i.example"
    instant = extra or "2030-01-01T11:59:00Z"
    bounds = 'NotBefore="2030-01-01T11:59:00Z" NotOnOrAfter="2030-01-01T12:30:00Z"'
    if version == 2:
        start = f'<saml:Assertion xmlns:saml="{SAML}" ID="_a1" IssueInstant="{instant}" Version="2.0"><saml:Issuer>{issuer}</saml:Issuer>'
        rest = (f"<saml:Subject><saml:NameID>{subject or 'somebody'}</saml:NameID><saml:SubjectConfirmation Method=\"urn:oasis:names:tc:"
                f'SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="2030-01-01T12:30:00Z"></saml:SubjectConfirmationData>'
                f"</saml:SubjectConfirmation></saml:Subject><saml:Conditions {bounds}><saml:AudienceRestriction><saml:Audience>rp"
                f'</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AttributeStatement><saml:Attribute Name="{name}">'
                f"<saml:AttributeValue>{value}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>")
    else:
        start = (f'<saml:Assertion xmlns:saml="{SAML1}" AssertionID="_a1" IssueInstant="{instant}" Issuer="{issuer}" MajorVersion="1" '
                 f'MinorVersion="1"><saml:Conditions {bounds}><saml:AudienceRestrictionCondition><saml:Audience>rp</saml:Audience>'
                 "</saml:AudienceRestrictionCondition></saml:Conditions><saml:AttributeStatement><saml:Subject><saml:NameIdentifier>"
                 f"{subject or 'somebody'}</saml:NameIdentifier></saml:Subject><saml:Attribute AttributeName=\"{name}\" AttributeNamespace=\"\">"
                 f"<saml:AttributeValue>{value}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>")
        rest = "</saml:Assertion>"
    digest = base64.b64encode(hashlib.sha256((start + rest).encode()).digest()).decode()
    info = (f'<ds:SignedInfo xmlns:ds="{DS}"><ds:CanonicalizationMethod Algorithm="{EXCLUSIVE}"></ds:CanonicalizationMethod>'
            '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"></ds:SignatureMethod>'
            f'<ds:Reference URI="#_a1"><ds:Transforms><ds:Transform Algorithm="{DS}enveloped-signature"></ds:Transform>'
            f'<ds:Transform Algorithm="{EXCLUSIVE}"></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/'
            f'2001/04/xmlenc#sha256"></ds:DigestMethod><ds:DigestValue>{digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>')
    value = base64.b64encode(raw_signature(info.encode(), key)).decode()
    signature = f'<ds:Signature xmlns:ds="{DS}">{info}<ds:SignatureValue>{value}</ds:SignatureValue></ds:Signature>'
    return start + signature + rest


def plant_name(plant):
    """A name of XML: symbols make none, so that these documents are not well-formed."""
    return plant.word()


def response(text, plant=None):
    message = f"<samlp:StatusMessage>{escaped(plant.value())}</samlp:StatusMessage>" if plant else ""
    return (f'<samlp:Response xmlns:samlp="{PROTOCOL}" ID="_r1" Version="2.0" IssueInstant="2030-01-01T11:59:00Z"><samlp:Status>'
            f'<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>{message}</samlp:Status>{text}</samlp:Response>')


def envelope(text):
    return (f'<wst:RequestSecurityTokenResponse xmlns:wst="{TRUST}"><wst:RequestedSecurityToken>{text}</wst:RequestedSecurityToken>'
            "</wst:RequestSecurityTokenResponse>")


SIGNED = ["text", "attribute", "subject", "references", "element", "prefix", "comment", "instruction", "cdata",
          "known namespace", "known attribute", "types", "times", "octets", "base64", "instant"]
# Malformed: a change of the finished text, at the place of one of its parts.
MARK = "<saml:AttributeValue>"
BROKEN = {
    "unquoted": lambda p: f"<saml:NameID Format={p.word()}>q</saml:NameID>",
    "unquoted with signs": lambda p: f"<saml:NameID Format={p.word()}@{p.word()}={p.word()} >q</saml:NameID>",
    "bare word": lambda p: f"<saml:NameID {p.value()}>q</saml:NameID>",
    "half quoted": lambda p: f'<saml:NameID Format="{p.word()}>q</saml:NameID>{p.word()}',
    "end tag": lambda p: f"<saml:NameID>q</saml:NameID {p.value()}>",
    "wrong end tag": lambda p: f"<saml:NameID>q</{p.word()}>",
    "declaration inside": lambda p: f"<?xml {p.value()}?>",
    "declaration named inside": lambda p: f'<?xml version="1.0" {p.word()}="{p.word()}"?>',
    "capital declaration": lambda p: f"<?XML {p.word()}?>",
    "entity": lambda p: f"&{p.word()};",
    "ampersand": lambda p: f"a & {p.value()}",
    "less than": lambda p: f"a < {p.value()} > b",
    "no name": lambda p: f"<{p.number()}>{p.word()}</{p.number()}>",
    "empty tag": lambda p: f"<>{p.word()}</>",
    "section": lambda p: f"<![CDATA[{p.value()}",
    "open comment": lambda p: f"<!--{p.value()}",
    "odd comment": lambda p: f"<!-->{p.value()}<!--->{p.value()}",
    "open instruction": lambda p: f"<?{p.word()} {p.word()}",
    "doctype inside": lambda p: f'<!DOCTYPE {p.word()} [<!ENTITY {p.word()} "{p.value()}">]>',
    "marked": lambda p: f"<!{p.word()} {p.value()}>",
    "slash": lambda p: f"<saml:NameID / {p.word()} / a='{p.word()}'b=\"{p.word()}\"/>",
    "colons": lambda p: f"<saml:{p.word()}:{p.word()} :{p.word()}=\"1\"/>",
    "twice": lambda p: f'<x a="{p.word()}" a="{p.word()}" xmlns="{p.word()}" xmlns:xml="{p.word()}"/>',
    "open": lambda p: f"<saml:{p.word()}><{p.word()} ",
}
AROUND = {
    "before": lambda p, text: p.value() + text,
    "behind": lambda p, text: text + p.value(),
    "element behind": lambda p, text: text + f"<{p.word()}>{p.value()}</{p.word()}>",
    "declaration": lambda p, text: f'<?xml version="1.0" {p.word()}="{p.value()}"?>' + text,
    "encoding": lambda p, text: f'<?xml version="1.0" encoding="{p.word()}"?>' + text,
    "version": lambda p, text: f'<?xml version="{p.number()}"?>' + text,
    "doctype": lambda p, text: f'<!DOCTYPE saml:Assertion [<!ENTITY {p.word()} "{p.value()}"><!ATTLIST x {p.word()} CDATA "{p.word()}">]>' + text,
    "doctype system": lambda p, text: f'<!DOCTYPE {p.word()} SYSTEM "{p.value()}">' + text,
    "comment around": lambda p, text: f"<!--{p.value()}-->" + text + f"<?{p.word()} {p.word()}?>",
    "cut": lambda p, text: text.replace(MARK, MARK + escaped(p.value()), 1)[:-30],
    "page": lambda p, text: f"<!DOCTYPE html><html lang={p.word()}><body class={p.word()} {p.word()}><p>{p.value()}<br>{p.value()}</html>",
}


def respelled(plant, text):
    """The same canonical form, written in another way: quotes, references, sections, comments and white space."""
    def references(value):
        return "".join(plant.chance.choice((f"&#{ord(c)};", f"&#x{ord(c):X};", c)) if c not in "&;#<>\r\n\t" else c
                       for c in value) if "&" not in value else value
    def attribute(match):
        name, value = match.groups()
        quote = "'" if "'" not in value and plant.chance.random() < 0.7 else '"'
        if name != "xmlns" and not name.startswith("xmlns:") and plant.chance.random() < 0.3:
            value = references(value)
        return plant.chance.choice((" ", "\n", "  \t")) + name + plant.chance.choice(("=", " =", " = ")) + quote + value + quote
    def content(match):
        value, form = match.group(1), plant.chance.random()
        if "&" in value or form < 0.4:
            return match.group()
        half = plant.chance.randrange(len(value))
        return ">" + (references(value) if form < 0.6 else f"<![CDATA[{value}]]>" if form < 0.8
                      else f"{value[:half]}<![CDATA[{value[half:]}]]>" if form < 0.9
                      else f"{value[:half]}<!--{plant.word()}-->{value[half:]}") + "<"
    def tag(match):
        return re.sub(r'\s([\w:.-]+)="([^"]*)"', attribute, match.group())
    if "<!" in text or "<?" in text:
        return text
    return re.sub(r">([^<>]+)<", content, re.sub(r"<[^<>]*>", tag, text))


def xml_token(plant, position, version, key):
    if position in SIGNED:
        text = assertion(plant, position, version, key)
        if plant.chance.random() < 0.4:
            text = respelled(plant, text)
        wrap = plant.chance.random()
        if version == 2 and wrap < 0.4:
            text = response(text, plant if wrap < 0.2 else None)
        elif wrap > 0.85:
            text = envelope(text)
        return text
    text = assertion(plant, "", version, key)
    if position in BROKEN:
        return text.replace(MARK, MARK + BROKEN[position](plant), 1)
    return AROUND[position](plant, text)


def wired(plant, text):
    """The text in one of the forms in which it travels."""
    octets = text.encode()
    form = plant.chance.random()
    if form < 0.7:
        return octets
    if form < 0.8:
        return base64.b64encode(octets)
    if form < 0.84:
        return base64.b64encode(octets).rstrip(b"=").replace(b"+", b" ")
    if form < 0.88:
        return urllib.parse.quote(base64.b64encode(octets), safe="").encode()
    if form < 0.92:
        maker = zlib.compressobj(wbits=-15)
        return base64.b64encode(maker.compress(octets) + maker.flush())
    if form < 0.96:
        return text.encode(plant.chance.choice(("utf-16", "utf-16-le", "utf-16-be")))
    return legacy(plant, text)


def envelope_token(plant):
    """A Simple Web Token in a WS-Trust envelope, or in the JSON of javascriptnotify."""
    inner = base64.b64encode(swt_token(plant, plant.chance.choice(SWT_POSITIONS))).decode()
    text = envelope(f'<wsse:BinarySecurityToken xmlns:wsse="{SECURITY}" wsu:Id="{plant.word()}" xmlns:wsu="{UTILITY}" '
                    f'ValueType="http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0" EncodingType="{BASE64}">{inner}'
                    "</wsse:BinarySecurityToken>")
    if plant.chance.random() < 0.5:
        return text
    return json.dumps({"appliesTo": plant.value(), "context": plant.value(), "created": END - 600, "expires": END,
                       "securityToken": escaped(text), plant.word(): plant.number()}, ensure_ascii=False)


def other_token(plant):
    """What is no token."""
    return plant.chance.choice((
        lambda: plant.value(), lambda: "Bearer " + plant.value(), lambda: f"SAMLResponse={plant.word()}&RelayState={plant.value()}",
        lambda: plant.word() + "\x00" + plant.number(), lambda: "H4sI" + plant.word(),
        lambda: f"https://{plant.word()}.test/cb#id_token={plant.word()}"))()


def tokens(count, keys, seed=20301):
    """`count` tokens as name, octets, arguments of `claims verify`, and the values that are planted in them."""
    key = str(pathlib.Path(keys) / "idp-ec256.key")
    secret = "hmac:" + base64.b64encode(SECRET).decode()
    common = ["--audience", "rp", "--at", CLOCK]
    shapes = ([("jwt", position) for position in JSON_POSITIONS] + [("swt", position) for position in SWT_POSITIONS]
              + [(f"saml{version}", position) for version in (1, 2) for position in [*SIGNED, *BROKEN, *AROUND]]
              + [("rstr", "")] * 6 + [("other", "")] * 4)
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        plant = Planter(chance, list(SCRIPTS)[number % len(SCRIPTS)])
        kind, position = shapes[(number * 7 + number // len(shapes)) % len(shapes)]
        if kind == "jwt":
            octets, words = json_token(plant, position), ["--key", secret, "--format", "jwt"]
        elif kind == "swt":
            octets, words = swt_token(plant, position), ["--key", secret]
        elif kind == "rstr":
            octets, words = envelope_token(plant).encode(), ["--key", secret]
        elif kind == "other":
            octets, words = other_token(plant).encode(), ["--key", secret]
        else:
            text = xml_token(plant, position, int(kind[4]), key)
            octets, words = wired(plant, text), ["--key", "keys/idp-ec256.crt"]
        yield f"{number} {kind} {position} ({plant.script})", octets, words + common, plant.values
