/// The names of an object so far. A few are scanned, which is cheaper than hashing.
struct MemberNames {
  private static let few = 32

  /// The number of the object.
  private let object: Int
  private(set) var count = 0
  private var marks = SmallBloomFilter()
  /// All of them, from the first name on that is one too many to look through.
  private var many: Set<[UInt8]> = []

  init(of object: Int) { self.object = object }

  /// Adds a name. Returns whether it is new. Names are equal where every byte is.
  ///
  /// - Parameters:
  ///   - mark: See ``JSONDocument/Node/nameMark``.
  ///   - nodes: What was read, members of the object at its end.
  mutating func add(
    _ name: Range<Int>, _ mark: Int, _ octets: [UInt8], _ nodes: [JSONDocument.Node]
  ) -> Bool {
    count += 1
    // The object is still open, so what is inside of it ends where all ends.
    let members = JSONDocument.Children(nodes, of: object, before: nodes.count)
    if count > Self.few {
      if many.isEmpty { many = Set(members.map { Array(octets[$0.node.nameRange]) }) }
      return many.insert(Array(octets[name])).inserted
    }
    return marks.insert(mark)
      || !members.contains {
        $0.node.nameMark == mark && Bytes.areEqual(octets, $0.node.nameRange, octets, name)
      }
  }
}
