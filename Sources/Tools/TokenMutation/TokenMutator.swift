public import Claims
public import Federation
public import SecurityKeys
public import TokenBasics

/// Makes bad variants of a good token, each with the code that it must be rejected with, to test an
/// endpoint.
///
/// The codes are those of an endpoint that accepts the good token and allows nothing by name. The same
/// token, endpoint and key give the same variants, apart from signatures that OpenSSL randomises
/// (`rsa-pss-`, `ecdsa-`).
public struct TokenMutator: Sendable {
  private let endpoint: Endpoint
  private let key: IssuerKey?
  private let decryptionKeys: [DecryptionKey]

  /// Makes variants for `endpoint`.
  ///
  /// - Parameters:
  ///   - endpoint: What the variants are sent to: its recipient, audience and clock.
  ///   - key: The key that signed the good token. With it there are also variants that the issuer signed:
  ///     expired, for another audience, with SHA-1.
  ///   - decryptionKeys: The endpoint's keys, for a token that is encrypted. Variants of what is inside are
  ///     encrypted anew, of SAML to the first RSA key, so their bytes differ each time.
  public init(
    _ endpoint: Endpoint, key: IssuerKey? = nil, decryptionKeys: [DecryptionKey] = []
  ) {
    self.endpoint = endpoint
    self.key = key
    self.decryptionKeys = decryptionKeys
  }

  /// The variants of `token`, in its wire form.
  ///
  /// Variants over the default limit of a token's size are left out, and those that differ in a place alone
  /// are fewer for a token with more than 400 elements.
  ///
  /// - Throws: the error of the good token, if it is none: of `claims verify` when a key is given,
  ///   otherwise of reading and decrypting it; `encryption.no-key` for an encrypted token without a
  ///   decryption key; `input.unsupported-format` for JSON around a token.
  public func mutations(
    of token: [UInt8], as pinned: PinnedFormat? = nil
  ) throws(TokenError) -> [Mutation] {
    let collected = Collected()
    try makeMutations(of: token, as: pinned) { collected.mutations.append($0) }
    return collected.mutations
  }

  private final class Collected {
    var mutations: [Mutation] = []
  }

  /// Makes the variants of ``mutations(of:as:)`` one after the other, each of which `receive` gets and none is
  /// held.
  ///
  /// - Throws: as ``mutations(of:as:)``, before the first variant.
  public func makeMutations(
    of token: [UInt8], as pinned: PinnedFormat? = nil, _ receive: @escaping (Mutation) -> Void
  ) throws(TokenError) {
    let good = try AnyToken(reading: token, as: pinned)
    try check(good)
    let packaging = try WirePackaging(token, pinned: pinned)
    // Beyond the limit each would be refused for its size, whatever else is wrong with it.
    let limit = max(Limits().bytes, token.count)
    let passOn = { (mutation: Mutation) in
      if mutation.octets.count <= limit { receive(mutation) }
    }
    try makeInner(good, packaging.octets) { mutation in
      var packed = mutation
      packed.octets = packaging.pack(mutation.octets)
      passOn(packed)
    }
    TransportMutator(packaging, token, passOn).all()
  }

  private func makeInner(
    _ token: AnyToken, _ octets: [UInt8], _ receive: @escaping (Mutation) -> Void
  ) throws(TokenError) {
    switch token {
    case .swt:
      if let mutator = SWTMutator(octets, endpoint, secret, receive) { return mutator.all() }
    case .jwt:
      if let mutator = JWTMutator(octets, endpoint, key, receive) { return mutator.all() }
    case .saml:
      if let message = MessageText(octets) {
        let mutator = SAMLMutator(message, endpoint, sealer, receive)
        return mutator.all()
      }
      guard let message = MessageText(encrypted: octets) else { break }
      guard !decryptionKeys.isEmpty else { throw TokenError(.noDecryptionKey) }
      let mutator = try EncryptedMutator(
        message, endpoint, sealer, decryptionKeys.compactMap(\.privateKey), receive)
      return mutator.all()
    case .sdjwt(let token):
      return SDJWTMutator(token, octets, endpoint, receive).all()
    case .encryptedJWT:
      return try EncryptedJWTMutator(octets, endpoint, key, decryptionKeys, receive).all()
    }
    throw TokenError(
      .unsupportedFormat, expected: "a signed token", found: "\(token.format)")
  }

  private var secret: SymmetricKey? {
    if case .secret(let secret) = key { secret } else { nil }
  }

  private var sealer: Sealer? {
    if case .privateKey(let key) = key { Sealer(key) } else { nil }
  }

  /// Throws for a key that did not sign the good token: every prediction would be wrong.
  private func check(_ token: AnyToken) throws(TokenError) {
    guard let key else { return }
    var trusted = TrustedKey(key.verificationKey)
    trusted.exceptions = Set(LegacyException.all)
    var trust = Trust(
      issuers: [TrustedIssuer(.any, keys: [trusted], formats: [token.format])], audiences: .any)
    trust.decryptionKeys = decryptionKeys
    try trust.setSkew(endpoint.skew)
    _ = try TokenValidator(trust).validate(
      token, at: endpoint.now, expecting: endpoint.expectations)
  }
}

/// The issuer's signing key, for variants that only the issuer could send.
public enum IssuerKey: Sendable {
  /// A private key.
  case privateKey(PrivateKey)
  /// A private key of ML-DSA.
  case postQuantum(PostQuantumSigningKey)
  /// The secret of an HMAC.
  case secret(SymmetricKey)

  /// The key that verifies its signatures.
  package var verificationKey: VerificationKey {
    switch self {
    case .privateKey(let key): .publicKey(key.publicKey)
    case .postQuantum(let key): VerificationKey(.postQuantum(key.publicKey))
    case .secret(let key): .secret(key)
    }
  }
}

/// What the endpoint under test expects: some variants are bad only for an endpoint that checks.
public struct Endpoint: Sendable {
  /// The time at which the variants are verified.
  public var now: Instant
  /// The tolerance between clocks, in seconds.
  public var skew: Int
  /// The expected recipient and request; variants that are wrong in these are made only when they are
  /// set.
  public var expectations: Expectations
  /// Seconds from `now` to the first moment that no endpoint accepts as now.
  package var firstFuture: Int { skew + 1 + patience }

  /// Whether the endpoint accepts only issuers that are configured by name.
  public var namesIssuers: Bool
  /// Whether the endpoint has its own names and requires one as audience.
  public var checksAudience: Bool
  /// For how many seconds after `now` the variants of times to come stay bad: those who send them need a while.
  package var patience = 0
  /// Whom forged content names; nil for a name that no endpoint knows.
  package var attacker: String?

  /// An endpoint that verifies at `now`.
  public init(
    now: Instant, skew: Int = Trust.defaultSkew, expectations: Expectations = Expectations(),
    namesIssuers: Bool = false, checksAudience: Bool = true
  ) {
    self.now = now
    self.skew = skew
    self.expectations = expectations
    self.namesIssuers = namesIssuers
    self.checksAudience = checksAudience
  }
}

/// A bad variant of a good token, and the code that it must be rejected with.
public struct Mutation: Sendable {
  /// The change, unique among the variants of one token: `signature/removed`.
  public let name: String
  /// The change, as one sentence without a final period.
  public let summary: String
  /// The published attacks or classes of attack that it belongs to, by this project's numbers.
  public let attacks: [String]
  /// The one code that `claims verify` rejects it with.
  public let expected: TokenError.Code
  /// Whether the issuer's own key signed it: no one else could have made it, but a careless reader
  /// might still accept it.
  public let isIssuerSigned: Bool
  /// The variant as sent, in the wire form of the good token.
  public internal(set) var octets: [UInt8]

  /// The kind of change: the part of ``name`` before the slash.
  public var family: String { String(name.prefix { $0 != "/" }) }
}

/// Passes variants on, one at a time: those of a large token are too many to hold.
struct MutationList {
  private let original: [UInt8]
  private let receive: (Mutation) -> Void

  init(original: [UInt8], _ receive: @escaping (Mutation) -> Void) {
    self.original = original
    self.receive = receive
  }

  /// Passes a variant on, unless it could not be made or is the good token itself.
  func add(
    _ name: String, _ summary: String, _ attacks: [String], _ expected: TokenError.Code,
    issuerSigned: Bool = false, _ octets: [UInt8]?
  ) {
    guard let octets, octets != original else { return }
    receive(
      Mutation(
        name: name, summary: summary, attacks: attacks, expected: expected,
        isIssuerSigned: issuerSigned, octets: octets))
  }
}
