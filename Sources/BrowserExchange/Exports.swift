// Addresses and errors are part of what this module takes and gives.
@_exported public import HTTPExchange
@_exported public import TokenErrors
