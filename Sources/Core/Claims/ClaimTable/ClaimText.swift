import Octets
package import TokenBasics

/// The range of a claim's text: in the octets of the token, or in those that a reader added.
@usableFromInline
package struct ClaimText: BitwiseCopyable, Hashable, Sendable {
  /// The start; the highest bit marks an added text.
  @usableFromInline let place: UInt32
  @usableFromInline let count: UInt32

  @inlinable
  package init(_ range: Range<Int>, isAdded: Bool = false) {
    place = UInt32(truncatingIfNeeded: range.lowerBound) | (isAdded ? Self.addedBit : 0)
    count = UInt32(truncatingIfNeeded: range.count)
  }

  @inlinable package var isAdded: Bool { place & Self.addedBit != 0 }

  @inlinable package var range: Range<Int> {
    let start = Int(place & ~Self.addedBit)
    return start..<start &+ Int(count)
  }

  @inlinable package var byteCount: Int { Int(count) }

  // Tokens have at most 10 MiB.
  @inlinable static var addedBit: UInt32 { 1 << 31 }

  package static let empty = Self(0..<0)

  /// The text, which is in one of both, as a `String`.
  func string(in octets: [UInt8], _ added: AddedTexts) -> String {
    isAdded ? Bytes.string(added.octets, range) : Bytes.string(octets, range)
  }

  /// Whether the text, which is in one of both, is exactly these bytes.
  func hasBytes(_ bytes: Span<UInt8>, in octets: [UInt8], _ added: AddedTexts) -> Bool {
    isAdded
      ? Bytes.areEqual(added.octets.span.extracting(range), bytes)
      : Bytes.areEqual(octets.span.extracting(range), bytes)
  }
}

/// What the places of texts refer to: the table of a token's claims, or its builder.
package protocol ClaimTexts: ~Copyable {
  /// Whether the text is exactly the bytes of `string`.
  func hasBytes(_ text: ClaimText, of string: String) -> Bool
  /// The text as a `String`.
  func string(_ text: ClaimText) -> String
}

/// Texts of claims that are not in the octets of the token, after the constants that many claims share.
///
/// Empty until a text is added: a reference to the constants would be retained for every token, by all
/// threads.
struct AddedTexts: Sendable {
  private var own: [UInt8] = []

  /// All of them.
  var octets: [UInt8] { own.isEmpty ? ClaimTable.constants.octets : own }

  /// Adds what `body` appends.
  mutating func add(_ body: (inout [UInt8]) -> Void) -> ClaimText {
    if own.isEmpty { own = ClaimTable.constants.octets }
    let start = own.count
    body(&own)
    return ClaimText(start..<own.count, isAdded: true)
  }
}

/// The facts of a token, as a ``ClaimTable`` stores them; ``TokenFacts`` reads them.
package struct FactTexts: Sendable {
  let issuer: ClaimText
  let subject: ClaimText?
  let audiences: AudienceRestrictions
  let notBefore: Instant?
  let expires: Instant?
  let issued: Instant?
  let tokenID: ClaimText?
  let sessionIndex: ClaimText?
  let sessionEnd: Instant?
  let isForOneUse: Bool

  /// Facts; what is left out is absent.
  package init(
    issuer: ClaimText = .empty, subject: ClaimText? = nil,
    audiences: AudienceRestrictions = AudienceRestrictions(), notBefore: Instant? = nil,
    expires: Instant? = nil, issued: Instant? = nil, tokenID: ClaimText? = nil,
    sessionIndex: ClaimText? = nil, sessionEnd: Instant? = nil, isForOneUse: Bool = false
  ) {
    self.issuer = issuer
    self.subject = subject
    self.audiences = audiences
    self.notBefore = notBefore
    self.expires = expires
    self.issued = issued
    self.tokenID = tokenID
    self.sessionIndex = sessionIndex
    self.sessionEnd = sessionEnd
    self.isForOneUse = isForOneUse
  }

  /// The same facts of a token that names no issuer itself.
  ///
  /// - Parameter issuer: The name of the issuer.
  package func naming(_ issuer: ClaimText) -> FactTexts {
    FactTexts(
      issuer: issuer, subject: subject, audiences: audiences, notBefore: notBefore,
      expires: expires, issued: issued, tokenID: tokenID, sessionIndex: sessionIndex,
      sessionEnd: sessionEnd, isForOneUse: isForOneUse)
  }
}
