// One import gives a service everything that it names.
@_exported public import Federation
@_exported public import HTTPExchange
