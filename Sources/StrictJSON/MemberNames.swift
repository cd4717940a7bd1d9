import Octets

/// The names of an object so far. A few are looked through, which costs less than to hash them.
struct MemberNames {
  private static let few = 32

  /// The number of the object.
  private let object: Int
  private(set) var count = 0
  /// A bit of each mark so far: whose bit is not there is new.
  private var bits: UInt64 = 0
  /// All of them, from the first name on that is one too many to look through.
  private var many: Set<[UInt8]> = []

  init(of object: Int) { self.object = object }

  /// Notes a name; answers whether it is new. Names are equal where every byte is.
  ///
  /// - Parameters:
  ///   - mark: See ``JSONDocument/Node/nameMark``.
  ///   - nodes: What was read, members of the object at its end.
  mutating func add(
    _ name: Range<Int>, _ mark: Int, _ octets: [UInt8], _ nodes: [JSONDocument.Node]
  ) -> Bool {
    count += 1
    if count > Self.few {
      if many.isEmpty { many = Set(members(nodes).map { Array(octets[$0.nameRange]) }) }
      return many.insert(Array(octets[name])).inserted
    }
    let bit: UInt64 = 1 &<< (UInt64(bitPattern: Int64(mark)) &* 0x9E37_79B9_7F4A_7C15 &>> 58)
    let isNew = bits & bit == 0
    bits |= bit
    if isNew { return true }
    var member = object + 1
    while member < nodes.count {
      let earlier = nodes[member]
      if earlier.nameMark == mark, Bytes.areEqual(octets, earlier.nameRange, octets, name) {
        return false
      }
      member = Int(earlier.end)
    }
    return true
  }

  private func members(_ nodes: [JSONDocument.Node]) -> [JSONDocument.Node] {
    var members: [JSONDocument.Node] = []
    var member = object + 1
    while member < nodes.count {
      members.append(nodes[member])
      member = Int(nodes[member].end)
    }
    return members
  }
}
