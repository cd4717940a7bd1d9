public import Federation
public import HTTPExchange
import JSONWebTokens
import Octets
import Synchronization
import TokenBasics

/// Tells the application who asks in a token that the gate signs (RFC 7519), beside the headers: what arrives by another
/// way than the gate has none.
public struct IdentityToken: Sendable {
  /// A member of the token, and the claim types of which the first that is there fills it.
  public struct Member: Hashable, Sendable {
    /// The name in the token.
    public let name: String
    /// The claim types.
    public let claims: [ClaimType]
    /// The providers whose statements it carries; it is missing for people of others.
    public let counted: CountedProviders
    /// Where it is in the file.
    let place: String
    /// The claim as the file names it; empty where no file does.
    var claim = ""

    /// A member.
    public init(_ name: String, _ claims: [ClaimType], of counted: CountedProviders = .any) {
      self.init(name, claims, of: counted, place: "")
    }

    init(_ name: String, _ claims: [ClaimType], of counted: CountedProviders, place: String) {
      self.name = name
      self.claims = claims
      self.counted = counted
      self.place = place
    }
  }

  /// The header that carries it.
  public let header: String
  /// The issuer: the gate's public origin and prefix.
  public let issuer: String
  /// The audience: the application's origin.
  public private(set) var audience: String
  private let keys: [SigningKey]
  /// The name of the first key, written once: its thumbprint takes as long as two signatures.
  private let keyID: String?
  private let lifetime: Int
  /// What the tokens say beside subject and provider.
  let members: [Member]
  private let limit = 8_192
  private let signed = SignedIdentities()

  /// Tokens of a gate for an application.
  ///
  /// - Parameters:
  ///   - header: The header that carries the token.
  ///   - keys: Keys for RS256, ES256 or EdDSA. The first signs, all are published.
  ///   - settings: Where the gate is.
  ///   - audience: The origin of the application.
  ///   - lifetime: Seconds, 300 at most.
  ///   - members: What the token says beside the subject.
  /// - Throws: `gate.file-value` for keys of other algorithms, and none.
  public init(
    header: String, keys: [SigningKey], settings: SiteSettings, audience: HTTPOrigin,
    lifetime: Int = 60, members: [Member] = []
  ) throws(TokenError) {
    guard !keys.isEmpty, keys.allSatisfy({ Self.algorithms.contains($0.algorithm) }) else {
      throw TokenError(
        .gateValue, node: "identityToken.keys", expected: "RSA, P-256 or Ed25519 keys",
        found: keys.map(\.algorithm.nameInJOSE).joined(separator: ", "))
    }
    self.header = header
    self.keys = keys
    keyID = keys.first?.publicKey.thumbprint
    issuer = settings.origin.description + settings.prefix
    self.audience = audience.description
    self.lifetime = min(lifetime, Self.longestLifetime)
    self.members = members
  }

  /// The longest lifetime of a token in seconds: 300.
  public static let longestLifetime = 300
  private static let algorithms: [SignatureAlgorithm] = [.rsaSHA256, .ecdsaSHA256, .ed25519]

  /// The same tokens for another application, which believes none of those of the first.
  public func forApplication(at origin: HTTPOrigin) -> Self {
    var other = self
    other.audience = origin.description
    return other
  }

  /// The public halves of all keys, as a JWK set.
  public var keySet: [UInt8] {
    PublishedKey.keySet(keys.map { PublishedKey($0.publicKey, algorithm: $0.algorithm) })
  }

  /// The token for a subject. A page asks for many things at once: within a second, which is what the times of a token
  /// say, one is signed.
  ///
  /// - Throws: `gate.subject-missing`, `gate.header-too-large`, `gate.groups-overage`, `policy.mint-*`.
  func token(for subject: GateSubject, at now: Instant) throws(TokenError) -> String {
    guard !subject.subject.isEmpty, let key = keys.first else {
      throw TokenError(.gateSubjectMissing, node: header)
    }
    var claims: [Claim] = []
    for member in members where member.counted.contains(subject.provider) {
      let values = subject.values(of: member.claims, .header)
      if values.isEmpty, member.claims.contains(where: GateClaim.isGroups), subject.lacksGroups {
        throw TokenError(.gateGroupsOverage, node: header)
      }
      claims += values.map { Claim(ClaimType(member.name), $0) }
    }
    if !subject.provider.isEmpty { claims.append(Claim(GateClaim.provider, subject.provider)) }
    let said = OctetKey(
      PrefixedTexts.octets(
        [audience, subject.subject] + claims.flatMap { [$0.type.name, $0.value] }))
    if let token = signed.token(said, at: now) { return token }
    let token = try minted(subject.subject, claims, key, at: now)
    signed.keep(token, said, at: now)
    return token
  }

  private func minted(
    _ subject: String, _ claims: [Claim], _ key: SigningKey, at now: Instant
  ) throws(TokenError) -> String {
    var draft = TokenDraft(
      issuer: issuer, audiences: [audience], issuedAt: now, lifetime: lifetime)
    draft.subject = subject
    draft.claims = ClaimSet(claims)
    let octets = try JSONWebToken.mint(draft, key: key, keyID: keyID)
    guard octets.count <= limit else {
      throw TokenError(
        .gateHeaderTooLarge, node: header, expected: "at most \(limit) bytes",
        found: "\(octets.count) bytes")
    }
    return String(decoding: octets, as: UTF8.self)
  }
}

/// The tokens that were signed in this second, by what they say.
private final class SignedIdentities: Sendable {
  private let state = Mutex<(second: Int64, tokens: [OctetKey: String])>((0, [:]))

  func token(_ said: OctetKey, at now: Instant) -> String? {
    state.withLock { $0.second == now.seconds ? $0.tokens[said] : nil }
  }

  func keep(_ token: String, _ said: OctetKey, at now: Instant) {
    state.withLock { state in
      if state.second != now.seconds { state = (now.seconds, [:]) }
      state.tokens[said] = token
    }
  }
}
