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

/// Which claims a reader wants to see, and under which names.
///
/// A projection changes the view only; the token keeps every claim. Two types never become one: a prefix
/// is cut off only where it is the only one, since `urn:a/role` and `urn:b/role` would both be `role`.
public struct ClaimProjection: Hashable, Sendable {
  /// Only types that begin with one of these; empty for all.
  public let prefixes: [String]
  /// Whether the prefix, of which there is one then, is cut off the name.
  public let stripsPrefix: Bool

  private init(_ prefixes: [String], stripsPrefix: Bool) {
    self.prefixes = prefixes
    self.stripsPrefix = stripsPrefix
  }

  /// Keeps types that begin with one of `prefixes`, or all where there is none.
  public init(prefixes: [String] = []) { self.init(prefixes, stripsPrefix: false) }

  /// Keeps types that begin with `prefix` and cuts it off their names.
  public static func stripping(_ prefix: String) -> Self { Self([prefix], stripsPrefix: true) }

  /// Every claim under its full name: what the develop branch of the 2011 iOS toolkit showed (which
  /// listed `Issuer` and its like as claims too; they are none here).
  public static let all = Self()

  /// The identity claims under short names: what the master branch of the 2011 iOS toolkit showed.
  public static let identityShortNames = Self.stripping(ClaimType.identityPrefix)

  /// The claim as this projection shows it, or nil.
  public func apply(_ claim: Claim) -> Claim? {
    guard !prefixes.isEmpty else { return claim }
    let name = claim.type.name
    guard let prefix = prefixes.first(where: { name.utf8.starts(with: $0.utf8) }) else {
      return nil
    }
    guard stripsPrefix else { return claim }
    var shortened = claim
    shortened.type = ClaimType(
      String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    return shortened
  }
}
