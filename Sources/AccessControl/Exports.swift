// `import AccessControl` is enough to serve a namespace.
@_exported public import ServiceConfiguration
@_exported public import SignIn
@_exported public import TokenService
