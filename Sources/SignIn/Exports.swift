// `import SignIn` is enough for an adapter of a framework.
@_exported public import SingleSignOn
