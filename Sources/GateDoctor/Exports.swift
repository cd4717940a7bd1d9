// `import GateDoctor` is enough for a command.
@_exported public import ForwardAuthentication
