// `import FederationClient` is enough for a relying party.
@_exported public import BrowserExchange
@_exported public import Federation
@_exported public import HTTPExchange
