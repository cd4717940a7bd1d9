#!/usr/bin/env python3
"""Compares our verdicts on mutated signed documents with libxmlsec1's.

    Fuzz signed-documents COUNT SEED | Tests/Fuzzing/signatures.py [--show N]

Ends with 1 when libxmlsec1 refuses what we accept. What it accepts and we refuse is listed by our
code: each is a stricter rule of ours, listed in docs/fuzzing.md. Needs python-xmlsec and lxml.
"""
import base64
import collections
import pathlib
import sys

import xmlsec
from lxml import etree

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "TestVectors"
NAMES = ["Id", "ID", "AssertionID", "ResponseID"]
# libxmlsec1 1.2 reads no such keys.
UNREAD = ("keys/idp-ed25519.pub", "keys/idp-ed448.pub")
SIGNATURE = "{http://www.w3.org/2000/09/xmldsig#}Signature"

keys = {}


def key(specification):
    """The key of a specification, read once."""
    if specification not in keys:
        if specification.startswith("hmac-file:"):
            data = (VECTORS / specification[10:]).read_bytes().strip()
            try:
                data = base64.b64decode(data, validate=True)
            except ValueError:
                pass
            keys[specification] = xmlsec.Key.from_binary_data(xmlsec.constants.KeyDataHmac, data)
        else:
            # The certificate exists in both encodings.
            path = str(VECTORS / specification.replace(".der", ".crt"))
            format = (
                xmlsec.constants.KeyDataFormatPem
                if path.endswith(".pub")
                else xmlsec.constants.KeyDataFormatCertPem
            )
            keys[specification] = xmlsec.Key.from_file(path, format)
    return keys[specification]


def verdict(octets, specification):
    """Whether every signature of the document holds; the reason when not."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(octets, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        return "does not parse: " + str(error)[:60]
    signatures = list(root.iter(SIGNATURE))
    if not signatures:
        return "no signature"
    # Identifiers one by one: add_ids would include attributes of other namespaces.
    identified = [
        (element, name) for element in root.iter(etree.Element) for name in NAMES if name in element.attrib
    ]
    for number, signature in enumerate(signatures):
        context = xmlsec.SignatureContext()
        context.key = key(specification)
        try:
            if number == 0:
                for element, name in identified:
                    context.register_id(element, name)
            context.verify(signature)
        except xmlsec.Error as error:
            return "refused: " + str(error)[:60]
    return "accepted"


def main():
    show = int(sys.argv[2]) if sys.argv[1:2] == ["--show"] else 0
    pairs = collections.Counter()
    examples = collections.defaultdict(list)
    unread = 0
    for line in sys.stdin.buffer:
        specification, ours, text = line.decode().split()
        if specification in UNREAD:
            unread += 1
            continue
        octets = base64.b64decode(text)
        theirs = verdict(octets, specification)
        accepted = theirs == "accepted"
        pair = (ours if ours != "accepted" else "accepted", accepted)
        pairs[pair] += 1
        if (ours == "accepted") != accepted and len(examples[pair]) < max(show, 3):
            examples[pair].append((octets, theirs))
    total = sum(pairs.values())
    both = pairs[("accepted", True)]
    looser = pairs[("accepted", False)]
    stricter = sum(count for (ours, accepted), count in pairs.items() if ours != "accepted" and accepted)
    print(f"{total} documents: both accept {both}, both refuse {total - both - looser - stricter}")
    print(f"not judged, for a key that libxmlsec1 does not read: {unread}")
    print(f"libxmlsec1 refuses and we accept: {looser}")
    print(f"libxmlsec1 accepts and we refuse: {stricter}")
    for (ours, accepted), count in sorted(pairs.items(), key=lambda item: -item[1]):
        if accepted and ours != "accepted":
            print(f"  {count:7d} {ours}")
    for pair in examples:
        if show or not pair[1]:
            for octets, theirs in examples[pair][: show or 3]:
                print(f"\n--- ours {pair[0]}, theirs {theirs}\n{octets.decode('utf-8', 'replace')}")
    return 1 if looser else 0


if __name__ == "__main__":
    sys.exit(main())
