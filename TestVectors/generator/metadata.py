"""metadata/: SAML 2.0 and WS-Federation metadata, signed and not."""

from . import keys
from .signing import DS, ENVELOPED, EXC, INC, reference, sign, template, transform
from .world import IDP, IDP_B, IDP_KEY, splice

MD = "urn:oasis:names:tc:SAML:2.0:metadata"
RPI = "urn:oasis:names:tc:SAML:metadata:rpi"
FED = "http://docs.oasis-open.org/wsfed/federation/200706"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
WSA = "http://www.w3.org/2005/08/addressing"
SAML20 = "urn:oasis:names:tc:SAML:2.0:protocol"
SAML11 = "urn:oasis:names:tc:SAML:1.1:protocol"
BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:"
BY_XMLSEC = "xmlsec (Python binding)"
BY_HAND = "make.py"
AT = "2030-01-01T12:00:00Z"


def key(name="idp-rsa", use="signing"):
    use = f' use="{use}"' if use else ""
    return (
        f'<md:KeyDescriptor{use}><ds:KeyInfo xmlns:ds="{DS}"><ds:X509Data><ds:X509Certificate>'
        f"{keys.certificate_text(name)}"
        "</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>")


def idp_role(*descriptors, protocols=SAML20):
    return (
        f'<md:IDPSSODescriptor protocolSupportEnumeration="{protocols}">'
        f'{"".join(descriptors or [key()])}<md:SingleSignOnService '
        f'Binding="{BINDING}HTTP-Redirect" Location="https://idp.example/sso"/>'
        "</md:IDPSSODescriptor>")


def sp_role(*descriptors):
    return (
        f'<md:SPSSODescriptor protocolSupportEnumeration="{SAML20}">{"".join(descriptors)}'
        f'<md:AssertionConsumerService index="0" Binding="{BINDING}HTTP-POST" '
        'Location="https://rp.example/acs"/></md:SPSSODescriptor>')


def fed_role(kind, *descriptors, prefix="fed", namespace=FED, inside=""):
    return (
        f'<md:RoleDescriptor xmlns:xsi="{XSI}" xmlns:{prefix}="{namespace}" '
        f'xsi:type="{prefix}:{kind}" protocolSupportEnumeration="{FED}">'
        f'{"".join(descriptors)}{inside}</md:RoleDescriptor>')


def entity(*roles, name=IDP, id="", extra="", before=""):
    id = f' ID="{id}"' if id else ""
    return (f'<md:EntityDescriptor xmlns:md="{MD}"{id} entityID="{name}"{extra}>{before}'
            f'{"".join(roles)}</md:EntityDescriptor>')


def group(*entities, id="", extra="", before=""):
    id = f' ID="{id}"' if id else ""
    return (f'<md:EntitiesDescriptor xmlns:md="{MD}"{id}{extra}>{before}'
            f'{"".join(entities)}</md:EntitiesDescriptor>')


def build(suite):
    def vector(name, text, code=None, *, trusts=None, pinned=(), by=BY_HAND, attack=(), note="",
               signed=None, allow=()):
        path = f"metadata/{name}.xml"
        suite.put(path, text)
        line = {"id": f"metadata/{name}", "file": path, "format": "metadata",
                "keys": list(pinned), "at": AT, "allow": list(allow),
                "verdict": "reject" if code else "accept", "madeBy": by}
        if code:
            line["code"] = code
        else:
            line["trusts"] = trusts if trusts is not None else {IDP: ["idp-rsa"]}
        if signed:
            line["signed"] = True
        if attack:
            line["attack"] = [attack] if isinstance(attack, str) else list(attack)
        suite.add(line | {"note": note})

    reading(vector)
    signatures(vector)
    places(vector)
    types(vector)
    wrapping(vector)
    publication(vector)


def reading(vector):
    other = entity(idp_role(key("other-rsa")), name=IDP_B)
    vector("entity", entity(idp_role()), attack=["META-1", "OK-41"],
           note="unsigned, and nobody asks for a signature")
    vector("bom", "\ufeff" + entity(idp_role()), attack="OK-41")
    vector("two-keys", entity(idp_role(key(), key("idp-ec256"))),
           trusts={IDP: ["idp-rsa", "idp-ec256"]}, attack="OK-41", note="a rollover")
    vector("group", group(entity(idp_role()), group(other)),
           trusts={IDP: ["idp-rsa"], IDP_B: ["other-rsa"]}, attack="OK-41", note="nested groups")
    vector("extensions", entity(idp_role(), before=(
        '<md:Extensions><x:y xmlns:x="urn:x">z</x:y></md:Extensions>')), attack="OK-41")
    vector("no-entity-id", splice(entity(idp_role()), f' entityID="{IDP}"', ""),
           "policy.metadata-entity-id", attack="META-15")
    vector("other-root", '<Metadata xmlns="urn:x"/>', "policy.metadata-root")
    vector("no-entities", group(), "policy.metadata-no-key")
    vector("doctype", "<!DOCTYPE x>" + entity(idp_role()), "xml.doctype", attack="META-12")
    vector("stray-element", group(entity(idp_role()), '<x xmlns="urn:x"/>'),
           "xml.unexpected-element", attack="META-12")

    vector("duplicate", group(entity(idp_role()), entity(idp_role(key("evil-rsa")))),
           "policy.metadata-duplicate", attack="META-3")
    vector("duplicate-nested", group(entity(idp_role()), group(entity(idp_role(key("evil-rsa"))))),
           "policy.metadata-duplicate", attack="META-3")
    vector("not-duplicate", group(entity(idp_role()), entity(idp_role(key("other-rsa")),
                                                              name=IDP.upper())),
           trusts={IDP: ["idp-rsa"], IDP.upper(): ["other-rsa"]}, attack="META-3",
           note="names are compared as bytes")

    until = ' validUntil="{}"'.format
    good, past = "2030-01-02T00:00:00Z", "2030-01-01T12:00:00Z"
    vector("valid-until", entity(idp_role(), extra=until(good)), attack="META-4")
    vector("expired", entity(idp_role(), extra=until(past)), trusts={}, attack="META-4",
           note="valid before that instant and not at it; no key is left")
    vector("expired-group", group(entity(idp_role(), extra=until(good)), extra=until(past)),
           trusts={}, attack="META-4", note="the earlier end counts")
    vector("expired-entity", group(entity(idp_role(), extra=until(past)), extra=until(good)),
           trusts={}, attack="META-4")
    vector("expired-role", entity(splice(idp_role(), "<md:IDPSSODescriptor",
                                         "<md:IDPSSODescriptor" + until(past))),
           trusts={}, attack="META-4")
    vector("malformed-valid-until", entity(idp_role(), extra=until("tomorrow")),
           "time.malformed", attack="META-4")
    for name, text, code in (
            ("zero", "P0D", None), ("negative", "-P1D", None), ("month", "P1M", None),
            ("huge", "P999999999Y", None), ("overlong", "P10000000000Y", None),
            ("malformed", "1 day", None)):
        vector(f"cache-duration-{name}", entity(idp_role(), extra=f' cacheDuration="{text}"'), code,
               attack="META-4", note="a hint; no key hangs on it")

    vector("use-absent", entity(idp_role(key(use=None))), attack=["META-6", "OK-41"])
    vector("use-encryption", entity(idp_role(key(use="encryption"))), "policy.metadata-no-key",
           attack="META-6")
    vector("use-unknown", entity(idp_role(key(use="Signing"))), "policy.metadata-no-key",
           attack="META-6")
    vector("use-both-kinds", entity(idp_role(key(), key("evil-rsa", "encryption"),
                                             key("other-rsa", "anything"))), attack="META-6")

    vector("role-sp", entity(sp_role(key())), "policy.metadata-no-key", attack="META-7")
    vector("role-sp-beside", entity(sp_role(key("evil-rsa")), idp_role()), attack="META-7")
    authority = idp_role(key("evil-rsa")).replace("IDPSSODescriptor", "AttributeAuthorityDescriptor")
    vector("role-attribute-authority", entity(authority), "policy.metadata-no-key", attack="META-7")
    vector("role-attribute-authority-beside", entity(authority, idp_role()), attack="META-7")
    vector("protocol-saml11", entity(idp_role(protocols=f"urn:x  {SAML11}")), attack="META-7")
    vector("protocol-other", entity(idp_role(protocols="urn:x")), "policy.metadata-no-key",
           attack="META-7")
    vector("role-other-namespace", splice(entity(idp_role()), "md:IDPSSODescriptor",
                                          'x:IDPSSODescriptor', 2)
           .replace("<x:IDPSSODescriptor", '<x:IDPSSODescriptor xmlns:x="urn:x"'),
           "policy.metadata-no-key", attack="META-7")

    sts = "SecurityTokenServiceType"
    vector("fed-sts", entity(fed_role(sts, key())), attack="META-8")
    vector("fed-sts-prefix", entity(fed_role(sts, key(), prefix="f8")), attack="META-8",
           note="the prefix is anybody's to choose")
    vector("fed-sts-other-namespace", entity(fed_role(sts, key(), namespace="urn:x")),
           "policy.metadata-no-key", attack="META-8", note="the usual prefix, bound elsewhere")
    vector("fed-sts-prefix-elsewhere", entity(fed_role(sts, key()), fed_role(
        sts, key("evil-rsa"), namespace="urn:x")), attack="META-8")
    vector("fed-sts-no-prefix", splice(entity(fed_role(sts, key())), f'xsi:type="fed:{sts}"',
                                       f'xsi:type="{sts}"'),
           "policy.metadata-no-key", attack="META-8", note="a name of no namespace")
    vector("fed-application", entity(fed_role("ApplicationServiceType", key("rp-rsa"))),
           "policy.metadata-no-key", attack=["META-7", "META-8"])
    vector("fed-application-beside", entity(
        fed_role("ApplicationServiceType", key("evil-rsa")), fed_role(sts, key())),
        attack="META-8")

    body = keys.certificate_text("idp-rsa")
    name_only = splice(key(), f"<ds:X509Data><ds:X509Certificate>{body}</ds:X509Certificate>"
                              "</ds:X509Data>", "<ds:KeyName>idp</ds:KeyName>")
    for name, descriptor in (
            ("empty", splice(key(), body, "")), ("junk", splice(key(), body, "AAAA")),
            ("not-base64", splice(key(), body, "***")), ("key-name", name_only)):
        vector(f"certificate-{name}", entity(idp_role(descriptor)), "policy.metadata-no-key",
               attack="META-16")
        vector(f"certificate-{name}-beside", entity(idp_role(descriptor, key())), attack="META-16",
               note="the other key is as good as ever")
    vector("certificate-expired", entity(idp_role(key("expired"))), trusts={IDP: ["expired"]},
           attack="META-16", note="trusted as a key; a warning says so")
    vector("certificate-chain", entity(idp_role(splice(
        key(), "</ds:X509Data>", f"<ds:X509Certificate>{keys.certificate_text('evil-rsa')}"
        "</ds:X509Certificate></ds:X509Data>"))), attack="META-16",
        note="the authority's key in a chain is no signing key")
    vector("display-data", entity(idp_role(), before=(
        '<md:Extensions><mdui:UIInfo xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui">'
        '<mdui:DisplayName xml:lang="en">&lt;script&gt;\u202e</mdui:DisplayName>'
        "<mdui:Logo>javascript:alert(1)</mdui:Logo></mdui:UIInfo></md:Extensions>")),
        attack="META-17")
    vector("flags", entity(splice(idp_role(), "<md:IDPSSODescriptor",
                                  '<md:IDPSSODescriptor WantAuthnRequestsSigned="false"')),
           attack="META-18")
    vector("additional-location", entity(idp_role(), (
        '<md:AdditionalMetadataLocation namespace="urn:x">http://127.0.0.1:9/x'
        '</md:AdditionalMetadataLocation><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" '
        'href="http://127.0.0.1:9/y"/>')), attack="META-19", note="nothing is fetched")


def signatures(vector):
    def signed(uri, signer="idp-rsa", **more):
        return sign(entity(idp_role(), id="_m", before=template(reference(uri, **more))), signer)

    genuine = signed("#_m")
    whole = signed("")
    pin = [IDP_KEY]
    more = {"by": BY_XMLSEC}
    vector("signed", genuine, pinned=pin, attack="META-1", **more)
    vector("signed-whole", whole, pinned=pin, attack="META-5", note='URI="" on the root', **more)
    vector("signed-whole-instruction", sign("<?a b?>" + entity(
        idp_role(), before=template(reference(""))) + "<?c d?>"), pinned=pin, attack="META-5",
        **more)
    vector("signed-group", sign(group(entity(idp_role()), id="_g", before=template(
        reference("#_g")))), pinned=pin, attack="META-1", **more)
    vector("signed-sha1", sign(entity(idp_role(), id="_m", before=template(
        reference("#_m", digest="sha1"), method="rsa-sha1"))), pinned=pin,
        allow=["rsa-sha1", "sha1"], **more)
    vector("signed-sha1-refused", sign(entity(idp_role(), id="_m", before=template(
        reference("#_m", digest="sha1"), method="rsa-sha1"))), "algorithm.legacy", pinned=pin,
        signed=True, **more)
    vector("unsigned-pinned", entity(idp_role()), "signature.missing", pinned=pin, attack="META-1")
    vector("signed-by-other", signed("#_m", "evil-rsa"), "signature.invalid", pinned=pin,
           attack="META-1", signed=True, **more)
    vector("signed-unpinned", signed("#_m", "evil-rsa"), attack="OK-41", by=BY_XMLSEC,
           note="nobody asks for a signature")
    start, end = genuine.index("<ds:Signature "), genuine.index("</ds:Signature>") + 15
    vector("stripped", genuine[:start] + genuine[end:], "signature.missing", pinned=pin,
           attack="META-1")
    vector("tampered", splice(genuine, "idp.example/sso", "evil.example/sso"),
           "signature.digest-mismatch", pinned=pin, attack="META-1")
    vector("tampered-whole", splice(whole, "idp.example/sso", "evil.example/sso"),
           "signature.digest-mismatch", pinned=pin, attack="META-5")
    vector("tampered-expiry", splice(sign(entity(
        idp_role(), id="_m", extra=' validUntil="2029-01-01T00:00:00Z"',
        before=template(reference("#_m")))), "2029-", "2039-"),
        "signature.digest-mismatch", pinned=pin, attack=["META-4", "META-14"])


def places(vector):
    more = {"pinned": [IDP_KEY], "by": BY_XMLSEC}
    last = entity(idp_role(), template(reference("#_m")), id="_m")
    vector("signed-last", sign(last), attack="META-1",
           note="the schema has the signature first", **more)
    for name, uri in (("exclusive", EXC + "WithComments"), ("inclusive", INC + "#WithComments")):
        text = sign(entity(idp_role(), id="_m", before=template(
            reference("#_m", transforms=transform(ENVELOPED) + transform(uri)), c14n=uri)
            + "<!-- x -->"))
        vector(f"signed-comments-{name}", text, attack=["META-1", "DSIG-24"],
               note="as SWAMID signs; no comment is digested", **more)
        vector(f"signed-comments-{name}-removed", splice(text, "<!-- x -->", ""),
               attack=["META-1", "DSIG-24"], **more)
    body = keys.certificate_text("idp-rsa")
    for name, piece in (("comment", "<!-- x -->"), ("instruction", "<?x y?>"),
                        ("element", "<x/>")):
        divided = splice(key(), body, body[:64] + piece + body[64:])
        vector(f"certificate-{name}", entity(idp_role(divided)), "policy.metadata-no-key",
               attack="META-16")
        vector(f"certificate-{name}-beside", entity(idp_role(divided, key())), attack="META-16",
               note="the other key is as good as ever")


def types(vector):
    """CONT-6: exclusive canonicalization covers the binding of a prefix only where a name uses it."""
    sts, none = "SecurityTokenServiceType", "policy.metadata-no-key"
    more = {"pinned": [IDP_KEY], "attack": ["META-8", "CONT-6"], "by": BY_XMLSEC}

    def signed(role, head="", **options):
        text = entity(role, id="_m", before=template(reference("#_m", **options)))
        return sign(splice(text, "<md:EntityDescriptor ", f"<md:EntityDescriptor {head}"))

    role = fed_role(sts, key())
    other = fed_role(sts, key(), namespace="urn:x")
    declared = f'xmlns:fed="{FED}"'
    vector("type-uncovered", signed(role), none,
           note="no name uses the prefix, so that its declaration is not digested", **more)
    vector("type-rebound", splice(signed(other), 'xmlns:fed="urn:x"', declared), none,
           note="bound anew without a change to what is digested", **more)
    vector("type-uncovered-beside", signed(idp_role() + fed_role(sts, key("other-rsa"))),
           note="the identity provider's key is used", **more)
    inside = "<fed:TokenTypesOffered/>"
    vector("type-children", signed(fed_role(sts, key(), inside=inside)), none,
           note="as ADFS writes it: the child declares the prefix for itself", **more)
    vector("type-children-rebound", splice(signed(fed_role(
        sts, key(), namespace="urn:x",
        inside=f"<fed:TokenTypesOffered {declared}/>")), 'xmlns:fed="urn:x"', declared), none,
        **more)
    # Where the binding is not digested, the endpoint that only one of the types has decides.
    def endpoint(name, declaration=declared):
        return (f'<fed:{name} {declaration}><wsa:EndpointReference xmlns:wsa="{WSA}"><wsa:Address>'
                f"https://idp.example/{name}</wsa:Address></wsa:EndpointReference></fed:{name}>")

    service = endpoint("SecurityTokenServiceEndpoint")
    application = endpoint("ApplicationServiceEndpoint")
    passive = endpoint("PassiveRequestorEndpoint")

    def endpoints(*inside, kind=sts, namespace=FED):
        return signed(fed_role(kind, key(), inside="".join(inside), namespace=namespace))

    vector("type-endpoint", endpoints(passive, service),
           note="as ADFS and Entra ID write it: the endpoint says which type it is", **more)
    typed = f'RoleDescriptor xmlns:xsi="{XSI}" '
    vector("type-endpoint-rebound", splice(
        endpoints(service), typed + declared, typed + 'xmlns:fed="urn:x"'),
           note="bound anew without a change to what is digested: it is what it was", **more)
    vector("type-endpoint-passive", endpoints(passive), none, note="both types have this one", **more)
    vector("type-endpoint-both", endpoints(service, application), none, **more)
    vector("type-endpoint-other", endpoints(application), none, **more)
    vector("type-endpoint-application", endpoints(service, kind="ApplicationServiceType"), none,
           note="the local name is digested", **more)
    vector("type-endpoint-other-type", endpoints(service, kind="SecurityTokenServiceTypes"), none,
           **more)
    foreign = service.replace(declared, 'xmlns:fed="urn:x"')
    vector("type-endpoint-foreign", splice(
        endpoints(foreign, namespace="urn:x"), typed + 'xmlns:fed="urn:x"', typed + declared), none,
           note="the namespace of the endpoint is digested", **more)
    vector("type-endpoint-deeper", endpoints(f"<md:Extensions>{service}</md:Extensions>"), none,
           note="no direct child", **more)
    listed = signed(role, prefixes="fed")
    vector("type-listed", listed, note="the prefix list has it", **more)
    vector("type-listed-default", signed(role, prefixes="#default xs"), none, **more)
    vector("type-listed-above", signed(splice(role, f' {declared}', ""), declared + " ",
                                       prefixes="xs fed"), **more)
    vector("type-listed-rebound", splice(signed(other, prefixes="fed"), 'xmlns:fed="urn:x"',
                                         declared), "signature.digest-mismatch", **more)
    vector("type-inclusive", signed(role, c14n=INC), note="every declaration is digested", **more)
    vector("type-inclusive-rebound", splice(signed(other, c14n=INC), 'xmlns:fed="urn:x"', declared),
           "signature.digest-mismatch", **more)
    used = splice(role, "<md:RoleDescriptor ", '<md:RoleDescriptor fed:x="" ')
    vector("type-used", signed(used), note="an attribute uses the prefix", **more)
    vector("type-used-above", signed(splice(role, f' {declared}', ""), f'{declared} fed:x="" '),
           note="an attribute of the entity uses it", **more)
    above = signed(other, f'{declared} fed:x="" ')
    vector("type-used-above-hidden", above, none,
           note="the entity uses it for something else than the role declares it for", **more)
    whole = sign(entity(role, before=template(reference(""))))
    vector("type-whole", whole, none, **more)


def wrapping(vector):
    pin = [IDP_KEY]
    genuine = sign(entity(idp_role(), id="_m", before=template(reference("#_m"))))
    evil = idp_role(key("evil-rsa"))
    start, end = genuine.index("<ds:Signature "), genuine.index("</ds:Signature>") + 15
    signature, bare = genuine[start:end], genuine[:start] + genuine[end:]
    vector("wrapped-extensions", entity(evil, before=(
        signature + f"<md:Extensions>{bare}</md:Extensions>"), id="_e"),
        "signature.reference-uri", pinned=pin, attack="META-2", by=BY_XMLSEC,
        note="the genuine descriptor in Extensions, a forged one around it")
    vector("wrapped-same-id", entity(evil, before=(
        signature + f"<md:Extensions>{bare}</md:Extensions>"), id="_m"),
        "xml.duplicate-id", pinned=pin, attack="META-2", by=BY_XMLSEC)
    vector("wrapped-no-id", entity(evil, before=(
        signature + f"<md:Extensions>{bare}</md:Extensions>")),
        "signature.reference-uri", pinned=pin, attack="META-2", by=BY_XMLSEC)
    vector("wrapped-whole-nested", group(sign(entity(idp_role(), before=template(reference(""))))),
           "signature.missing", pinned=pin, attack="META-5", by=BY_XMLSEC,
           note='URI="" below the root')
    vector("part-signed", group(genuine, entity(idp_role(key("evil-rsa")), name=IDP_B)),
           "signature.missing", pinned=pin, attack="META-2", by=BY_XMLSEC,
           note="one entity is signed, the aggregate is not")
    outer = sign(group(entity(idp_role()), id="_g", before=template(reference("#_g"))))
    vector("added-entity", splice(outer, "</md:EntitiesDescriptor>", entity(
        evil, name=IDP_B) + "</md:EntitiesDescriptor>"), "signature.digest-mismatch", pinned=pin,
        attack="META-2", by=BY_XMLSEC)
    vector("signed-nested-copy", sign(entity(idp_role(), id="_m", before=(
        template(reference("#_m"))
        + f'<md:Extensions>{entity(evil, name=IDP_B)}</md:Extensions>'))),
        pinned=pin, attack="META-2", by=BY_XMLSEC, note="a descriptor in Extensions is nobody's")
    vector("two-signatures", splice(genuine, "</ds:Signature>", "</ds:Signature>" + signature),
           "signature.repeated", pinned=pin, attack="META-2", by=BY_XMLSEC)
    vector("reference-extensions", sign(entity(evil, id="_e", before=(
        template(reference("#_x", transforms=transform(EXC)))
        + '<md:Extensions><x:y xmlns:x="urn:x" ID="_x"/></md:Extensions>'))),
        "signature.reference-uri", pinned=pin, attack="META-2", by=BY_XMLSEC)


def publication(vector):
    """What one publisher serves in the course of a week, signed by a key of its own."""
    pin = ["keys/other-rsa.crt"]

    def signed(text, name, code=None, *, trusts, signer="other-rsa", note="", attack="OK-41"):
        vector(f"published-{name}", sign(text, signer), code, trusts=trusts, pinned=pin,
               by=BY_XMLSEC, signed=True, note=note, attack=attack)

    def lasting(until, *, id="", created=None):
        """The attributes of the document element, and what stands before its roles or entities."""
        before = (template(reference("#_p")) if id else "") + publication_info(created)
        return {"id": id, "before": before,
                "extra": f' validUntil="{until}T12:00:00Z" cacheDuration="PT1H"'}

    def published(name, until, created, *names, entity_id=IDP, trusts=None, **more):
        if trusts is None:
            trusts = {entity_id: list(names)}
        signed(entity(idp_role(*(key(each) for each in names)), name=entity_id,
                      **lasting(until, id="_p", created=created)), name, trusts=trusts, **more)

    published("current", "2030-01-08", "2030-01-01T08:00:00Z", "idp-rsa")
    published("both", "2030-01-09", "2030-01-01T09:00:00Z", "idp-rsa", "idp-ec256",
              note="a rollover begins")
    published("next", "2030-01-10", "2030-01-01T10:00:00Z", "idp-ec256", note="and ends")
    published("shorter", "2030-01-07", "2030-01-01T11:00:00Z", "idp-ec256", attack="META-14",
              note="newer, and ends earlier")
    published("older", "2030-01-07", "2029-12-31T08:00:00Z", "evil-rsa", "idp-rsa",
              attack="META-14", note="genuine, with a key that was withdrawn since")
    published("older-longer", "2030-01-20", "2029-12-31T08:00:00Z", "evil-rsa", "idp-rsa",
              attack="META-14", note="the same, valid for longer than what came after it")
    published("undated", "2030-01-09", None, "idp-rsa", "idp-ec256", attack="META-14",
              note="does not say when it was made")
    published("undated-shorter", "2030-01-08", None, "idp-ec256", attack="META-14",
              note="does not say when it was made, and ends earlier")
    published("future", "2030-01-09", "2031-01-01T09:00:00Z", "idp-rsa", attack="META-14",
              note="the publisher's clock is a year ahead")
    published("expired", "2029-12-31", "2029-12-30T08:00:00Z", "idp-rsa", trusts={},
              attack="META-4")
    published("other-entity", "2030-01-09", "2030-01-01T09:00:00Z", "idp-rsa", entity_id=IDP_B,
              attack="META-15")
    published("forged", "2030-01-09", "2030-01-01T09:00:00Z", "evil-rsa", signer="evil-rsa",
              code="signature.invalid", attack="META-1")

    # An aggregate whose entity with the latest validUntil goes. What the entities say of their own
    # publication is not that of the document.
    until = ' validUntil="{}T12:00:00Z"'.format
    first = entity(idp_role(), extra=until("2030-01-20"))
    second = entity(idp_role(key("other-rsa")), name=IDP_B, extra=until("2030-01-09"),
                    before=publication_info("2029-06-01T00:00:00Z"))
    signed(group(first, second, **lasting("2030-01-30", id="_p", created="2030-01-01T09:00:00Z")),
           "group", trusts={IDP: ["idp-rsa"], IDP_B: ["other-rsa"]})
    signed(group(second, **lasting("2030-01-30", id="_p", created="2030-01-01T10:00:00Z")),
           "group-without", trusts={IDP_B: ["other-rsa"]}, attack="META-14",
           note="the entity that lasted longest was dropped")


def publication_info(created):
    """When a document was made (SAML V2.0 Metadata Extensions for Registration and Publication
    Information, 2.2)."""
    if not created:
        return ""
    return (f'<md:Extensions><mdrpi:PublicationInfo xmlns:mdrpi="{RPI}" '
            f'publisher="https://federation.example/" creationInstant="{created}"/></md:Extensions>')
