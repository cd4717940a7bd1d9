// `import GateService` is enough for a server.
@_exported public import ForwardAuthentication
@_exported public import SignIn
