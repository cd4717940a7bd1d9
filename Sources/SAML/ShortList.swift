/// A list of what is there once as a rule, and then needs no memory of its own.
struct ShortList<Value: BitwiseCopyable & Sendable>: Sendable {
  private(set) var first: Value?
  private(set) var others: [Value] = []

  var count: Int { first == nil ? 0 : 1 + others.count }
  var isEmpty: Bool { first == nil }

  mutating func append(_ value: Value) {
    if first == nil { first = value } else { others.append(value) }
  }

  /// Hands over one after the other. No iterator, which would have a copy of the list.
  @inline(__always)
  func forEach(_ body: (Value) -> Void) {
    if let first { body(first) }
    for other in others { body(other) }
  }
}
