"""SWT: the MAC covers the bytes as received, and nothing else is read."""

import base64

from .. import keys
from ..world import AT, IDP, RP, splice
from .bases import SECRET, SWT_HEAD, mac, swt

CHARACTER, PAIR, ESCAPE = "input.swt-character", "input.swt-pair", "input.percent-escape"
MAC, MISMATCH = "signature.mac-malformed", "signature.mac-mismatch"
NOT_LAST, AGAIN = "signature.mac-not-last", "signature.mac-repeated"
TWICE, MISSING = "input.swt-duplicate-name", "signature.missing"
ISSUER, AUDIENCE = "Issuer=https%3a%2f%2fidp.example%2fidp", "Audience=https%3a%2f%2frp.example%2fsaml"
END = "ExpiresOn=1893499500"
TAIL = SWT_HEAD.split("&", 1)[1]


def add(suite):
    b7 = suite.text("B7")
    head, value = b7.rsplit("&HMACSHA256=", 1)

    def bad(entry, name, token, code, **more):
        suite.add(entry, name, token, code, base="B7", **more)

    def wrong(entry, name, message, code, **more):
        """The MAC is right for these bytes."""
        suite.add(entry, name, swt(message), code, base="B7", note="the MAC is right", **more)

    def good(entry, name, message, claims, **more):
        suite.add(entry, name, swt(message), base="B7", **{"claims": claims} | more)

    user = {"role": ["user"]}
    for name, token in [("none", head), ("empty", head + "&HMACSHA256="), ("no-equals", head + "&HMAC"
                                                                          "SHA256")]:
        bad("SWT-1", name, token, MISSING)
    for name, token, code in [
            ("pair", b7 + "&role=admin", NOT_LAST), ("ampersand", b7 + "&", NOT_LAST),
            ("fragment", b7 + "#x", MAC), ("text", b7 + "x", MAC), ("space", b7 + "%20", MAC),
            ("semicolon", b7 + ";role=admin", MAC)]:
        bad("SWT-2", name, token, code)
    inner = f"{b7}&role=admin"
    for name, token in [("outer", swt(inner)), ("inner", f"{inner}&HMACSHA256={value}"),
                        ("equal", f"{b7}&HMACSHA256={value}"),
                        ("first", f"HMACSHA256={value}&{b7}")]:
        bad("SWT-3", name, token, AGAIN)
    for name, token in [("first", f"HMACSHA256={value}&{head}"),
                        ("middle", f"role=user&HMACSHA256={value}&{TAIL}")]:
        bad("SWT-4", name, token, NOT_LAST)
    for name, text in [("lower", "hmacsha256"), ("space", "HMACSHA256%20"), ("escape", "%48MACSHA256"),
                       ("nul", "HMACSHA256%00"), ("prefix", "XHMACSHA256"), ("before", "%20HMACSHA256"),
                       ("sha1", "HMACSHA1"), ("longer", "HMACSHA2560")]:
        bad("SWT-5", name, f"{head}&{text}={value}", MISSING)
    for name, pair in [("issuer", ISSUER), ("audience", AUDIENCE), ("end", END)]:
        wrong("SWT-6", f"{name}-first", f"{pair}&{SWT_HEAD}", TWICE)
        wrong("SWT-6", f"{name}-last", f"{SWT_HEAD}&{pair}", TWICE)
        wrong("SWT-6", f"{name}-other", f"{pair.split('=')[0]}=x&{SWT_HEAD}", TWICE)
    wrong("SWT-7", "two", f"role=admin&{SWT_HEAD}", TWICE)
    wrong("SWT-7", "same", f"role=user&{SWT_HEAD}", TWICE)
    for name in ("issuer", "ISSUER", "audience", "AUDIENCE", "expiresOn", "expireson", "hmacsha256"):
        wrong("SWT-8", f"beside-{name.lower()}" + ("-upper" if name.isupper() else "")
              + ("-mixed" if name == "expiresOn" else ""), f"{name}=x&{SWT_HEAD}",
              "input.swt-reserved-name")
    wrong("SWT-8", "instead", SWT_HEAD.replace("Issuer", "issuer"), "input.swt-reserved-name")
    for name, text in [("issuer", "%49ssuer=x"), ("audience", "A%75dience=x"), ("end", "Expires%4fn=1"),
                       ("claim", "rol%65=admin")]:
        wrong("SWT-9", name, f"{text}&{SWT_HEAD}", TWICE)
    split = swt(f"displayName=x%26role%3dadmin&{TAIL}")
    good("SWT-10", "control", f"displayName=x%26role%3dadmin&{TAIL}",
         {"displayName": ["x&role=admin"]})
    bad("SWT-10", "split", splice(split, "x%26role%3dadmin", "x&role=admin"), MISMATCH)
    bad("SWT-10", "equals", splice(split, "%3d" + "admin", "=admin"), MISMATCH)
    spaced = swt(f"a=x%20y%7e&{TAIL}")
    good("SWT-11", "control", f"a=x%20y%7e&{TAIL}", {"a": ["x y~"]})
    for name, old, new in [("plus", "%20", "+"), ("case", "%7e", "%7E"), ("raw", "%7e", "~"),
                           ("issuer-case", "%3a%2f%2fidp", "%3A%2F%2Fidp")]:
        bad("SWT-11", name, splice(spaced, old, new), MISMATCH)
    bad("SWT-11", "order", splice(b7, f"{ISSUER}&{AUDIENCE}", f"{AUDIENCE}&{ISSUER}"), MISMATCH)
    for name, text in [("bare", "%"), ("one", "%2"), ("letters", "%GG"), ("unicode", "%u0041"),
                       ("sign", "%-1"), ("space", "%+1"), ("end", "a%")]:
        wrong("SWT-12", name, f"x={text}&{TAIL}", ESCAPE)
    for name, text in [("ff", "%FF"), ("overlong", "%C0%80"), ("surrogate", "%ED%A0%80"),
                       ("truncated", "%E2%82"), ("high", "%F4%90%80%80")]:
        wrong("SWT-13", name, f"x={text}&{TAIL}", "input.not-utf8")
        wrong("SWT-13", f"{name}-name", f"x{text}=y&{TAIL}", "input.not-utf8")
    wrong("SWT-13", "raw", f"x=\u00e9&{TAIL}", CHARACTER)
    for name, message in [
            ("audience", SWT_HEAD.replace("saml&", "saml%00.evil&")), ("value", f"x=a%00b&{TAIL}"),
            ("name", f"x%00=a&{TAIL}"), ("line", f"x=a%0D%0Ab&{TAIL}"), ("tab", f"x=a%09&{TAIL}"),
            ("delete", f"x=a%7F&{TAIL}")]:
        wrong("SWT-14", name, message, CHARACTER)
    for name, message in [("two", f"role=user&&{TAIL}"), ("leading", f"&{SWT_HEAD}"),
                          ("no-name", f"=x&{SWT_HEAD}"), ("no-equals", f"x&{SWT_HEAD}"),
                          ("trailing", f"{SWT_HEAD}&")]:
        wrong("SWT-15", name, message, PAIR)
    bad("SWT-15", "empty", "", "input.empty")
    bad("SWT-15", "only-mac", f"HMACSHA256={value}", "issuer.missing")
    good("SWT-15", "empty-value", f"x=&{TAIL}", {"x": [""]})
    good("SWT-16", "raw", f"data=YWI=&{TAIL}", {"data": ["YWI="]})
    good("SWT-16", "escaped", f"data=YWI%3D&{TAIL}", {"data": ["YWI="]})
    good("SWT-16", "two", f"data==YQ==&{TAIL}", {"data": ["=YQ=="]})
    # A message whose MAC has a plus and a slash in it.
    for number in range(999):
        message = f"n={number}&{TAIL}"
        raw = mac(message)
        if "+" in raw and "/" in raw:
            break
    rest = {"claims": {"n": [str(number)]}}
    suite.add("SWT-17", "raw", f"{message}&HMACSHA256={raw}", base="B7", **rest)
    suite.add("SWT-17", "escaped", swt(message), base="B7", **rest)
    digest = base64.b64decode(raw)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bits = raw[:-2] + letters[letters.index(raw[-2]) + 1] + "="
    for name, text in [
            ("space", raw.replace("+", "%20")), ("url", raw.replace("+", "-").replace("/", "_")),
            ("hex", digest.hex()), ("no-padding", raw.rstrip("=")), ("bits", bits),
            ("inner-space", raw[:9] + "%20" + raw[9:]), ("line", raw[:9] + "%0A" + raw[9:]),
            ("twice", raw.replace("+", "%252b").replace("/", "%252f").replace("=", "%253d")),
            ("padding", raw + "="), ("four", raw + "AAAA")]:
        bad("SWT-17", name, f"{message}&HMACSHA256={text}", MAC)
    for name, octets in [("1", digest[:1]), ("16", digest[:16]), ("31", digest[:31]),
                         ("33", digest + b"\0"), ("64", digest + digest)]:
        bad(["SWT-18", "CRY-11"], name, f"{message}&HMACSHA256={base64.b64encode(octets).decode()}",
            MAC)
    bad("SWT-18", "zeros", f"{message}&HMACSHA256={base64.b64encode(bytes(32)).decode()}", MISMATCH)
    bad("SWT-18", "first-bit", f"{message}&HMACSHA256=" + base64.b64encode(
        bytes([digest[0] ^ 128]) + digest[1:]).decode(), MISMATCH)
    bad("SWT-18", "last-bit", f"{message}&HMACSHA256=" + base64.b64encode(
        digest[:31] + bytes([digest[31] ^ 1])).decode(), MISMATCH)
    bad("SWT-19", "other-key", swt(SWT_HEAD, keys.secret("acs-other")), MISMATCH)
    bad("SWT-19", "other-trusted", b7, MISMATCH, keys=["hmac-file:keys/acs-other.key"])
    untrusted, audience = "issuer.untrusted", "audience.mismatch"
    for name, text, code in [
            ("missing", None, "issuer.missing"), ("empty", "", "issuer.missing"),
            ("prefix", "https%3a%2f%2fidp.example%2fid", untrusted),
            ("suffix", "https%3a%2f%2fidp.example%2fidpx", untrusted),
            ("slash", "https%3a%2f%2fidp.example%2fidp%2f", untrusted),
            ("case", "https%3a%2f%2fIDP.example%2fidp", untrusted),
            ("list", "https%3a%2f%2fidp.example%2fidp%2chttps%3a%2f%2fx", untrusted),
            ("space", "+https%3a%2f%2fidp.example%2fidp", untrusted)]:
        pair = "" if text is None else f"Issuer={text}&"
        wrong("SWT-20", f"issuer-{name}", SWT_HEAD.replace(ISSUER + "&", pair), code)
    for name, text, code in [
            ("missing", None, "audience.missing"), ("empty", "", audience),
            ("prefix", "https%3a%2f%2frp.example%2fsam", audience),
            ("suffix", "https%3a%2f%2frp.example%2fsamlx", audience),
            ("slash", "https%3a%2f%2frp.example%2fsaml%2f", audience),
            ("case", "https%3a%2f%2frp.example%2fSAML", audience),
            ("list", "https%3a%2f%2frp.example%2fsaml%2chttps%3a%2f%2fx", audience),
            ("long-s", "https%3a%2f%2frp.example%2f%c5%bfaml", audience)]:
        pair = "" if text is None else f"Audience={text}&"
        wrong("SWT-20", f"audience-{name}", SWT_HEAD.replace(AUDIENCE + "&", pair), code)
    for number, text in enumerate([
            "", "-1", "%2b1893499500", "1893499500.0", "1.8e9", "0x70DC", "+1893499500", "%d9%a3",
            "1893499500abc", "9223372036854775807", "18446744073709551616", "1" * 400,
            "1893499500000", "2030-01-01", "1893499500+", "%ef%bc%91893499500"]):
        wrong("SWT-21", f"form-{number}", SWT_HEAD.replace("1893499500", text), "time.malformed")
    wrong("SWT-21", "missing", SWT_HEAD.replace("&" + END, ""), "time.no-expiry")
    wrong("SWT-21", "zero", SWT_HEAD.replace("1893499500", "0"), "time.expired")
    good("SWT-21", "leading-zeros", SWT_HEAD.replace("1893499500", "001893499500"), user)
    for name, at, skew, code in [
            ("exact", "2030-01-01T12:05:00Z", 0, "time.expired"),
            ("before", "2030-01-01T12:04:59.999Z", 0, None),
            ("skew-exact", "2030-01-01T12:06:00Z", 60, "time.expired"),
            ("skew-before", "2030-01-01T12:05:59.999Z", 60, None)]:
        suite.add("SWT-22", name, b7, code, base="B7", at=at, skew=skew)
    bad("SWT-23", "large", f"x={'a' * (1 << 20)}&{b7}", "input.too-large", runs=["a"])
    bad(["SWT-23", "DOS-18"], "pairs", "&".join(["x=a"] * 100_000) + "&" + b7,
        "input.swt-too-many-pairs", runs=["x=a&"])
    bad(["SWT-23", "DOS-18"], "ampersands", "&" * 900_000 + b7, "input.swt-too-many-pairs", runs=["&"])
    for name, count, code in [("1000", 997, None), ("1001", 998, "input.swt-too-many-pairs")]:
        message = "&".join(f"n{each}=" for each in range(count)) + "&" + TAIL
        suite.add(["SWT-23", "DOS-18"], f"pairs-{name}", swt(message), code, base="B7",
                  **({} if code else {"claims": {f"n{each}": [""] for each in range(count)}}))
    bad(["SWT-24", "CRY-12"], "short", swt(SWT_HEAD, keys.SWT_KEY[:31]), "key.hmac-length",
        keys=["hmac-file:keys/acs-31.key"])
    text_key = base64.b64encode(keys.SWT_KEY)
    bad(["SWT-24", "CRY-12"], "as-text", swt(SWT_HEAD, text_key), MISMATCH,
        note="made with the base64 text of the key")
    bad("SWT-24", "line-end", swt(SWT_HEAD, keys.SWT_KEY + b"\n"), MISMATCH)
    for name, token, code in [
            ("quoted", f'"{b7}"', CHARACTER), ("wrap", f'WRAP access_token="{b7}"', CHARACTER),
            ("escaped", b7.replace("%", "%25").replace("&", "%26").replace("=", "%3d"), MISSING),
            ("line", b7 + "\r\n", CHARACTER), ("space", " " + b7, CHARACTER)]:
        bad("SWT-25", name, token, code)
    jwt = suite.text("B8h")
    bad(["SWT-26", "JWT-34"], "jwt-with-mac", f"{jwt}&HMACSHA256={value}", PAIR)
    bad(["SWT-26", "JWT-34"], "jwt", jwt, MISSING)
    suite.add(["SWT-26", "JWT-34"], "swt-as-jwt", b7, "input.base64", base="B8h")
    good("SWT-26", "jwt-in-value", f"x=eyJhbGciOiJub25lIn0.e30.&{TAIL}",
         {"x": ["eyJhbGciOiJub25lIn0.e30."]})
    for name, token, code in [
            ("semicolon", b7.replace("&", ";"), MISSING), ("question", "?" + b7, MISMATCH),
            ("hash", "#" + b7, MISMATCH), ("mark", "\ufeff" + b7, CHARACTER), ("tab", "\t" + b7,
                                                                              CHARACTER)]:
        bad("SWT-27", name, token, code)
    wrong("SWT-30", "ampersand", f"a=b&\u0301role=admin&{TAIL}", CHARACTER)
    wrong("SWT-30", "equals", f"a=\u0338b&{TAIL}", CHARACTER)
    for name, message, claims in [
            ("order", f"{END}&{AUDIENCE}&role=user&{ISSUER}", user),
            ("azure", "http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2fname="
             f"Mia&{TAIL}", {"http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name": ["Mia"]})]:
        good("OK-39", name, message, claims)
    good("OK-40", "spaces", f"a=x+y&b=x%20y&c=%7E~&{TAIL}", {"a": ["x y"], "b": ["x y"], "c": ["~~"]})
