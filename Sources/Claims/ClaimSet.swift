import Octets

/// The claims of one token, in document order. Nothing is dropped and nothing merged.
public struct ClaimSet: RandomAccessCollection, Hashable, Sendable, CustomStringConvertible {
  /// The claims as ranges of octets.
  package let table: ClaimTable

  /// A set of these claims.
  public init(_ claims: [Claim] = []) { self.init(ClaimTableBuilder(claims)) }

  /// The claims of a table.
  package init(_ table: ClaimTable) { self.table = table }

  package init(_ builder: consuming ClaimTableBuilder) { table = ClaimTable(builder) }

  /// The position of the first claim: 0.
  public var startIndex: Int { 0 }
  /// The position past the last claim.
  public var endIndex: Int { table.records.count }
  /// The claim at a position in document order. Its texts are made on access.
  public subscript(position: Int) -> Claim { table.claim(position) }

  /// The values of one type, in document order; empty when there is none.
  public subscript(type: ClaimType) -> [String] {
    guard let number = table.number(named: type.name) else { return [] }
    return table.claims(ofType: number).map { table.string($0.value) }
  }

  /// The types, each once, and no value: values may be personal, or a provider's credential.
  public var description: String {
    let types = grouped.map(\.type.name).joined(separator: ", ")
    return count == 1 ? "1 claim: \(types)" : "\(count) claims" + (isEmpty ? "" : ": \(types)")
  }

  /// The value of one type, when there is exactly one.
  public func single(_ type: ClaimType) -> String? {
    let values = self[type]
    return values.count == 1 ? values[0] : nil
  }

  /// The types with their values, in the order in which each type first occurs.
  public var grouped: [(type: ClaimType, values: [String])] {
    var groups: [(type: ClaimType, values: [String])] = []
    groups.reserveCapacity(table.types.count)
    for position in indices where table.isFirst(position) {
      let type = table.records[position].type
      groups.append(
        (
          ClaimType(table.string(table.types[Int(type)].text)),
          table.claims(ofType: Int(type)).map { table.string($0.value) }
        ))
    }
    return groups
  }

  /// The values by type.
  public var dictionary: [ClaimType: [String]] {
    Dictionary(grouped.map { ($0.type, $0.values) }, uniquingKeysWith: { first, _ in first })
  }

  /// The claims that `projection` keeps, with their types as it shows them.
  public func projected(_ projection: ClaimProjection) -> ClaimSet {
    projection.prefixes.isEmpty ? self : ClaimSet(compactMap(projection.apply))
  }

  /// Whether both have equal claims in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  /// Hashes the claims in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for claim in self { hasher.combine(claim) }
  }
}
