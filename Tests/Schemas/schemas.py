#!/usr/bin/env python3
"""The JSON Schemas of trust.json, gate.json, acs.json and attack.json, held against the readers of the commands.

    schemas.py                          checks that the schemas of gate.json and acs.json are what shapes.py says
    schemas.py --update                 writes these two
    schemas.py --bin BIN --validator check-jsonschema
                                        compares verdicts: the reader's and a foreign validator's, on a few hundred files

BIN is the folder of the built commands; check-jsonschema is PyPI's. A file that the reader takes and the schema does not
is a fault, and so is the reverse, but where SAYABLE says why no schema can see it.
"""

import argparse
import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from shapes import SHAPES

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs" / "schemas"
VECTORS = ROOT / "TestVectors"

# RFC 7517, A.1.
RECIPIENT = {"kty": "EC", "crv": "P-256", "use": "enc", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
             "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}
COMMANDS = {"trust": ["claims", "trust", "check"], "gate": ["claims-gate", "check"], "acs": ["acs", "check"],
            "attack": ["claims-attack", "provider", "--print"]}

# Why a schema cannot say what the reader refuses, by words of the reader's message.
SAYABLE = {
    "an id of its own": "two entries would have one identifier",
    "the identifier of a provider": "a name of something elsewhere in the file",
    "the id of a provider": "a name of something elsewhere in the file",
    "one of ": "a name of something elsewhere in the file",
    "a picture in SVG or PNG": "what is in a file beside it",
    "acs or ": "a name of something elsewhere in the file",
    "the name of a rule group": "a name of something elsewhere in the file",
    "input.file": "what is in a file beside it",
    "the file cannot be read": "what is in a file beside it",
    "trust.file-reference": "what is in a file beside it",
    "key.": "what is in a file beside it",
    "registry.unreadable-file": "what is in a file beside it",
    "signin.configuration": "what is in a file beside it",
    "a context of the provider that has no other name": "two entries would have one name at the provider",
    "an issuer of its own": "two entries would have one issuer",
    "gate.key": "what is in a file beside it",
    "the certificate of": "what is in a file beside it",
    "an IP address, or a network": "the grammar of addresses",
    "must be fewer seconds than session.lifetime": "one member bounds another",
    "provider, since there are several": "how many providers there are decides what a rule needs",
    "gate.claim-provider": "how many providers there are decides what a rule needs",
    "gate.audience": "how many applications there are decides what an audience needs",
    "PROVIDER:SUBJECT": "the form of a subject depends on another member",
    "a loopback address, or tls beside it": "which addresses are loopback",
    "the port of the issuer": "two members have to have one port",
    "an address other than that of listen": "two members must not be one address",
    "real providers beyond loopback": "which addresses are loopback",
    "an https": "which addresses are loopback, and the grammar of addresses",
    "https://host/": "which addresses are loopback, and the grammar of addresses",
    "host:port": "the grammar of addresses",
    "an address": "the grammar of addresses",
    "unknown-algorithm": "the names of algorithms, which grow",
    "32 octets or more in base64": "how many octets a text in base64 has",
    "a client that exchangeFor": "a name of something elsewhere in the file",
    "the name of a service identity": "a name of something elsewhere in the file",
    "the realm of a relying party": "a name of something elsewhere in the file",
    "a name that one client alone has": "two entries would have one identifier",
    "a realm of its own": "two entries would have one identifier",
    "a name of its own": "two entries would have one identifier",
    "a header name that no other": "two names would be taken for one",
    "the name of a header of your own": "which headers mean something to HTTP and proxies",
    "ES256": "the names of algorithms, which grow",
    "a path": "the grammar of paths",
    "a domain": "the grammar of domains",
    "a host of its own": "two entries would have one host",
    "none for test people": "a schema could; the message is better where it is",
    "cookieKeys beside a store": "a schema could; the message is better where it is",
    "an origin, such as": "the grammar of addresses",
    "another subject than that of person": "two members must not be alike",
    "an address of the origin": "two members have to have one origin",
    "attack.consent": "which addresses are loopback",
    "http:// or https://": "the grammar of addresses",
    "policy.mint-": "what a token of the format can carry",
}


# What docs/schemas says, by the file that it is about.
SCHEMAS = {file.name.partition(".")[0]: json.loads(file.read_text()) for file in DOCS.glob("*.schema.json")}


def write(name, schema):
    return json.dumps(schema, indent=2) + "\n"


# --- files


def samples(folder, tools):
    """Good files, each with every member that can stand beside the others."""
    for name in ("idp-rsa.key", "idp-rsa.crt", "idp-ec256.key", "rp-ec256.key"):
        source = VECTORS / "keys" / name
        if source.exists():
            shutil.copy(source, folder)
    (folder / "swt.key").write_bytes(bytes(range(32)))
    (folder / "secret").write_text("a-secret-of-the-client\n")
    for name in ("secret", "idp-rsa.key", "idp-ec256.key", "rp-ec256.key", "swt.key"):
        (folder / name).chmod(0o600)
    minted = subprocess.run(
        [tools / "claims", "mint", "metadata", "--issuer", "https://idp.example/", "--certificate", "idp-rsa.crt",
         "--sign-on", "https://idp.example/sso"], cwd=folder, check=True, capture_output=True)
    (folder / "idp.xml").write_bytes(minted.stdout)
    entry = {"id": "campus", "formats": ["saml20", "jwt"], "algorithms": ["rsa-sha256"], "claimsPrefix": ["urn:"],
             "stripPrefix": True, "certificateDates": "enforce"}
    trust = {
        "$schema": "trust.schema.json", "skew": 60, "audiences": ["urn:app"], "certificateDates": "warn",
        "decryptionKeys": ["idp-rsa.key"], "limits": {name: 1 for name in SCHEMAS["trust"]["properties"]["limits"]["properties"]},
        "issuers": [
            {"name": "https://campus.example/", "keys": ["idp-rsa.crt"], **entry},
            {"name": "https://acs.example/", "keys": ["hmac-file:swt.key"], "formats": ["swt"]},
        ]}
    # Limits of one would refuse the metadata beside them.
    described = {"audiences": ["urn:app"], "issuers": [
        {"metadata": "idp.xml", **entry}]}
    openid = {"issuer": "https://op.example/", "clientID": "wiki", "clientSecret": "file:secret", "scopes": ["openid", "email"],
              "emails": ["corp.example"], "authentication": "post", "userInfo": True, "algorithms": ["ES256"], "prompt": "login",
              "maxAge": 3600, "contexts": ["urn:mfa"], "resources": ["https://api.example"], "responseMode": "query", "refresh": 300, "decryptKeys": ["rp-ec256.key"], "encrypted": "required"}
    gate = {
        "$schema": "gate.schema.json", "public": "https://app.example", "name": "Notes", "logo": "logo.svg", "listen": "127.0.0.1:4180",
        "operations": "127.0.0.1:9180", "proxy": {"kind": "nginx", "peers": ["127.0.0.1", "10.0.0.0/8"]},
        "provider": "any", "prefix": "/.gate/", "entityID": "https://app.example/saml", "signingKey": "idp-rsa.key",
        "certificate": "idp-rsa.crt", "people": "by provider",
        "providers": [
            {"id": "op", "name": "Work", "openID": openid, "claims": {"role": ["urn:role", ["realm_access", "roles"]]}},
            {"id": "campus", "name": "Campus", "saml": {"metadata": "idp.xml", "entityID": "https://idp.example/", "binding": "post"},
             "acceptsUnsolicited": False},
        ],
        "session": {"store": "memory", "lifetime": 28800, "idle": 1800},
        "headers": {"X-Remote-User": "subject", "X-Remote-Groups": {"claim": "role", "only": ["admin"]}},
        "rules": [
            {"path": "/admin/", "method": "POST", "provider": ["op"], "claim": "role", "oneOf": ["admin"]},
            {"path": "/guest/", "provider": "any", "claim": "role", "noneOf": ["banned"]},
            {"path": "/open/", "public": True}, {"path": "/api/", "scope": ["write"], "sessions": True, "maxAge": 3600, "contexts": ["urn:mfa"]},
            {"path": "/"},
        ],
        "default": "refused", "identityToken": {"header": "X-Identity", "keys": ["idp-ec256.key"], "lifetime": 60, "claims": {"email": "email"}},
        "discovery": "https://find.example/", "tokens": "trust.json",
        "applications": [
            {"origin": "https://wiki.example", "audiences": ["urn:app"], "rules": [{"path": "/admin/", "provider": "op"}], "headers": {"X-Who": "email"}},
            {"origin": "https://api.example", "resource": {
                "identifier": "https://api.example/mcp", "authorizationServers": ["https://as.example"], "scopes": ["read", "write"]}},
        ]}
    one = {"public": "http://127.0.0.1:8080", "listen": "127.0.0.1:8080", "proxy": {"kind": "caddy", "peers": ["::1"]},
           "providers": [{"id": "op", "openID": {"issuer": "https://op.example/", "clientID": "wiki"}}],
           "session": {"store": {"redis": "rediss://127.0.0.1:6379/0", "mayForget": True, "namespace": "wiki"}},
           "cookieKeys": "cookies.keys"}
    (folder / "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "cookies.keys").write_text("A" * 43 + "=\n")
    (folder / "cookies.keys").chmod(0o600)
    (folder / "recipient.jwk").write_text(json.dumps(RECIPIENT))
    acs = {
        "$schema": "acs.schema.json", "issuer": "http://127.0.0.1:8090/", "name": "Tokens", "logo": "logo.svg", "listen": "127.0.0.1:8090", "proxy": {"peers": ["127.0.0.1", "10.0.0.0/8"]},
        "keys": "acs.keys", "state": "memory", "changedRules": "acs.rules.json", "requestsPerSecond": {"all": 50, "perAddress": 10, "perIdentity": 20}, "operations": "127.0.0.1:8099",
        "admin": "operations", "admins": [{"name": "ada", "password": "file:secret", "role": "editor"}, {"name": "ben", "password": "p"}],
        "registration": {"relyingParty": "urn:web", "token": "file:secret", "clients": 50},
        "providers": [
            {"kind": "facebook", "application": "4711", "name": "Facebook"},
            {"kind": "google", "emailSuffixes": ["example.org"], "image": "https://g.example/logo.png"},
            {"id": "corp", "kind": "federation", "offers": ["role", "name"], "authoritativeFor": ["corp.example"],
             "people": [{"name": "Mia", "claims": {"nameidentifier": "m1", "role": ["staff", "editor"]}}]},
            {"id": "work", "openID": {name: value for name, value in openid.items() if name != "refresh"}, "subjectFrom": "upn", "grants": "once", "address": "provider-1", "contexts": {"urn:mfa": "urn:theirs"}},
        ],
        "ruleGroups": [{"name": "default", "generate": ["Google", "corp"], "rules": [
            {"if": {"from": "corp", "type": "role", "value": "staff"}, "and": {"from": "corp", "type": "name"},
             "type": "urn:can", "value": "post", "to": "people", "note": "staff posts"}]}],
        "relyingParties": [
            {"realm": "urn:app", "name": "App", "format": "SWT", "return": ["http://127.0.0.1:8091/"],
             "error": "http://127.0.0.1:8091/error", "lifetime": 600, "rules": ["default"], "providers": ["Google"],
             "key": "A" * 43 + "=", "clientSecret": "file:secret", "identifiers": "public",
             "exchangeFor": ["uploader"], "mayActFor": ["uploader"], "scopes": ["write"], "audiences": ["urn:app:api"],
             "recipients": ["https://api.example/"]},
            {"realm": "urn:other", "format": "SAML 1.1", "rules": ["default"], "encryptTo": "idp-rsa.crt"},
            {"realm": "urn:web", "format": "JWT", "rules": ["default"], "encryptTo": "recipient.jwk", "encryption": "A128CBC-HS256",
             "signing": "ES256", "backChannelLogout": "https://web.example/logout"},
            {"realm": "urn:wiki", "format": "SAML 2.0", "rules": ["default"], "metadata": "https://wiki.example/metadata",
             "metadataKey": "idp-rsa.crt", "copy": "wiki.xml"}],
        "serviceIdentities": [
            {"name": "uploader", "password": "for-tests", "redirect": ["http://127.0.0.1:8091/"]},
            {"name": "job", "key": "A" * 43 + "="}, {"name": "tool", "certificate": "idp-rsa.crt"}],
        "authorizationServers": [
            {"issuer": "https://as.example/", "clients": {"uploader": "theirs"}, "relyingParty": "urn:app", "scopes": ["write"],
             "resources": ["https://api.example/"]}],
        "testPeople": "public"}
    attack = {
        "$schema": "attack.schema.json", "protocol": "saml20", "listen": "127.0.0.1:9400", "public": "http://127.0.0.1:9400",
        "start": "http://127.0.0.1:8080/login", "probe": {"url": "http://127.0.0.1:8080/me", "status": 200, "contains": "PERSON"},
        "person": {"subject": "alice", "claims": {"email": "PERSON@example.org"}}, "attacker": {"subject": "mallory"},
        "entity": "urn:app", "consumer": "http://127.0.0.1:8080/acs", "logout": "http://127.0.0.1:8080/slo", "token": "saml11",
        "authorized": "the owner", "login": {"organisation": "test"}, "canaries": False, "keys": "attack.keys",
        "signIns": {"most": 500, "perSecond": 5}, "timeout": 10, "skip": ["unsolicited/no-request"]}
    reread = {"protocol": "openid", "listen": "127.0.0.1:9400", "public": "http://127.0.0.1:9400", "start": "http://127.0.0.1:8080/login",
              "probe": {"url": "http://127.0.0.1:8080/me", "contains": "PERSON"}, "person": {"subject": "alice"},
              "second": "http://127.0.0.1:8080/login/second", "reread": {"url": "http://127.0.0.1:8080/reload", "seconds": 10},
              "frontChannelLogout": "http://127.0.0.1:8080/out", "logout": "http://127.0.0.1:8080/backchannel"}
    passive = {**{name: attack[name] for name in ("listen", "public", "start", "probe", "person", "canaries", "timeout")},
               "protocol": "wsfederation", "token": "saml20", "skip": ["wrapping/", "time/"], "signIns": {"most": 100}}
    (folder / "trust.json").write_text(json.dumps(described))
    return {"trust": [trust, described], "gate": [gate, one], "acs": [acs], "attack": [attack, reread, passive]}


def places(value, path=()):
    yield path, value
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in children:
        yield from places(child, (*path, name))


def replaced(document, path, make):
    made = copy.deepcopy(document)
    if not path:
        return make(made)
    holder = made
    for name in path[:-1]:
        holder = holder[name]
    if make is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = make(holder[path[-1]])
    return made


WRONG = {dict: [], list: {}, str: 7, int: "many", bool: "yes"}


def variants(document):
    """Files that differ from a good one in one thing, each with what that is."""
    yield "as it is", document
    for path, value in places(document):
        where = "/".join(map(str, path)) or "the file"
        if path:
            yield f"without {where}", replaced(document, path, None)
        wrong = WRONG[bool if isinstance(value, bool) else type(value)]
        yield f"{where}: {json.dumps(wrong)}", replaced(document, path, lambda _: wrong)
        yield f"{where}: null", replaced(document, path, lambda _: None)
        if isinstance(value, dict):
            yield f"{where}: another member", replaced(document, path, lambda old: {**old, "surplus": 1})
        if isinstance(value, str):
            yield f"{where}: an empty text", replaced(document, path, lambda _: "")
            yield f"{where}: another text", replaced(document, path, lambda _: "another")
        if isinstance(value, list):
            yield f"{where}: an empty list", replaced(document, path, lambda _: [])
        if isinstance(value, int) and not isinstance(value, bool):
            for number in (-1, 0, 1, 600, 601, 86_400, 86_401, 10 << 40, 1.5):
                yield f"{where}: {number}", replaced(document, path, lambda _: number)


# --- verdicts


def judged(tools, kind, file):
    told = subprocess.run([tools / COMMANDS[kind][0], *COMMANDS[kind][1:], file.name], cwd=file.parent, capture_output=True, text=True)
    return told.returncode == 0, told.stderr


def validated(validator, kind, files):
    told = subprocess.run(
        [validator, "--schemafile", DOCS / f"{kind}.schema.json", "-o", "json", *files], capture_output=True, text=True)
    report = json.loads(told.stdout)
    return {pathlib.Path(error["filename"]).name for error in report.get("errors", []) + report.get("parse_errors", [])}


def object_members(schema, path, root):
    """The members that the schema allows at a place of a good file."""
    for name in path:
        schema = resolved(schema, root)
        if isinstance(name, int):
            schema = next(one for one in [schema, *schema.get("anyOf", [])] if "items" in one)["items"]
        else:
            found = None
            for one in [schema, *map(lambda each: resolved(each, root), branches(schema))]:
                found = found or one.get("properties", {}).get(name) or (
                    one.get("additionalProperties") if isinstance(one.get("additionalProperties"), dict) else None)
            schema = found
    return schema


# Members that a reader knows so that it can say why they are not for its file.
REFUSED = {"acs": {"refresh"}}


def branches(schema):
    """The schemas that this one chooses from, in any depth."""
    own = [*schema.get("anyOf", []), *(schema[name] for name in ("then", "else") if isinstance(schema.get(name), dict))]
    return own + [deeper for one in own for deeper in branches(one)]


def resolved(schema, root):
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def drift(kind, document, tools, folder):
    """Objects whose members the reader and the schema do not list alike."""
    root, faults = SCHEMAS[kind], []
    for path, value in places(document):
        if not isinstance(value, dict) or path[-1:] in (("headers",), ("claims",), ("contexts",), ("clients",), ("login",)):
            continue
        file = folder / f"{kind}-drift.json"
        file.write_text(json.dumps(replaced(document, path, lambda old: {**old, "surplus": 1})))
        told = judged(tools, kind, file)[1]
        listed = re.search(r"unknown member `surplus`; known members: (?P<names>[^\n]*?) \(", told)
        schema = object_members(root, path, root)
        named = [
            set(one["properties"]) for one in [resolved(schema, root), *map(lambda each: resolved(each, root), branches(schema))]
            if one.get("properties") and one.get("additionalProperties") is False]
        reader = set(listed["names"].split(", ")) - REFUSED.get(kind, set()) if listed else None
        if reader is None or reader not in named:
            faults.append(f"{kind} {'/'.join(map(str, path)) or 'the file'}: the reader takes {reader}, the schema {named}")
    return faults


def compare(kind, documents, tools, validator, folder):
    files, faults, cannot = {}, [], {}
    for document in documents:
        for label, made in variants(document):
            file = folder / f"{kind}-{len(files)}.json"
            file.write_text(json.dumps(made, indent=1))
            files[file.name] = (label, file)
    refused = validated(validator, kind, [file for _, file in files.values()])
    good = bad = 0
    for name, (label, file) in files.items():
        takes, told = judged(tools, kind, file)
        good, bad = good + takes, bad + (not takes)
        if takes == (name not in refused):
            continue
        reason = None if takes else next((why for words, why in SAYABLE.items() if words in told), None)
        if reason is None:
            faults.append(f"{kind} {label}: the reader {'takes' if takes else 'refuses'} it, the schema does not agree\n    {told.strip()[:400]}")
        else:
            cannot[reason] = cannot.get(reason, 0) + 1
    print(f"{kind}: {good} good and {bad} bad files; {sum(cannot.values())} that no schema can refuse; {len(faults)} faults")
    for reason, count in sorted(cannot.items(), key=lambda one: -one[1]):
        print(f"    {count:3} {reason}")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--bin", type=pathlib.Path)
    parser.add_argument("--validator", default="check-jsonschema")
    arguments = parser.parse_args()
    stale = []
    for kind, schema in SHAPES.items():
        file = DOCS / f"{kind}.schema.json"
        if arguments.update:
            DOCS.mkdir(exist_ok=True)
            file.write_text(write(kind, schema))
        elif not file.exists() or file.read_text() != write(kind, schema):
            stale.append(file.name)
    if stale:
        sys.exit(f"schemas: not what shapes.py says: {', '.join(stale)}; run Tests/Schemas/schemas.py --update")
    if not arguments.bin:
        return
    tools, faults = arguments.bin.resolve(), []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, documents in samples(folder, tools).items():
            for document in documents:
                faults += drift(kind, document, tools, folder)
            faults += compare(kind, documents, tools, arguments.validator, folder)
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(len(faults) > 0)


main()
