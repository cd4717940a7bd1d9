/// Octets as a key of a table: `Hasher` takes an array byte by byte, which was a fifth of a token's work.
package struct OctetKey: Hashable, Sendable {
  /// The octets.
  package let octets: [UInt8]

  /// A key of these octets.
  package init(_ octets: [UInt8]) { self.octets = octets }

  /// Hashes the octets.
  package func hash(into hasher: inout Hasher) { hasher.combine(ByteHash.hash(octets.span)) }
}
