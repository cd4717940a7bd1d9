"""xmldsig/: XML signatures over plain documents, for `claims xml verify`."""

import base64

from . import keys
from .signing import (
    DS, ENVELOPED, EXC, INC, XPATH, XSLT, reference, sign, sign_by_command, sign_by_hand,
    template, transform)
from .world import IDP_KEY, splice

BY_COMMAND = "xmlsec1"
BY_HAND = "make.py (lxml, cryptography)"
ACS = "hmac-file:keys/acs.key"


def document(before="", inside="", id=' Id="_p"'):
    return (f"<Root>{before}\n  <Part{id}><Name>alice</Name> &amp; others{inside}</Part>\n"
            '  <Part Id="_q">second</Part>\n</Root>\n')


def at_end(signature):
    return splice(document(), "</Root>", signature + "</Root>")


def build(suite):
    def vector(name, text, code=None, note="", *, trusted=(IDP_KEY,), ids=(), allow=(),
               by=BY_COMMAND, attack=(), signed=None):
        path = f"xmldsig/{name}.xml"
        suite.put(path, text)
        line = {"id": f"xmldsig/{name}", "file": path, "format": "xmldsig", "keys": list(trusted),
                "allow": list(allow), "idAttributes": list(ids),
                "verdict": "reject" if code else "accept", "madeBy": by}
        if code:
            line["code"] = code
        if signed:
            line["signed"] = True
        if attack:
            line["attack"] = [attack] if isinstance(attack, str) else list(attack)
        suite.add(line | {"note": note})

    exc = transform(EXC)
    enveloped = sign_by_command(document(inside=template(reference("#_p"))))
    vector("enveloped-whole", sign_by_command(at_end(template(reference("")))),
           note='URI="": the whole document')
    vector("enveloped-id", enveloped, note="within the element that it signs")
    vector("enveloping", sign_by_command(template(
        reference("#_o", transforms=exc), after='<ds:Object Id="_o"><x>inside</x></ds:Object>')),
        note="the content in an Object")
    detached = sign_by_command(at_end(template(reference("#_p", transforms=exc))))
    vector("detached", detached, note="beside what it signs")
    vector("detached-no-transform", sign_by_command(at_end(template(
        reference("#_p", transforms="")))), note="inclusive canonicalization is implied")
    vector("two-references", sign_by_command(at_end(template(
        reference("#_p", transforms=exc), reference("#_q", transforms=exc)))),
        note="one signature over two parts")
    one = sign_by_command(at_end(template(reference("#_p", transforms=exc))))
    two = sign_by_command(splice(one, "</Root>", template(reference("#_q", transforms=exc))
                                 + "</Root>"))
    vector("two-signatures", two)
    vector("inclusive", sign_by_command(at_end(template(reference("", c14n=INC), c14n=INC))))
    vector("inclusive-comments", sign_by_command(splice(at_end(template(
        reference("#_p", transforms=transform(INC)), c14n=INC)), "<Name>", "<!-- c --><Name>")),
        note="a comment in what is signed; the canonical form has none")
    vector("sha512", sign_by_command(at_end(template(
        reference("", digest="sha512"), method="rsa-sha512"))))
    vector("id-attribute", sign_by_command(splice(
        document(id=' ref="_p"'), "</Root>", template(reference("#_p", transforms=exc))
        + "</Root>")), ids=["ref"], note="an ID attribute of another name")
    vector("xml-id", sign_by_command(splice(
        document(id=' xml:id="_p"'), "</Root>", template(reference("#_p", transforms=exc))
        + "</Root>")))
    for curve, number in (("256", "256"), ("384", "384"), ("521", "512")):
        vector(f"ecdsa-p{curve}", sign_by_hand(at_end(template(
            reference("#_p", transforms=exc), method=f"ecdsa-sha{number}")), f"idp-ec{curve}",
            f"ecdsa-sha{number}"), trusted=[f"keys/idp-ec{curve}.crt"], by=BY_HAND)
    for algorithm in ("ed25519", "ed448"):
        vector(algorithm, sign_by_hand(at_end(template(
            reference("#_p", transforms=exc), method=algorithm)), f"idp-{algorithm}", algorithm),
            trusted=[f"keys/idp-{algorithm}.pub"], by=BY_HAND)
    mac = sign(at_end(template(reference("#_p", transforms=exc), method="hmac-sha256")),
               keys.SWT_KEY)
    vector("hmac-sha256", mac, trusted=[ACS], by="xmlsec (Python binding)")
    vector("rsa-pss", sign_by_hand(at_end(template(
        reference("#_p", transforms=exc), method="rsa-pss-sha256")), algorithm="rsa-pss-sha256"),
        by=BY_HAND)
    sha1 = sign_by_command(at_end(template(reference("", digest="sha1"), method="rsa-sha1")))
    vector("sha1-allowed", sha1, allow=["rsa-sha1", "sha1"])
    vector("sha1", sha1, "algorithm.legacy", attack="DSIG-8", signed=True)

    mismatch = "signature.digest-mismatch"
    vector("tampered", splice(enveloped, "alice", "admin"), mismatch)
    vector("tampered-detached", splice(detached, "alice", "admin"), mismatch)
    vector("tampered-one-of-two", splice(two, "second", "other"), mismatch, attack="XSW-30")
    vector("key-other", enveloped, "signature.invalid", trusted=["keys/other-rsa.crt"], signed=True)
    vector("key-rsa-for-hmac", sign(at_end(template(
        reference("#_p", transforms=exc), method="hmac-sha256")),
        (keys.FOLDER / "idp-rsa.der").read_bytes()), "algorithm.key-mismatch", attack="DSIG-11",
        note="the certificate as the secret", by="xmlsec (Python binding)")
    vector("hmac-key-other", mac, "signature.invalid", trusted=["hmac-file:keys/acs-other.key"],
           by="xmlsec (Python binding)")
    vector("none", document(), "signature.missing", by="make.py", note="no signature at all")

    def odd(name, code, *references, attack=(), note="", **more):
        vector(name, sign_by_hand(at_end(template(*references, **more))), code, note, by=BY_HAND,
               attack=attack)

    xslt = (f'<ds:Transform Algorithm="{XSLT}"><xsl:stylesheet version="1.0" '
            'xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/></ds:Transform>')
    odd("transform-xslt", "signature.transform", reference("#_p", transforms=xslt + exc),
        attack="DSIG-17")
    odd("transform-xpath", "signature.transform", reference(
        "#_p", transforms=f'<ds:Transform Algorithm="{XPATH}"><ds:XPath>self::Name</ds:XPath>'
        "</ds:Transform>"), attack="DSIG-18")
    odd("transform-base64", "signature.transform", reference(
        "#_p", transforms=transform(DS + "base64")), attack="DSIG-18")
    odd("transforms-five", "signature.transform", reference(
        "#_p", transforms=transform(ENVELOPED) + exc * 4), attack="DSIG-19")
    for name, uri in [("http", "http://127.0.0.1:9/x"), ("file", "file:///etc/passwd"),
                      ("relative", "other.xml#_p")]:
        odd(f"external-{name}", "signature.external-reference", reference(uri, transforms=exc),
            attack="REF-5")
    odd("dangling", "signature.reference-unresolved", reference("#_x", transforms=exc),
        attack="REF-8")
    odd("manifest", "signature.reference-type", reference(
        "#_p", transforms=exc, type=DS + "Manifest"), attack="REF-21")
    odd("no-reference", "signature.reference-count", attack="REF-19")
    odd("references-65", "signature.too-many-references", *(
        reference("#_p", transforms=exc) for _ in range(65)), attack="DOS-13")
    odd("digest-md5", "algorithm.digest", reference(
        "#_p", transforms=exc, digest="http://www.w3.org/2001/04/xmldsig-more#md5"))
    odd("method-unknown", "algorithm.signature", reference("#_p", transforms=exc), method="none")
    odd("canonicalization-unknown", "algorithm.canonicalization", reference("#_p", transforms=exc),
        c14n="urn:example:c")
    length = "<ds:HMACOutputLength>{}</ds:HMACOutputLength>"
    for bits in ("0", "8", "80", "256"):
        text = sign_by_hand(at_end(template(
            reference("#_p", transforms=exc), method="hmac-sha256",
            parameters=length.format(bits))), keys.SWT_KEY)
        if bits != "256":
            start = text.index("<ds:SignatureValue>") + len("<ds:SignatureValue>")
            end = text.index("</ds:SignatureValue>")
            short = base64.b64encode(base64.b64decode(text[start:end])[:int(bits) // 8]).decode()
            text = text[:start] + short + text[end:]
        vector(f"hmac-output-length-{bits}", text, "signature.hmac-output-length",
               trusted=[ACS], attack="DSIG-12", by=BY_HAND)
    vector("duplicate-id", splice(enveloped, 'Id="_q"', 'Id="_p"'), "xml.duplicate-id",
           attack="REF-9")
    vector("doctype", "<!DOCTYPE Root>\n" + document(inside=template(reference("#_p"))).replace(
        "@D@", "AA==").replace("@S@", "AA=="), "xml.doctype", attack="XML-1", by="make.py")
