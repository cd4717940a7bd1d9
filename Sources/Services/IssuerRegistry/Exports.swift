// `import IssuerRegistry` is enough for a service.
@_exported public import Federation
@_exported public import HTTPExchange
