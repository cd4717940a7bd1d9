"""The fixed test world and the list of vectors that ends up in manifest.jsonl."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

AT = "2030-01-01T12:00:00Z"
SKEW = 60
RP = "https://rp.example/saml"
ACS = "https://rp.example/acs"
IDP = "https://idp.example/idp"
IDP_B = "https://other.example/idp"
REQUEST = "_q1"
ALICE = "alice@idp.example"
ADMIN = "admin@rp.example"

IDP_KEY = "keys/idp-rsa.crt"

# Claim types.
P1 = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
P2 = "http://schemas.microsoft.com/ws/2008/06/identity/claims/"
NAME_IDENTIFIER = P1 + "nameidentifier"
METHOD = P2 + "authenticationmethod"
INSTANT = P2 + "authenticationinstant"

# The order of members in a manifest line.
FIELDS = [
    "id", "file", "generate", "format", "pin", "keys", "decryptKeys", "issuers", "audiences", "at", "skew",
    "recipient", "inResponseTo", "keyBinding", "nonce", "allow", "idAttributes", "method", "withComments",
    "inclusivePrefixes", "elementID", "expectedFile", "verdict", "code", "issuer", "subject",
    "tokenID", "claims", "trusts", "signed", "madeBy", "attack", "note",
]


class Suite:
    """Collects vectors; writes their files and the manifest."""

    def __init__(self):
        self.vectors = []
        self.files = {}

    def put(self, path, content):
        """A file of the suite, relative to TestVectors."""
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        if self.files.setdefault(path, data) != data:
            raise ValueError(f"two contents for {path}")
        if len(data) > 200_000 and not path.endswith("manifest.jsonl"):
            raise ValueError(f"{path} is too large to commit")

    def add(self, vector):
        """One manifest line. Members without a value are left out, null ones are kept."""
        unknown = set(vector) - set(FIELDS)
        if unknown:
            raise ValueError(f"{vector['id']}: {unknown}")
        if any(other["id"] == vector["id"] for other in self.vectors):
            raise ValueError(f"twice: {vector['id']}")
        if (vector.get("verdict") == "reject") != ("code" in vector):
            raise ValueError(f"{vector['id']}: a code belongs to a reject, and only there")
        self.vectors.append({name: vector[name] for name in FIELDS if name in vector})

    def manifest(self):
        lines = [json.dumps(vector, ensure_ascii=True) for vector in self.vectors]
        return "\n".join(lines) + "\n"

    def write(self, folders):
        """Writes everything; removes what an older run left in the generated folders."""
        self.put("manifest.jsonl", self.manifest())
        for folder in folders:
            for path in (ROOT / folder).glob("**/*"):
                if path.is_file() and path.relative_to(ROOT).as_posix() not in self.files:
                    path.unlink()
        for path, data in sorted(self.files.items()):
            target = ROOT / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != data:
                target.write_bytes(data)


def splice(text, old, new, count=1):
    """Text surgery on a signed document: `old` must occur exactly `count` times."""
    if text.count(old) != count:
        raise ValueError(f"{text.count(old)} times, not {count}: {old[:60]!r}")
    return text.replace(old, new)
