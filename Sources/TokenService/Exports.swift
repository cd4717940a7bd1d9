// `import TokenService` is enough to evaluate rules over verified claims.
@_exported public import Federation
