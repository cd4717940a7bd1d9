// `import ForwardAuthentication` is enough for a server.
@_exported public import Federation
@_exported public import HTTPExchange
@_exported public import ServiceConfiguration
