// Its values have addresses in them.
@_exported public import HTTPExchange
