// One import gives a relying party all modules that it needs.
@_exported public import Claims
@_exported public import JSONWebTokens
@_exported public import SAML
@_exported public import SecurityKeys
@_exported public import SimpleWebTokens
@_exported public import TokenBasics
