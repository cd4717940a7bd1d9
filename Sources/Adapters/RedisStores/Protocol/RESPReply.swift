/// A reply of Redis or Valkey (RESP 2).
public enum RESPReply: Hashable, Sendable {
  /// A status, such as `OK`.
  case status([UInt8])
  /// An error; its first word is its kind.
  case error([UInt8])
  /// A number.
  case integer(Int64)
  /// Octets; nil where there is no such key.
  case octets([UInt8]?)
  /// A list of octets, numbers, statuses and lists of those; nil for none.
  case list([RESPReply]?)
}
