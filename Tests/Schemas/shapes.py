"""What gate.json and acs.json may hold, as JSON Schemas (2020-12). The readers of trust.json and attack.json write theirs.

`schemas.py` holds each against the reader of its command: the members of every object, which of them have to be there,
and the verdict on a few hundred files.
"""

BASE = "https://swift-federation.example/schemas/"


def text(description=None, **more):
    return {"type": "string", "minLength": 1, **({"description": description} if description else {}), **more}


def texts(description=None, **more):
    return {"type": "array", "items": text(), **({"description": description} if description else {}), **more}


def words(*names, description=None):
    return {"enum": list(names), **({"description": description} if description else {})}


def flag(description):
    return {"type": "boolean", "description": description}


def whole(least, most, description):
    return {"type": "integer", "minimum": least, "maximum": most, "description": description}


def one_or_more(item, description=None):
    return {"type": "array", "items": item, "minItems": 1, **({"description": description} if description else {})}


def fields(members, required=(), **more):
    return {
        "type": "object", "properties": members, "additionalProperties": False,
        **({"required": list(required)} if required else {}), **more}


def either(*schemas):
    return {"anyOf": list(schemas)}


def file(name, title, members, required=(), definitions=None, **more):
    schema = fields({"$schema": text("The schema of this file, for an editor."), **members}, required, **more)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": BASE + name, "title": title}
    return {**head, **schema, **({"$defs": definitions} if definitions else {})}


SOURCES = {
    "type": "object", "propertyNames": {"minLength": 1},
    "description": "Further names of claims: members, types, and paths into nested members.",
    "additionalProperties": either(text(), {"type": "array", "minItems": 1, "items": either(
        text(), {"type": "array", "items": text(), "minItems": 2})}),
}

# --- what gate.json and acs.json have in common

IDENTIFIER = text(
    "1 to 64 letters, digits, '-', '.', '_' and '~', and not the word any.",
    pattern=r"^(?!(any|\.|\.\.)$)[A-Za-z0-9._~-]{1,64}$")
TOKEN = text(pattern=r"^[!#-\[\]-~]+$")
SCOPES = {
    "type": "array", "items": text(pattern=r"^[!#-\[\]-~]+$"), "contains": {"const": "openid"},
    "description": "The scopes to ask for, openid among them."}
METADATA = {
    "metadata": text("A file, or an https address."),
    "query": text("The address of a metadata query server, in place of metadata."),
    "metadataKey": text("The file of the key that signs it."),
    "entityID": text("The provider's entityID; for an address it has to be there."),
    "copy": text("A file for the last good copy, of metadata at an address."),
}


def by_metadata(own, required=()):
    return fields({**METADATA, **own}, required, **{
        "if": {"required": ["query"]},
        "then": {"required": ["metadataKey", "entityID"], "properties": {"metadata": False}},
        "else": {
            "required": ["metadata"],
            "if": {"properties": {"metadata": {"pattern": "^https?://"}}},
            "then": {"required": ["entityID"]},
            "else": {"properties": {"copy": False}},
        }})


EXCHANGES = {
    "saml": by_metadata({"binding": words("post", "artifact")}),
    "wsFederation": by_metadata({"realm": text("The name of this application at the provider.")}, ["realm"]),
    "openID": fields(
        {
            "issuer": text("The issuer's address.", pattern=r"^https?://(?!.*/\.well-known/openid-configuration$)"), "clientID": text(),
            "configuration": text("The address of the provider's configuration, if it is not below the issuer.", pattern="^https?://"),
            "otherAudiences": either({"const": "any"}, texts("Audiences that ID tokens may name beside clientID.")),
            "clientSecret": text("file:NAME", pattern="^file:."),
            "authentication": words("basic", "post", "privateKey", "none", description="How the client says who it is."),
            "clientKey": text("The file of the key that signs, for privateKey."),
            "clientKeys": one_or_more(text(), "Files of keys, of which the first signs."),
            "scopes": SCOPES, "userInfo": flag("Whether UserInfo is asked for."),
            "algorithms": one_or_more(text("Such as ES256."), "What may sign ID tokens."),
            "prompt": text("login, consent or select_account; not none.", pattern=r"^(?!(.* )?none( |$))[!#-\[\]-~]+( [!#-\[\]-~]+)*$"),
            "maxAge": whole(0, 315_360_000, "Seconds since the provider asked the person."),
            "contexts": one_or_more(TOKEN, "How strong a sign-in has to be."),
            "resources": one_or_more(text("An absolute URI.", pattern="^[A-Za-z][A-Za-z0-9+.-]*:[^#]*$")),
            "responseMode": words("query", "form_post"), "refresh": whole(60, 86_400, "Seconds between two refreshes."),
            "emails": texts("Domains of which the provider's e-mail addresses are believed."),
            "decryptKeys": one_or_more(text(), "Files of keys to which the provider encrypts."),
            "encrypted": {"const": "required", "description": "ID tokens that are not encrypted are refused."},
        }, ["issuer", "clientID"], dependentRequired={"encrypted": ["decryptKeys"]}, allOf=[
            {"if": {"anyOf": [{"properties": {"authentication": {"enum": ["basic", "post"]}}, "required": ["authentication"]},
                              {"required": ["clientSecret"], "not": {"required": ["authentication"]}}]},
             "then": {"required": ["clientSecret"], "properties": {"clientKey": False, "clientKeys": False}}},
            {"if": {"properties": {"authentication": {"const": "privateKey"}}, "required": ["authentication"]},
             "then": {"properties": {"clientSecret": False},
                      "oneOf": [{"required": ["clientKey"]}, {"required": ["clientKeys"]}]}},
            {"if": {"anyOf": [{"properties": {"authentication": {"const": "none"}}, "required": ["authentication"]},
                              {"not": {"anyOf": [{"required": ["authentication"]}, {"required": ["clientSecret"]}]}}]},
             "then": {"properties": {"clientSecret": False, "clientKey": False, "clientKeys": False}}},
        ]),
}
# acs keeps no claims of a provider, so it reads none anew.
ONCE = {**EXCHANGES, "openID": {
    **EXCHANGES["openID"],
    "properties": {name: shape for name, shape in EXCHANGES["openID"]["properties"].items() if name != "refresh"}}}
SKEW = whole(0, 600, "Seconds by which the provider's clock may differ; 60 without it.")
STORE = fields(
    {
        "redis": text("redis://host:port/0 or rediss://user@host:port/0.", pattern="^rediss?://"),
        "password": text("file:NAME", pattern="^file:"), "trustedRoots": text(), "certificate": text(),
        "privateKey": text(), "namespace": text(), "mayForget": flag("Whether used answers may be forgotten."),
    }, ["redis"], dependentRequired={"certificate": ["privateKey"], "privateKey": ["certificate"]})
OUTGOING = fields({
    "calls": whole(1, 10_000, "Calls to one server at once; 256 without it."),
    "queue": whole(0, 10_000, "Calls that wait; 256 without it."),
    "seconds": whole(1, 60, "Seconds that a call may take; 10 without it."),
})
LOG = words("text", "json", description="The form of a line of the log; text without it.")

# --- gate.json

PATH = {"type": "array", "items": text(), "minItems": 2, "description": "The names of nested members."}
OF_PROVIDERS = either(text("The id of a provider, or any."), one_or_more(text()))
RULE = fields(
    {
        "path": text("A path of the application: the rule is for it and everything below.", pattern="^/"),
        "method": text("One method in upper case; without it all.", pattern="^[A-Z]+$"),
        "provider": OF_PROVIDERS,
        "claim": either(text("subject, provider, issuer, or the name or type of a claim."), PATH),
        "oneOf": one_or_more(text(), "Who has one of these values gets in."),
        "noneOf": one_or_more(text(), "Who has one of these values does not."),
        "public": {"const": True, "description": "Everybody gets in; only path and method stand beside it."},
        "contexts": one_or_more(TOKEN, "How strong the sign-in has to be."),
        "maxAge": whole(60, 31_536_000, "Seconds since the person was asked."),
        "scope": one_or_more(TOKEN, "What a bearer token has to be good for."),
        "sessions": flag("Whether a session gets in beside a bearer token."),
    }, ["path"], allOf=[{
        "if": {"required": ["public"]},
        "then": {"properties": {name: False for name in (
            "provider", "claim", "oneOf", "noneOf", "contexts", "maxAge", "scope", "sessions")}},
    }], **{
        "if": {"required": ["claim"]},
        "then": {"oneOf": [{"required": ["oneOf"]}, {"required": ["noneOf"]}]},
        "else": {"properties": {"oneOf": False, "noneOf": False}},
    })

HEADERS = {
    "type": "object", "propertyNames": {"pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},
    "additionalProperties": either(
        text("The claim whose values the header has."),
        fields({"claim": either(text(), PATH), "only": one_or_more(text()), "provider": OF_PROVIDERS}, ["claim"])),
}
RESOURCE = fields(
    {
        "identifier": text("The address that tokens are for; what is below it is protected.", pattern="^https?://[^?#]+$"),
        "authorizationServers": one_or_more(text("An issuer that gives tokens.", pattern="^https?://")),
        "scopes": one_or_more(TOKEN, "The scopes that there are."),
    }, ["identifier", "authorizationServers"])
APPLICATION = fields(
    {
        "origin": text("Where browsers see it, such as https://wiki.example.", pattern="^https?://[^/?#]+/?$"),
        "rules": {"type": "array", "items": RULE}, "headers": HEADERS, "resource": RESOURCE,
        "audiences": one_or_more(text(), "Audiences of bearer tokens for it, beside its origin."),
        "origins": one_or_more(
            text("An origin as browsers write it.", pattern="^https?://[^/?#]+$"),
            "Other origins whose pages read answers of the application."),
    }, ["origin"])

GATE = file(
    "gate.schema.json", "The gate: the file of claims-gate", {
        "public": text("The origin that browsers see, such as https://app.example.", pattern="^https?://[^/?#]+/?$"),
        "name": text("What people read on the pages; default the host of public."),
        "logo": text("The file of a picture on the pages: SVG or PNG of at most 64 KiB."),
        "listen": text("host:port, or unix:PATH, the absolute path of a Unix socket."),
        "operations": text("host:port of health and metrics."),
        "proxy": fields(
            {
                "kind": words("nginx", "caddy", "haproxy", "traefik", "envoy", description="Which proxy asks."),
                "peers": one_or_more(text("An address, a network, or unix: for the Unix socket at listen."), "From where the proxy asks."),
            }, ["kind", "peers"]),
        "prefix": text("The path below which the gate answers.", pattern=r"^/([A-Za-z0-9._~-]+/)+$"),
        "entityID": text("Our name in SAML; default public with /saml behind it."),
        "signingKey": text(), "certificate": text(), "signingKeys": one_or_more(text()),
        "certificates": one_or_more(text()), "decryptKeys": texts(), "cookieKeys": text("The file of the cookies' keys."),
        "people": words("by provider", "shared", description="Whether providers name one set of people."),
        "providers": one_or_more(
            fields(
                {"id": IDENTIFIER, "name": text("What people read."), "claims": SOURCES, **EXCHANGES, "skew": SKEW,
                 "acceptsUnsolicited": flag("SAML: answers that nobody asked for.")}, ["id"],
                oneOf=[{"required": [name]} for name in EXCHANGES],
                **{"if": {"properties": {"acceptsUnsolicited": {"const": True}}, "required": ["acceptsUnsolicited"]},
                   "then": {"required": ["saml"]}})),
        "session": fields(
            {
                "store": either(text("memory or sqlite:FILE.", pattern="^(memory|sqlite:.+)$"), STORE),
                "lifetime": whole(60, 2_592_000, "Seconds."), "idle": whole(60, 2_592_000, "Seconds."),
            }),
        "headers": HEADERS,
        "provider": either(
            text("Whose claims count where a rule or header does not say it: the id of a provider, or any."),
            one_or_more(text())),
        "applications": one_or_more(APPLICATION, "Applications on hosts of their own."),
        "pagesOnly": flag("No application is at public: check refuses what is no page of the gate."),
        "identityToken": fields(
            {
                "header": text("The header of the application.", pattern="^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"),
                "keys": one_or_more(text(), "Files of keys, of which the first signs."),
                "lifetime": whole(10, 300, "Seconds."),
                "claims": {"type": "object", "additionalProperties": either(
                    text("A claim."), fields({"claim": either(text(), PATH), "provider": OF_PROVIDERS}, ["claim"])), "propertyNames": {
                    "minLength": 1, "not": {"enum": [
                        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "provider", "nonce", "at_hash", "c_hash", "events",
                        "cnf", "azp", "scope", "client_id"]}}},
            }, ["header", "keys"]),
        "rules": {"type": "array", "items": RULE},
        "default": words("signed in", "public", "refused", description="What a path gets that no rule covers."),
        "tokens": text("The trust file of bearer tokens."),
        "discovery": text("The address of a discovery service.", pattern="^https?://"),
        "services": text("Metadata of services that ask us for a person's provider."),
        "outgoing": OUTGOING, "log": LOG,
    }, ["public", "listen", "proxy"], **{
        "if": {"properties": {"providers": {"type": "array", "minItems": 2}}, "required": ["providers"]},
        "then": {"required": ["people"]},
        "allOf": [
            either({"required": ["providers"]}, {"required": ["tokens"]}),
            {"if": {"properties": {"pagesOnly": {"const": True}}, "required": ["pagesOnly"]},
             "then": {"required": ["applications"]}},
            {"if": {"properties": {"default": {"const": "refused"}}, "required": ["default"]},
             "then": {"required": ["rules"], "properties": {"rules": {"minItems": 1}}}},
            {"if": {"not": {"required": ["tokens"]}},
             "then": {"properties": {
                 "rules": {"items": {"properties": {"scope": False, "sessions": False}}},
                 "applications": {"items": {"properties": {
                     "resource": False, "audiences": False, "rules": {"items": {"properties": {"scope": False, "sessions": False}}}}}}}}},
        ],
        "dependentSchemas": {"signingKeys": {"properties": {"signingKey": False}},
                             "certificates": {"properties": {"certificate": False}}},
    })

# --- acs.json

CLIENT = {
    "audiences": texts("Names under which the client gets tokens."),
    "recipients": {"type": "array", "items": text(pattern="^https?://")},
}
SECRET = text("The secret, or file:NAME.", pattern="^(?!file:$)")
CLAIMS = either({"type": "object", "additionalProperties": either(text(), texts())}, {"type": "null"}, {"type": "array", "maxItems": 0})
CONDITION = fields(
    {"from": text("acs, or the id of a provider."), "type": text("A claim type; short names are known."), "value": text()},
    ["from"])

ACS = file(
    "acs.schema.json", "A local Access Control Service: the file of acs", {
        "issuer": text("https://host/, with the slash.", pattern="^https?://[^/?#]+/$"),
        "name": text("What people read on the pages."),
        "logo": text("The file of a picture on the pages: SVG or PNG of at most 64 KiB."),
        "listen": text("host:port."),
        "proxy": fields({"peers": one_or_more(text("An address or a network of the proxy."))}, ["peers"]),
        "tls": fields({"certificate": text(), "key": text()}, ["certificate", "key"]),
        "keys": text("The file of the keys, which the first run makes."),
        "state": either(text("memory, or a file."), STORE),
        "changedRules": text("The file of the rules that the admin pages change."),
        "requestsPerSecond": either(whole(1, 1_000_000, "Requests for tokens of all senders."), fields({
            "all": whole(1, 1_000_000, "Of all senders together."), "perAddress": whole(1, 1_000_000, "Of one network address."),
            "perIdentity": whole(1, 1_000_000, "Of one client or service identity.")})),
        "outgoing": OUTGOING, "log": LOG,
        "operations": text("host:port of health and metrics."),
        "admin": words("operations", "public", "off", description="Where the admin pages are."),
        "admins": {"type": "array", "items": fields({
            "name": text("The name, which stands in the log."), "password": SECRET,
            "role": words("viewer", "editor", description="viewer without it."),
        }, ["name", "password"])},
        "registration": fields({
            "relyingParty": text("The realm of the relying party whose clients they are."), "token": SECRET,
            "open": flag("Whether anybody may register a client."), "clients": whole(1, 100_000, "The most clients; 1000 without it."),
        }, ["relyingParty"], oneOf=[
            {"required": ["token"], "properties": {"open": {"const": False}}},
            {"required": ["open"], "properties": {"open": {"const": True}, "token": False}}]),
        "providers": one_or_more(fields(
            {
                "kind": words("windowsLive", "google", "yahoo", "facebook", "federation"),
                "application": text("Facebook: the number of the application."),
                "id": text("The value of the identity provider claim."), "name": text("What people read."),
                "offers": texts("The claim types that it sends."),
                "people": {"type": "array", "items": fields({"name": text(), "claims": CLAIMS}, ["name", "claims"])},
                "image": text(pattern="^https?://"), "emailSuffixes": texts(), **ONCE,
                "authoritativeFor": texts("Domains of e-mail addresses."),
                "subjectFrom": text("The claim that names people."),
                "grants": words("once", "reuse", description="Whether assertions of the provider are grants."),
                "contexts": {"type": "object", "additionalProperties": text("The context at the provider.")},
                "skew": SKEW,
                "address": {**IDENTIFIER, "description": "OpenID Connect: the name in the addresses that are registered at the provider."},
            }, **{
                "if": {"anyOf": [{"required": [name]} for name in EXCHANGES]},
                "then": {"oneOf": [{"required": [name]} for name in EXCHANGES], "properties": {"people": False}},
                "else": {"properties": {"subjectFrom": False, "grants": False, "skew": False}},
                "allOf": [
                    {"if": {"properties": {"kind": {"const": "facebook"}}, "required": ["kind"]},
                     "then": {"required": ["application"]}},
                    {"if": {"required": ["address"]}, "then": {"required": ["openID"]}},
                    {"if": {"properties": {"kind": {"const": "federation"}}}, "then": {"required": ["id"]}},
                    {"if": {"properties": {"grants": {"const": "reuse"}}, "required": ["grants"]}, "then": {"required": ["openID"]}},
                ]})),
        "relyingParties": one_or_more(fields(
            {
                "realm": text("The audience of its tokens."), "name": text("What people read."),
                "format": words("SWT", "JWT", "SAML 1.1", "SAML 2.0"),
                "return": {"type": "array", "items": text(
                    "Where tokens go; codes also to the private-use scheme of an app.",
                    pattern=r"^(https?://|[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/)[^*]*$")},
                "origins": {"type": "array", "items": text(
                    "An origin of pages whose scripts read the token endpoint.", pattern="^https?://[^/?#]+/?$")},
                "error": text(pattern="^https?://"),
                "backChannelLogout": text("Where the party is told of sign-outs.", pattern="^https?://"), "lifetime": whole(1, 86_400, "Seconds that a token is valid."),
                "rules": one_or_more(text("The name of a rule group.")),
                "providers": one_or_more(text("The id of a provider.")),
                "key": SECRET, "encryptTo": text("The file of a certificate, or of a JSON Web Key for the format JWT."),
                "encryption": words("A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "A128GCM", "A192GCM", "A256GCM",
                                    description="JWT: how tokens are encrypted; A256GCM without it."),
                "signing": words("RS256", "PS256", "ES256", "EdDSA", description="The algorithm of JSON Web Tokens; RS256 without it."),
                "metadata": text("SAML metadata: a file, or an https address that is fetched and refreshed."),
                "metadataKey": text("The file of the key that signs metadata at an address."),
                "copy": text("A file for the last good copy, of metadata at an address."),
                "clientSecret": SECRET, "identifiers": words("pairwise", "public"),
                "exchangeFor": texts("Clients that may exchange tokens for those of this party."),
                "mayActFor": texts("Of these, the ones that may act for a person."),
                "resourceFor": texts("Relying parties whose access tokens are for this one."),
                "draft13For": texts("Service identities that get people's tokens by the code flow of OAuth 2.0 draft 13."),
                "protocols": {"type": "array", "items": {"enum": [
                    "wsFederation", "saml", "openID", "draft13", "javascriptnotify", "wrap", "wsTrust", "exchange", "assertionGrants"]},
                    "description": "How its tokens are issued; without it, what clientSecret and metadata say."}, "scopes": {"type": "array", "items": TOKEN},
                "signResponse": flag("SAML 2.0: the response is signed, too."), **CLIENT,
            }, ["realm", "format", "rules"], allOf=[
                {"if": {"required": ["encryptTo"]}, "then": {"properties": {"format": {"enum": ["SAML 1.1", "SAML 2.0", "JWT"]}}}},
                {"if": {"required": ["encryption"]}, "then": {"required": ["encryptTo"], "properties": {"format": {"const": "JWT"}}}},
                {"if": {"required": ["metadata"]}, "then": {"properties": {"format": {"const": "SAML 2.0"}}}},
                {"if": {"required": ["signResponse"]}, "then": {"required": ["metadata"]}},
                {"if": {"anyOf": [{"required": ["metadataKey"]}, {"required": ["copy"]}]},
                 "then": {"required": ["metadata"], "properties": {"metadata": {"pattern": "^https?://"}}}},
            ])),
        "ruleGroups": {"type": "array", "items": fields(
            {
                "name": text(), "generate": texts("Ids of providers whose claims pass."),
                "rules": {"type": "array", "items": fields(
                    {"if": CONDITION, "and": CONDITION, "type": text(), "value": text(),
                     "to": words("people", "services"), "note": text()}, ["if"])},
            }, ["name"])},
        "serviceIdentities": {"type": "array", "items": fields(
            {
                "name": text(), "password": SECRET, "key": SECRET, "certificate": text(),
                "redirect": {"type": "array", "items": text(pattern="^https?://[^*]*$")}, **CLIENT,
            }, ["name"], anyOf=[{"required": [name]} for name in ("password", "key", "certificate")])},
        "authorizationServers": {"type": "array", "items": fields(
            {
                "issuer": text("The server that takes our assertions."),
                "clients": {"type": "object", "minProperties": 1, "additionalProperties": text("The client_id at the server.")},
                "relyingParty": text("The realm whose rules are used."), "scopes": {"type": "array", "items": TOKEN},
                "resources": texts(),
            }, ["issuer", "clients"])},
        "testPeople": words("public", description="Lets strangers be test people beyond loopback."),
    }, ["issuer", "listen", "providers", "relyingParties"], **{
        "if": {"properties": {"admin": {"const": "operations"}}, "required": ["admin"]}, "then": {"required": ["operations"]}})

SHAPES = {"gate": GATE, "acs": ACS}
