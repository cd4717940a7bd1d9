import Federation
import Foundation
import SecurityKeys
import TestSupport
import XMLOracle

/// JSON Web Tokens. The mutator has a secret; what it did not sign must be a seed's.
struct JWTTarget: FuzzTarget {
  private let properties: TokenProperties
  private let mutator: JWTMutator
  private let key: SymmetricKey
  /// The signed octets of genuine tokens.
  private let genuine: Set<[UInt8]>

  init() {
    let vectors = TestVector.of("jwt").filter { $0.accepts && $0.decryptKeys.isEmpty }
    properties = TokenProperties(
      World.of(vectors, at: "2030-01-01T12:00:00Z", Expectations()))
    guard
      case .secret(let key) = try? KeySpecification.key(
        "hmac-file:keys/hmac-64.key", files: VectorFiles()
      ).material
    else { fail("no secret") }
    self.key = key
    mutator = JWTMutator(key: key)
    // Some vectors are rejected with their own settings, though a trusted key signed them.
    let signed = TestVector.of("jwt").map(\.token).filter { [properties] token in
      properties.check(token, as: .jwt) != nil
    }
    genuine = Set(signed.map { Self.signed($0) })
  }

  var seeds: [(name: String, octets: [UInt8])] {
    TestVector.of("jwt").filter { $0.token.count < 4_096 }.map { ($0.id, $0.token) }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    mutator.mutate(octets, &random)
  }

  func exercise(_ octets: [UInt8]) {
    guard let (_, verified) = properties.check(octets, as: .jwt) else { return }
    let parts = octets.split(separator: 0x2E, omittingEmptySubsequences: false)
    require(parts.count == 3, "three parts")
    if !genuine.contains(Self.signed(octets)) {
      let mac = key.authenticate(Self.signed(octets).span, with: .sha256)
      require(mac == Self.decode(parts[2]), "accepted without a signature")
    }
    guard let payload = Self.decode(parts[1]), let json = Self.object(payload) else {
      fail("accepted, and the second reading finds no object")
    }
    require(verified.facts.issuer == json["iss"] as? String, "the issuer is the signed one")
    require(verified.facts.subject == json["sub"] as? String, "the subject is the signed one")
    let audiences = (json["aud"] as? String).map { [$0] } ?? json["aud"] as? [String] ?? []
    require(verified.facts.audiences == audiences, "the audience is the signed one")
    let registered: Set = ["iss", "aud", "exp", "nbf", "jti"]
    var count = 0
    for (name, member) in json where !registered.contains(name) {
      let values = (member as? [Any] ?? [member]).filter { !($0 is NSNull) }
      let claims = verified.claims.filter { $0.originalName == name }
      require(claims.count == values.count, "a claim for each value")
      for (claim, value) in zip(claims, values) {
        if let text = value as? String { require(claim.value == text, "the value is signed") }
      }
      count += values.count
    }
    require(verified.claims.count == count, "no claim that is not there")
  }

  private static func object(_ payload: [UInt8]) -> [String: Any]? {
    if let object = try? JSONSerialization.jsonObject(with: Data(payload)) {
      return object as? [String: Any]
    }
    // Foundation has no number as large as 1e400; without exponents it must be able to read it.
    let text = String(decoding: payload, as: UTF8.self)
      .replacing(#/([0-9])[eE][+\-]?[0-9]+/#) { $0.1 }
    return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }

  private static func signed(_ octets: [UInt8]) -> [UInt8] {
    Array(
      octets.split(separator: 0x2E, omittingEmptySubsequences: false).prefix(2).joined(separator: [
        0x2E
      ]))
  }

  private static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var text = String(decoding: text, as: UTF8.self)
      .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while text.utf8.count % 4 != 0 { text += "=" }
    return Data(base64Encoded: text).map { Array($0) }
  }
}
