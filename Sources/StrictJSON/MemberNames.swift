import Octets

/// The names of an object so far. A few are looked through, which costs less than to hash them.
struct MemberNames {
  private static let few = 32

  private var names: [String] = []
  /// The same by their bytes, from the first name on that is one too many to look through.
  private var many: Set<[UInt8]> = []

  /// Notes a name; answers whether it is new. Names are equal where every byte is.
  mutating func add(_ name: String) -> Bool {
    guard many.isEmpty else { return many.insert(Array(name.utf8)).inserted }
    guard !names.containsBytes(of: name) else { return false }
    names.append(name)
    if names.count == Self.few { many = Set(names.map { Array($0.utf8) }) }
    return true
  }
}
