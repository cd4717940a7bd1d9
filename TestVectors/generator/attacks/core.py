"""The attack suite: collects vectors, each a base document with pieces cut out and put in."""

import base64
import hashlib
import json
import re
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from lxml import etree

from .. import keys
from ..signing import DS, canonical, prefix_list, without
from ..world import ACS, ALICE, AT, IDP, IDP_KEY, REQUEST, ROOT, RP, SKEW

FOLDER = "attacks"
FIELDS = [
    "id", "attack", "from", "pieces", "format", "pin", "keys", "decryptKeys", "issuers",
    "audiences", "at", "skew", "recipient", "inResponseTo", "allow", "idAttributes", "verdict",
    "code", "issuer", "subject", "tokenID", "claims", "control", "intact", "note",
]
ENTRY = re.compile(r"^[A-Z0-9]+-\d+$")


class Attacks:
    """The vectors of `TestVectors/attacks`."""

    def __init__(self, suite):
        self.suite = suite
        self.bases = {}
        self.lines = []
        self.names = set()

    def base(self, name, text, *, suffix="xml", **world):
        """A base document: a file, and the vector that says it is accepted."""
        data = text if isinstance(text, bytes) else text.encode()
        self.bases[name] = (data, world, f"{FOLDER}/{name.lower()}.{suffix}")
        self.suite.put(self.bases[name][2], data)
        code = world.get("code")
        self.add("BASE", name.lower(), text, code, base=name, kept=False)

    def text(self, name):
        return self.bases[name][0].decode()

    def add(self, attack, variant, text, code=None, *, base="B1", note="", kept=False,
            control=None, runs=(), **changes):
        """One vector.

        - attack: the catalogue's entry, or several of them.
        - code: the failure that must be reported first; none for a look-alike.
        - runs: texts that stand in it very often, one behind another.
        - kept: a genuine signature is left in it, and what that covers too, somewhere.
        """
        entries = [attack] if isinstance(attack, str) else list(attack)
        data = text if isinstance(text, bytes) else text.encode()
        original, world, path = self.bases[base]
        values = dict(format="saml20", keys=[IDP_KEY], issuers=[IDP], audiences=[RP], at=AT,
                      skew=SKEW, recipient=ACS, inResponseTo=REQUEST, allow=[], issuer=IDP,
                      subject=ALICE, tokenID="_a") | world | changes
        name = f"{FOLDER}/{entries[0].lower()}-{variant}"
        if entries[0] == "BASE":
            entries, name = [], f"{FOLDER}/{variant}"
        if name in self.names:
            raise ValueError(f"twice: {name}")
        if not all(ENTRY.match(each) for each in entries):
            raise ValueError(f"{name}: {entries}")
        self.names.add(name)
        line = values | {
            "id": name, "attack": entries, "from": path, "pieces": counted(original, data, list(runs)),
            "verdict": "reject" if code else "accept", "note": note}
        line.pop("code", None)
        if isinstance(line.get("claims"), dict):
            line["claims"] = [[name, values] for name, values in line["claims"].items()]
        if code:
            line["code"] = code
            for each in ("issuer", "subject", "tokenID", "claims"):
                line.pop(each, None)
            line["control"] = control or f"{FOLDER}/{base.lower()}"
        if kept:
            count = intact(data)
            if not count:
                raise ValueError(f"{name}: no genuine signature is left")
            line["intact"] = count
        unknown = set(line) - set(FIELDS)
        if unknown:
            raise ValueError(f"{name}: {unknown}")
        self.lines.append({each: line[each] for each in FIELDS if each in line})

    def write(self):
        lines = [json.dumps(each, ensure_ascii=True) for each in self.lines]
        self.suite.put(f"{FOLDER}/manifest.jsonl", "\n".join(lines) + "\n")


def signature_of(text):
    """The first Signature, without the white space before it, which is signed."""
    return re.search(r"<ds:Signature .*?</ds:Signature>", text, re.S).group(0)


# Pieces


def pieces(original, data):
    """`data` as ranges of `original` and texts between them."""
    step = 24
    index = {}
    for at in range(0, len(original) - step + 1):
        index.setdefault(original[at:at + step], at)
    result, pending, at = [], bytearray(), 0

    def flush():
        if pending:
            result.append(literal(bytes(pending)))
            pending.clear()

    while at < len(data):
        start = index.get(data[at:at + step])
        # The place that follows on from the last piece, rather than an equal text before it.
        if result and not pending and isinstance(result[-1], list):
            after = result[-1][0] + result[-1][1]
            if original[after:after + step] == data[at:at + step]:
                start = after
        if start is None:
            pending.append(data[at])
            at += 1
            continue
        length = step
        while (start + length < len(original) and at + length < len(data)
               and original[start + length] == data[at + length]):
            length += 1
        flush()
        result.append([start, length])
        at += length
    flush()
    if restored(original, result) != data:
        raise ValueError("the pieces do not give the document")
    return result


def literal(octets):
    """A text; octets that are none in base64."""
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(octets).decode()}


def counted(original, data, runs):
    """As `pieces`, where long runs of these texts are counted."""
    for unit in map(str.encode, runs):
        found = re.search(rb"(?:%s){20,}" % re.escape(unit), data)
        if found:
            rest = [each for each in runs if each.encode() != unit] + [unit.decode()]
            return (counted(original, data[:found.start()], rest[:-1])
                    + [{"repeat": unit.decode(), "count": len(found.group(0)) // len(unit)}]
                    + counted(original, data[found.end():], rest))
    return pieces(original, data) if data else []


def restored(original, parts):
    result = b""
    for part in parts:
        if isinstance(part, list):
            result += original[part[0]:part[0] + part[1]]
        elif isinstance(part, str):
            result += part.encode()
        elif "base64" in part:
            result += base64.b64decode(part["base64"])
        else:
            result += (part["repeat"] * part["count"]).encode()
    return result


def expand(folder):
    """Writes every vector of the suite as a file of its own."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = (ROOT / FOLDER / "manifest.jsonl").read_text().splitlines()
    for line in map(json.loads, lines):
        source = ROOT / line["from"]
        name = line["id"].split("/")[1] + source.suffix
        (folder / name).write_bytes(restored(source.read_bytes(), line["pieces"]))
    print(f"{len(lines)} files in {folder}")


# The crypto-only control


def intact(data):
    """How many signatures by the issuer hold over the part that they name, wherever it stands now."""
    tree = etree.fromstring(data)
    count = 0
    for signature in tree.iter(f"{{{DS}}}Signature"):
        if holds(tree, signature):
            count += 1
    return count


def holds(tree, signature):
    info = signature.find(f"{{{DS}}}SignedInfo")
    value = signature.find(f"{{{DS}}}SignatureValue")
    if info is None or value is None:
        return False
    octets = canonical(info, prefix_list(info.find(f"{{{DS}}}CanonicalizationMethod")))
    try:
        keys.certificate("idp-rsa").public_key().verify(
            base64.b64decode("".join(value.itertext())), octets, padding.PKCS1v15(),
            hashes.SHA256())
    except (InvalidSignature, ValueError):
        return False
    wanted = base64.b64decode("".join(info.find(f".//{{{DS}}}DigestValue").itertext()))
    text = "".join(value.itertext())
    name = info.find(f"{{{DS}}}Reference").get("URI", "").removeprefix("#")
    for number, element in enumerate(tree.iter(etree.Element)):
        if name not in element.attrib.values():
            continue
        for own in (False, True):
            copy = etree.fromstring(etree.tostring(tree))
            target = list(copy.iter(etree.Element))[number]
            if own:
                children = [each for each in target.findall(f"{{{DS}}}Signature")
                            if text in "".join(each.itertext())]
                if not children:
                    continue
                without(children[0])
            if hashlib.sha256(canonical(target)).digest() == wanted:
                return True
    return False
