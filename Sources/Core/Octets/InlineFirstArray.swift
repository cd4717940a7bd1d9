/// An array that stores its first element inline, for lists that mostly have one element.
public struct InlineFirstArray<Value: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline var first: Value?
  @usableFromInline var others: [Value] = []

  /// An array of one value or none.
  @inlinable public init(_ value: Value? = nil) { first = value }

  /// The number of values.
  @inlinable public var count: Int { first == nil ? 0 : 1 + others.count }
  /// Whether there is no value.
  @inlinable public var isEmpty: Bool { first == nil }

  /// The value at a position; nil past the end.
  @inlinable
  public subscript(position: Int) -> Value? {
    if position == 0 { return first }
    return others.indices.contains(position - 1) ? others[position - 1] : nil
  }

  /// Appends a value.
  @inlinable
  public mutating func append(_ value: Value) {
    if first == nil { first = value } else { others.append(value) }
  }

  /// Calls `body` with each value in order. There is no iterator, because one would copy the array.
  @inlinable @inline(__always)
  public func forEach(_ body: (Value) -> Void) {
    if let first { body(first) }
    for other in others { body(other) }
  }
}
