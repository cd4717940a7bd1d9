"""issuers/: a token in the shape of each issuer that docs/issuers describes, and its refused twins.

The shapes are those of recorded messages, and where there is no record, of the issuer's documentation;
names, keys and values are ours.
"""

from . import hosted, microsoft, servers
from .shapes import Shapes


def build(suite):
    shapes = Shapes(suite)
    microsoft.adfs(shapes)
    microsoft.entra(shapes)
    hosted.okta(shapes)
    hosted.auth0(shapes)
    hosted.google(shapes)
    servers.keycloak(shapes)
    servers.shibboleth(shapes)
    servers.simplesaml(shapes)
    servers.ping(shapes)
    hosted.onelogin(shapes)
    servers.local_acs(shapes)
