/// The claims of one token, in document order. Nothing is dropped and nothing merged.
public struct ClaimSet: RandomAccessCollection, Hashable, Sendable {
  private var claims: [Claim]

  /// A set of these claims.
  public init(_ claims: [Claim] = []) { self.claims = claims }

  public var startIndex: Int { claims.startIndex }
  public var endIndex: Int { claims.endIndex }
  public subscript(position: Int) -> Claim { claims[position] }

  /// The values of one type, in document order; empty when there is none.
  public subscript(type: ClaimType) -> [String] {
    claims.filter { $0.type == type }.map(\.value)
  }

  /// The value of one type, when there is exactly one.
  public func single(_ type: ClaimType) -> String? {
    let values = self[type]
    return values.count == 1 ? values[0] : nil
  }

  /// The types with their values, in the order in which each type first occurs.
  public var grouped: [(type: ClaimType, values: [String])] {
    var positions: [ClaimType: Int] = [:]
    // A few types are compared faster than hashed.
    let hashes = claims.count > 24
    if hashes { positions.reserveCapacity(claims.count) }
    var groups: [(type: ClaimType, values: [String])] = []
    groups.reserveCapacity(claims.count)
    for claim in claims {
      let position =
        hashes ? positions[claim.type] : groups.firstIndex { $0.type == claim.type }
      if let position {
        groups[position].values.append(claim.value)
      } else {
        if hashes { positions[claim.type] = groups.count }
        groups.append((claim.type, [claim.value]))
      }
    }
    return groups
  }

  /// The values by type.
  public var dictionary: [ClaimType: [String]] {
    Dictionary(grouped.map { ($0.type, $0.values) }, uniquingKeysWith: { first, _ in first })
  }

  /// What `projection` keeps.
  public func projected(_ projection: ClaimProjection) -> ClaimSet {
    projection.prefixes.isEmpty ? self : ClaimSet(claims.compactMap(projection.apply))
  }
}
