"""attacks/: the attack suite. Base documents, and everything that is cut and spliced from them."""

from . import (
    bases, containers, documents, envelopes, gaps, ids, references, semantics, signatures, simple, texts,
    trust, xsw)
from .core import Attacks, expand

FAMILIES = (
    bases, xsw, references, signatures, texts, documents, trust, semantics, envelopes, simple, gaps,
    containers)


def build(suite):
    attacks = Attacks(suite)
    for family in FAMILIES:
        family.add(attacks)
    attacks.write()
    suite.put("attacks/ids.json", ids.text())
