#!/usr/bin/env python3
"""Makes the test vectors of this folder: python3 TestVectors/make.py [--no-check]

With `--attacks FOLDER` it makes nothing and writes each vector of attacks/ into that folder.

Needs Python 3.11 with `pip install lxml xmlsec cryptography pyjwt joserfc jwcrypto sd-jwt`, and Debian's xmlsec1
and jose.
Running it again gives the same bytes: keys are made only where one is missing, and every
signature is deterministic. All keys here are throw-away test keys.
"""

import sys
from collections import Counter

from generator import (
    attacks, c14n, check, encryption, issuers, jwe, jwt, keys, metadata, rstr, saml11, saml20, sdjwt, swt, xmldsig)
from generator.world import Suite

PARTS = (
    jwt, jwe, sdjwt, swt, saml20, saml11, rstr, xmldsig, c14n, encryption, metadata, issuers, attacks)
FOLDERS = [part.__name__.rpartition(".")[2] for part in PARTS]


def main():
    if "--attacks" in sys.argv[1:-1]:
        return attacks.expand(sys.argv[sys.argv.index("--attacks") + 1])
    keys.make()
    suite = Suite()
    for part in PARTS:
        part.build(suite)
    suite.write(FOLDERS)
    if "--no-check" not in sys.argv[1:]:
        check.run(suite)
    counts = Counter(
        (each["id"].split("/")[0], each.get("verdict", "-")) for each in suite.vectors)
    for (folder, verdict), count in sorted(counts.items()):
        print(f"{folder:8} {verdict:7} {count}")


if __name__ == "__main__":
    main()
