// `import HTTPExchange` is enough for what its declarations name.
@_exported public import TokenBasics
