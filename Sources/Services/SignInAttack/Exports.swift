// `import SignInAttack` is enough for what its declarations name.
@_exported public import Federation
@_exported public import HTTPExchange
