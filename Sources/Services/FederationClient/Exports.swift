// `import FederationClient` is enough for a relying party.
@_exported public import HTTPExchange
@_exported public import Federation
