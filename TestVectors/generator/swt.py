"""swt/: Simple Web Tokens. TV-1 to TV-6 are fixed texts; the rest is made from them."""

import base64
import hashlib
import hmac

from . import keys
from .world import NAME_IDENTIFIER, P1, P2, splice

ISSUER = "https://talksns.accesscontrol.windows.net/"
AUDIENCE = "uri:talks.example.org"
AT = "2029-12-31T23:55:00Z"  # ExpiresOn=1893456000 is 2030-01-01T00:00:00Z
TAIL = (
    "Audience=uri%3atalks.example.org&ExpiresOn=1893456000"
    "&Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f")
TV = {
    1: "http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2fnameidentifier="
       "100004711&http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2fname="
       "Mia+M%c3%bcller&http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2f"
       "emailaddress=mia%2bnews%40example.org&http%3a%2f%2fschemas.microsoft.com%2fws%2f2008%2f06"
       "%2fidentity%2fclaims%2frole=editor%2cspeaker&http%3a%2f%2fwww.facebook.com%2fclaims%2f"
       "AccessToken=AAAB1%2bx%2fy%3d&http%3a%2f%2fschemas.microsoft.com%2faccesscontrolservice%2f"
       "2010%2f07%2fclaims%2fidentityprovider=Facebook-1234567890&" + TAIL +
       "&HMACSHA256=V1WXaX%2b7E93CW3t%2fgvF3Z6Klywz%2fefw2ufEHEVVyB9Y%3d",
    2: f"role=editor&{TAIL}&HMACSHA256=hw1o9yxeQG1ioH6X6vYXmldC8hJkSml1ogBHvpZSzVc%3d",
    3: "role=editor&Audience=uri%3Atalks.example.org&ExpiresOn=1893456000"
       "&Issuer=https%3A%2F%2Ftalksns.accesscontrol.windows.net%2F"
       "&HMACSHA256=QJbL1%2Fc3RkZZ9OfimtlfuWDxhmX3kPb2mtT51qII%2B6g%3D",
    4: f"role=a&role=b&{TAIL}&HMACSHA256=bRlz395BGbvVa4Pzd1ng1O7X5zbriWXRCI2VRd71ER8%3d",
    5: f"role=editor&{TAIL.replace('1893456000', '1000000000')}"
       "&HMACSHA256=l7B0p13sDauUiDeChXhC%2byq%2bsB1QU7O8cWh9LW5zWdA%3d",
    6: "Issuer=uploader&HMACSHA256=j8xCNgaGkwY%2FYAkRhaegl2wN2gYM7fWmj5jyZcCqufc%3D",
}


def mac(message, key=keys.SWT_KEY):
    return base64.b64encode(hmac.new(key, message.encode(), hashlib.sha256).digest()).decode()


def escaped(text):
    return text.replace("+", "%2b").replace("/", "%2f").replace("=", "%3d")


def signed(message, key=keys.SWT_KEY):
    """The token with this text before the MAC, as ACS would end it."""
    return f"{message}&HMACSHA256={escaped(mac(message, key))}"


def build(suite):
    def vector(name, token, code=None, *, claims=None, issuer=ISSUER, subject=None, attack=(),
               note="", key="acs.key", by="make.py (Python hmac)", issuers=(ISSUER,),
               audiences=(AUDIENCE,), at=AT, skew=60, allow=(), pin=None, keys=None):
        path = f"swt/{name}.txt"
        suite.put(path, token)
        line = {
            "id": f"swt/{name}", "file": path, "format": "swt",
            "keys": [f"hmac-file:keys/{key}"] if keys is None else keys,
            "issuers": list(issuers), "audiences": list(audiences), "at": at, "skew": skew,
            "recipient": None, "inResponseTo": None, "allow": list(allow),
            "verdict": "reject" if code else "accept", "madeBy": by}
        if pin:
            line["pin"] = pin
        if code:
            line["code"] = code
        else:
            line |= {"issuer": issuer, "subject": subject, "tokenID": None, "claims": claims}
        if attack:
            line["attack"] = list(attack)
        suite.add(line | {"note": note})

    for number, token in TV.items():
        message, value = token.rsplit("&HMACSHA256=", 1)
        if escaped(mac(message)).lower() != value.lower():
            raise ValueError(f"TV-{number} does not verify")
    editor = {"role": ["editor"]}
    reference = {"by": "Python hmac"}

    vector("tv-1", TV[1], claims={
        NAME_IDENTIFIER: ["100004711"], P1 + "name": ["Mia M\u00fcller"],
        P1 + "emailaddress": ["mia+news@example.org"], P2 + "role": ["editor,speaker"],
        "http://www.facebook.com/claims/AccessToken": ["AAAB1+x/y="],
        "http://schemas.microsoft.com/accesscontrolservice/2010/07/claims/identityprovider":
            ["Facebook-1234567890"]},
        subject="100004711", note="ACS style, lower-case escapes, UTF-8", attack=["OK-39"],
        **reference)
    vector("tv-2", TV[2], claims=editor, note="short", **reference)
    vector("tv-3", TV[3], claims=editor, note="the pairs of TV-2 in upper-case escapes",
           **reference)
    vector("tv-4", TV[4], "input.swt-duplicate-name", attack=["SWT-7"],
           note="correct MAC, a name twice", **reference)
    vector("tv-5", TV[5], "time.expired", note="correct MAC, expired in 2001", **reference)
    vector("tv-6", TV[6], "time.no-expiry", issuers=["uploader"], audiences=[],
           note="self-issued for WRAP: neither audience nor expiry", **reference)

    # Positives.
    def good(name, message, claims, attack=(), note="", **more):
        vector(name, signed(message), claims=claims, attack=attack, note=note, **more)

    good("at-noon", "http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2fname="
         "Mia+M%c3%bcller&role=editor&Audience=uri%3atalks.example.org&ExpiresOn=1893499500"
         "&Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f",
         {P1 + "name": ["Mia M\u00fcller"], "role": ["editor"]},
         note="valid at the clock of the SAML vectors, for trust.json")
    good("order", "Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f&role=editor"
         "&ExpiresOn=1893456000&Audience=uri%3atalks.example.org", editor, ["OK-39"],
         "another order of pairs")
    good("empty-value", f"role=editor&nickname=&{TAIL}", editor | {"nickname": [""]}, ["OK-39"],
         "an empty value is a value")
    good("plus-and-escape", f"a=x+y&b=x%20y&c=%7Ez&d=~z&{TAIL}",
         {"a": ["x y"], "b": ["x y"], "c": ["~z"], "d": ["~z"]}, ["OK-40", "SWT-11"],
         "two spellings of a space and of a tilde")
    good("equals-in-value", f"data=YWI=&more=YWI%3D&{TAIL}",
         {"data": ["YWI="], "more": ["YWI="]}, ["OK-40", "SWT-16"], "split at the first =")
    good("no-custom-claim", TAIL, {}, note="only the reserved pairs")
    good("utf8", f"name=%E5%BE%90%F0%9F%99%82&%c3%a9=1&{TAIL}",
         {"name": ["\u5f90\U0001f642"], "\u00e9": ["1"]},
         note="non-ASCII in a value and in a name")
    good("jwt-in-value", f"data=eyJhbGciOiJub25lIn0.e30.&{TAIL}",
         {"data": ["eyJhbGciOiJub25lIn0.e30."]}, ["SWT-26"], "text of another format")
    good("name-like-mac", f"note=%26HMACSHA256%3dx&{TAIL}", {"note": ["&HMACSHA256=x"]},
         note="escaped text that looks like the MAC pair")
    good("any-audience", f"role=editor&{TAIL}", editor, audiences=[], note="any audience allowed")
    good("second-key", f"role=editor&{TAIL}", editor, keys=[
        "hmac-file:keys/acs-other.key", "hmac-file:keys/acs.key"], note="rollover: two keys")
    vector("short-key-allowed", signed(f"role=editor&{TAIL}", keys_31()), claims=editor,
           key="acs-31.key", allow=["hmac-short-key"], note="31 byte key, allowed by name")
    raw = mac(TV[1].rsplit("&HMACSHA256=")[0])
    head = TV[1].rsplit("&HMACSHA256=")[0]
    assert "+" in raw and "/" in raw
    first = next(each for each in suite.vectors if each["id"] == "swt/tv-1")
    vector("raw-mac", f"{head}&HMACSHA256={raw}", claims=first["claims"], subject="100004711",
           attack=["SWT-17"], note="the MAC not escaped: + is plus there")
    for name, at, skew, code in [
            ("expiry-last-second", "2029-12-31T23:59:59Z", 0, None),
            ("expiry-exact", "2030-01-01T00:00:00Z", 0, "time.expired"),
            ("expiry-within-skew", "2030-01-01T00:00:59Z", 60, None),
            ("expiry-at-skew", "2030-01-01T00:01:00Z", 60, "time.expired")]:
        vector(name, TV[2], code, claims=editor, at=at, skew=skew, attack=["SWT-22", "TIME-1"],
               note="valid while now < ExpiresOn + skew")

    # TV-2 changed without a new MAC.
    def bad(name, token, code, attack=(), note="", **more):
        vector(name, token, code, attack=attack, note=note, **more)

    two = TV[2]
    mismatch = "signature.mac-mismatch"
    bad("letter-changed", splice(two, "editor", "editos"), mismatch)
    bad("audience-changed", splice(two, "talks.example.org", "talkz.example.org"), mismatch)
    bad("expiry-changed", splice(two, "1893456000", "1893456001"), mismatch)
    bad("pairs-swapped", splice(
        two, "role=editor&Audience=uri%3atalks.example.org",
        "Audience=uri%3atalks.example.org&role=editor"), mismatch, ["SWT-11"])
    bad("escape-recased", splice(two, "uri%3a", "uri%3A"), mismatch, ["SWT-11"])
    bad("plus-for-escape", splice(signed(f"a=x%20y&{TAIL}"), "x%20y", "x+y"), mismatch,
        ["SWT-11"])
    bad("pair-added", "admin=1&" + two, mismatch)
    bad("pair-split", splice(signed(f"displayName=x%26role%3dadmin&{TAIL}"),
                             "x%26role%3dadmin", "x&role=admin"), mismatch, ["SWT-10"],
        "decoded and joined again both read alike")
    bad("wrong-key", two, mismatch, ["SWT-19"], "another key is trusted", key="acs-other.key")
    bad("other-issuer-key", signed(f"role=editor&{TAIL}", keys.secret("acs-other")), mismatch,
        ["SWT-19"], "made with another issuer's key")
    zeros = escaped(base64.b64encode(bytes(32)).decode())
    bad("mac-of-zeros", f"role=editor&{TAIL}&HMACSHA256={zeros}", mismatch)

    # The MAC pair.
    message, value = two.rsplit("&HMACSHA256=", 1)
    digest = base64.b64decode(mac(message))
    malformed = "signature.mac-malformed"
    bad("mac-first", f"HMACSHA256={value}&{message}", "signature.mac-not-last", ["SWT-4"])
    bad("mac-in-the-middle", f"role=editor&HMACSHA256={value}&{TAIL}", "signature.mac-not-last",
        ["SWT-4"])
    bad("pair-after-mac", two + "&role=admin", "signature.mac-not-last", ["SWT-2"])
    bad("text-after-mac", two + "x", malformed, ["SWT-2"])
    bad("fragment-after-mac", two + "#x", malformed, ["SWT-2"])
    bad("ampersand-after-mac", two + "&", "signature.mac-not-last", ["SWT-2", "SWT-15"])
    bad("two-macs", f"{two}&HMACSHA256={value}", "signature.mac-repeated", ["SWT-3"])
    bad("two-macs-one-right", signed(two), "signature.mac-repeated", ["SWT-3"],
        "the second MAC covers everything before it")
    bad("mac-missing", message, "signature.missing", ["SWT-1"], pin="swt")
    bad("mac-empty", f"{message}&HMACSHA256=", "signature.missing", ["SWT-1", "SWT-18"])
    for count in (1, 16, 31):
        bad(f"mac-{count}-bytes", f"{message}&HMACSHA256="
            + escaped(base64.b64encode(digest[:count]).decode()), malformed, ["SWT-18"])
    bad("mac-33-bytes", f"{message}&HMACSHA256="
        + escaped(base64.b64encode(digest + b"\0").decode()), malformed, ["SWT-18"])
    bad("mac-hex", f"{message}&HMACSHA256={digest.hex()}", malformed, ["SWT-17"])
    bad("mac-no-padding", two[:-3], malformed, ["SWT-17"])
    last = value[-4]
    trailing = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    assert trailing.index(last) % 4 == 0
    bad("mac-trailing-bits", f"{two[:-4]}{trailing[trailing.index(last) + 1]}%3d", malformed,
        ["SWT-17"], "bits behind the last byte are not zero")
    bad("mac-twice-escaped", f"{message}&HMACSHA256={value.replace('%', '%25')}", malformed,
        ["SWT-17"])
    bad("mac-url-alphabet", f"{head}&HMACSHA256={raw.replace('+', '-').replace('/', '_')}",
        malformed, ["SWT-17"])
    bad("mac-plus-as-space", f"{head}&HMACSHA256={raw.replace('+', '%20')}", malformed,
        ["SWT-17"])
    bad("mac-escape-broken", two[:-1], malformed, ["SWT-12"])
    bad("mac-name-other-case", f"{message}&Hmacsha256={value}", "signature.missing",
        ["SWT-5"])

    # Correct MAC over a wrong message.
    def wrong(name, message, code, attack=(), note="correct MAC", **more):
        vector(name, signed(message), code, attack=attack, note=note, **more)

    for name, text in [
            ("letters", "abc"), ("negative", "-1"), ("plus", "%2b1893456000"),
            ("space", "+1893456000"), ("too-long", "99999999999999999999"), ("empty", ""),
            ("fraction", "1893456000.0"), ("exponent", "1.8e9"), ("hex", "0x70DBD880"),
            ("letters-behind", "1893456000abc"), ("arabic-digits", "%d9%a1%d9%a8"),
            ("wraps-64-bits", "18446744073709551616"), ("milliseconds", "1893456000000"),
            ("date", "2030-01-01T00%3a00%3a00Z")]:
        wrong(f"expires-{name}", f"role=editor&{TAIL.replace('1893456000', text)}",
              "time.malformed", ["SWT-21"])
    wrong("expires-missing", f"role=editor&{TAIL.replace('&ExpiresOn=1893456000', '')}",
          "time.no-expiry", ["SWT-21"])
    wrong("pair-without-equals", f"role&{TAIL}", "input.swt-pair", ["SWT-15"])
    wrong("pair-empty", f"role=editor&&{TAIL}", "input.swt-pair", ["SWT-15"])
    wrong("pair-empty-first", f"&role=editor&{TAIL}", "input.swt-pair", ["SWT-15"], pin="swt")
    wrong("pair-without-name", f"=editor&{TAIL}", "input.swt-pair", ["SWT-15"], pin="swt")
    for name, text in [("zz", "%zz"), ("short", "%3"), ("bare", "%"), ("unicode", "%u0041"),
                       ("sign", "%-1"), ("half", "%4g")]:
        wrong(f"escape-{name}", f"role={text}&{TAIL}", "input.percent-escape", ["SWT-12"])
    for name, text in [("ff", "%ff"), ("overlong", "%C0%80"), ("surrogate", "%ED%A0%80"),
                       ("truncated", "%E2%82")]:
        wrong(f"utf8-{name}", f"role={text}&{TAIL}", "input.not-utf8", ["SWT-13"])
    wrong("nul", f"role=editor%00&{TAIL}", "input.swt-character", ["SWT-14"])
    wrong("nul-in-audience", f"role=editor&{TAIL.replace('org&', 'org%00.evil&')}",
          "input.swt-character", ["SWT-14"])
    wrong("nul-in-name", f"ro%00le=editor&{TAIL}", "input.swt-character", ["SWT-14"])
    wrong("line-end", f"role=a%0D%0Ab&{TAIL}", "input.swt-character", ["SWT-14"])
    wrong("raw-non-ascii", f"role=\u00e9ditor&{TAIL}", "input.swt-character", ["SWT-13"])
    wrong("raw-combining", f"role=a&\u0301b=c&{TAIL}", "input.swt-character", ["SWT-30"])
    wrong("raw-space", f"role=an editor&{TAIL}", "input.swt-character", ["SWT-27"])
    for name in ("Issuer", "Audience", "ExpiresOn"):
        pair = next(each for each in TAIL.split("&") if each.startswith(name))
        wrong(f"{name.lower()}-twice", f"{pair}&role=editor&{TAIL}", "input.swt-duplicate-name",
              ["SWT-6"])
    wrong("issuer-escaped-name", f"%49ssuer=https%3a%2f%2fevil.example%2f&{TAIL}",
          "input.swt-duplicate-name", ["SWT-9"])
    wrong("claim-escaped-name", f"role=a&rol%65=b&{TAIL}", "input.swt-duplicate-name",
          ["SWT-9"])
    for name in ("issuer", "AUDIENCE", "expiresOn"):
        wrong(f"variant-{name.lower()}", f"{name}=x&{TAIL}", "input.swt-reserved-name", ["SWT-8"])
    wrong("too-many-pairs", "&".join(f"n{each}=" for each in range(1001)) + f"&{TAIL}",
          "input.swt-too-many-pairs", ["DOS-18"])

    # Issuer and audience, correct MAC.
    issuer = "Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f"
    wrong("issuer-missing", f"role=editor&{TAIL.replace('&' + issuer, '')}", "issuer.missing",
          ["SWT-20"])
    for name, text in [
            ("no-slash", issuer[:-3]), ("suffix", issuer + "x"),
            ("case", issuer.replace("talksns", "Talksns")),
            ("kelvin", issuer.replace("talksns", "tal%e2%84%aasns")),
            ("list", issuer + "%2chttps%3a%2f%2fevil.example%2f"),
            ("other", "Issuer=https%3a%2f%2fevil.example%2f")]:
        wrong(f"issuer-{name}", f"role=editor&{splice(TAIL, issuer, text)}", "issuer.untrusted",
              ["SWT-20"])
    wrong("audience-missing", f"role=editor&{TAIL.split('&', 1)[1]}", "audience.missing",
          ["SWT-20"])
    for name, text in [
            ("other", "uri%3aother.example.org"), ("prefix", "uri%3atalks.example.or"),
            ("suffix", "uri%3atalks.example.org.evil"), ("slash", "uri%3atalks.example.org%2f"),
            ("case", "URI%3atalks.example.org"), ("kelvin", "uri%3atal%e2%84%aas.example.org"),
            ("list", "uri%3atalks.example.org%2curi%3aother")]:
        wrong(f"audience-{name}", f"role=editor&{splice(TAIL, 'uri%3atalks.example.org', text)}",
              "audience.mismatch", ["SWT-20", "SEM-5"])

    # Transport, keys.
    bad("empty", "", "input.empty", pin="swt")
    bad("quoted", f'"{two}"', "input.swt-character", pin="swt", attack=["SWT-25"],
        note="some transports quote the token")
    bad("base64-whole", base64.b64encode(two.encode()).decode(), "input.deflate",
        note="base64 of an SWT is no transport form")
    bad("key-31-bytes", signed(f"role=editor&{TAIL}", keys_31()), "key.hmac-length",
        ["CRY-12", "SWT-24"], key="acs-31.key")
    bad("key-certificate", two, "key.none", note="a certificate vouches for no SWT",
        keys=["keys/idp-rsa.crt"])
    suite.add({
        "id": "swt/too-large",
        "generate": {"head": "role=", "repeat": "a", "count": 1 << 20, "tail":
                     f"&{TAIL}&HMACSHA256={value}"},
        "format": "swt", "pin": "swt", "keys": ["hmac-file:keys/acs.key"], "issuers": [ISSUER],
        "audiences": [AUDIENCE], "at": AT, "skew": 60, "recipient": None, "inResponseTo": None,
        "allow": [], "verdict": "reject", "code": "input.too-large", "madeBy": "make.py",
        "attack": ["DOS-18", "SWT-23"],
        "note": "head, then repeat count times, then tail; no file"})


def keys_31():
    return keys.SWT_KEY[:31]
