/// A list of what is there once as a rule, and then needs no memory of its own.
struct ShortList<Value: BitwiseCopyable & Sendable>: Sequence, Sendable {
  private(set) var first: Value?
  private(set) var others: [Value] = []

  var count: Int { first == nil ? 0 : 1 + others.count }
  var isEmpty: Bool { first == nil }

  mutating func append(_ value: Value) {
    if first == nil { first = value } else { others.append(value) }
  }

  struct Iterator: IteratorProtocol {
    fileprivate let list: ShortList
    private var position = 0

    fileprivate init(_ list: ShortList) { self.list = list }

    mutating func next() -> Value? {
      defer { position += 1 }
      if position == 0 { return list.first }
      return position <= list.others.count ? list.others[position - 1] : nil
    }
  }

  func makeIterator() -> Iterator { Iterator(self) }
}
