// One import gives a relying party's program everything that it names.
@_exported public import Federation
@_exported public import HTTPExchange
