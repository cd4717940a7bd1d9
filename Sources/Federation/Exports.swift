// One import gives a relying party everything that it names.
@_exported public import Claims
@_exported public import Instants
@_exported public import JSONWebTokens
@_exported public import SAML
@_exported public import SecurityKeys
@_exported public import SimpleWebTokens
@_exported public import TokenErrors
