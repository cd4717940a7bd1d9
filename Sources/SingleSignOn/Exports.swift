// `import SingleSignOn` is enough for a service of any framework.
@_exported public import BrowserExchange
@_exported public import Federation
@_exported public import IssuerRegistry
