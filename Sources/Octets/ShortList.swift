/// A list of what is there once as a rule, and then needs no memory of its own. Public so that other modules
/// inline it; no product exports it.
public struct ShortList<Value: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline var first: Value?
  @usableFromInline var others: [Value] = []

  /// Of one value or none.
  @inlinable public init(_ value: Value? = nil) { first = value }

  @inlinable public var count: Int { first == nil ? 0 : 1 + others.count }
  @inlinable public var isEmpty: Bool { first == nil }

  /// The value at a position; nil behind the last.
  @inlinable
  public subscript(position: Int) -> Value? {
    if position == 0 { return first }
    return others.indices.contains(position - 1) ? others[position - 1] : nil
  }

  @inlinable
  public mutating func append(_ value: Value) {
    if first == nil { first = value } else { others.append(value) }
  }

  /// Hands over one after the other. No iterator, which would have a copy of the list.
  @inlinable @inline(__always)
  public func forEach(_ body: (Value) -> Void) {
    if let first { body(first) }
    for other in others { body(other) }
  }
}
