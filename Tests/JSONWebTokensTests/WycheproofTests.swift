import Foundation
import JSONWebTokens
import Octets
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// Verdicts that C2SP/wycheproof gives; prints how many vectors each file has and how many agree.
@Suite("Wycheproof")
struct WycheproofTests {
  typealias JSON = [String: Any]

  static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  /// Verdicts that differ from the file's, and the clause that justifies ours.
  static let explained: [String: [Int: String]] = {
    let reserved = "RFC 7517, 4.4: the key is reserved for another alg than the header's"
    let identical = "RFC 7515, 2: the text is unpadded base64url, byte for byte a valid token"
    let character = "RFC 4648, 3.3: a character outside the alphabet is refused"
    return [
      "json_web_signature": [
        346: reserved, 347: reserved, 350: reserved, 351: reserved, 367: identical,
        370: identical, 372: character, 373: character,
      ],
      "json_web_encryption": [135: "RFC 8725, 3.6: compressed content is refused"],
      "json_web_key": [
        4: "RFC 7517, 5: the other key of that kid is no canonical base64 and is passed over"
      ],
    ]
  }()

  func vectors(_ name: String) throws -> [(group: JSON, test: JSON)]? {
    guard let file = try Corpora.json("wycheproof/testvectors_v1/\(name)_test.json") else {
      return nil
    }
    let groups = file["testGroups"] as? [JSON] ?? []
    return groups.flatMap { group in (group["tests"] as? [JSON] ?? []).map { (group, $0) } }
  }

  /// Runs a file; `verify` returns whether a vector is accepted. "acceptable" may go either way.
  func run(_ name: String, _ verify: (_ group: JSON, _ test: JSON) throws -> Bool) throws {
    guard let vectors = try vectors(name) else { return }
    #expect(!vectors.isEmpty)
    var agreed = 0
    var explained = 0
    for (group, test) in vectors {
      let accepted = (try? verify(group, test)) ?? false
      let result = test["result"] as? String ?? ""
      let number = test["tcId"] as? Int ?? 0
      if let clause = Self.explained[name]?[number] {
        print("wycheproof \(name) \(number): \(accepted ? "accepted" : "refused"), \(clause)")
        explained += 1
        continue
      }
      let agrees = result == "acceptable" || accepted == (result == "valid")
      if agrees { agreed += 1 }
      #expect(
        agrees, "\(name) \(test["tcId"] ?? "") \(test["comment"] ?? "") \(test["flags"] ?? "")")
    }
    print("wycheproof \(name): \(agreed) of \(vectors.count) agree, \(explained) explained")
  }

  func bytes(_ hex: Any?) throws -> [UInt8] {
    let digits = Array((hex as? String ?? "").utf8)
    return try stride(from: 0, to: digits.count - 1, by: 2).map { index in
      try #require(Hex.value(digits[index])) << 4 | #require(Hex.value(digits[index + 1]))
    }
  }

  @Test("JSON Web Signatures get the same verdicts")
  func signatures() throws {
    try run("json_web_signature") { group, test in
      let key = (group["public"] ?? group["private"]) as? JSON ?? [:]
      return try verify(test, keys: publicHalf(of: key))
    }
  }

  @Test("JSON Web Keys get the same verdicts")
  func keys() throws {
    try run("json_web_key") { group, test in
      let set = (group["public"] ?? group["private"]) as? JSON ?? [:]
      let keys = (set["keys"] as? [JSON] ?? []).map(publicHalf)
      return try verify(test, keys: ["keys": keys])
    }
  }

  /// The vectors give private keys; a verifier gets the public half.
  private func publicHalf(of key: JSON) -> JSON {
    key.filter { !["d", "p", "q", "dp", "dq", "qi"].contains($0.key) }
  }

  private func verify(_ test: JSON, keys: JSON) throws -> Bool {
    let data = try JSONSerialization.data(withJSONObject: keys)
    let set = try JSONWebKeySet(parsing: Array(data), allowsSecrets: true)
    let token = Array((test["jws"] as? String ?? "").utf8)
    _ = try JSONWebSignature(parsing: token).match(KeyRing(set.keys), at: Self.now)
    return true
  }

  @Test(
    "RSA signatures get the same verdicts",
    arguments: [
      ("rsa_signature_2048_sha256", SignatureAlgorithm.rsaSHA256),
      ("rsa_signature_3072_sha512", .rsaSHA512), ("rsa_signature_4096_sha384", .rsaSHA384),
      ("rsa_pss_2048_sha256_mgf1_32", .rsaPSSSHA256),
      ("ecdsa_secp256r1_sha256_p1363", .ecdsaSHA256),
      ("ecdsa_secp384r1_sha384_p1363", .ecdsaSHA384),
    ])
  func asymmetric(name: String, algorithm: SignatureAlgorithm) throws {
    try run(name) { group, test in
      let key = try VerificationKey(
        pemOrDER: Array((group["publicKeyPem"] as? String ?? "").utf8))
      let message = try bytes(test["msg"])
      // The files have keys with e = 3, which are rejected unless allowed by name.
      let trusted = TrustedKey(key, exceptions: [.rsaSmallExponent])
      _ = try KeyRing([trusted]).match(
        bytes(test["sig"]), over: message.span, algorithm, at: Self.now)
      return true
    }
  }

  @Test("A DER encoding of an ECDSA signature is never accepted")
  func der() throws {
    guard let vectors = try vectors("ecdsa_secp256r1_sha256") else { return }
    for (group, test) in vectors {
      let key = try VerificationKey(
        pemOrDER: Array((group["publicKeyPem"] as? String ?? "").utf8))
      let message = try bytes(test["msg"])
      let signature = try bytes(test["sig"])
      #expect(throws: TokenError(.signatureInvalid)) {
        try KeyRing([TrustedKey(key)]).match(
          signature, over: message.span, .ecdsaSHA256, at: Self.now)
      }
    }
    print("wycheproof ecdsa_secp256r1_sha256 (DER): \(vectors.count) of \(vectors.count) refused")
  }

  @Test(
    "HMACs of full length get the same verdicts",
    arguments: [("hmac_sha256", SignatureAlgorithm.hmacSHA256), ("hmac_sha1", .hmacSHA1)])
  func macs(name: String, algorithm: SignatureAlgorithm) throws {
    try run(name) { group, test in
      let key = VerificationKey.secret(try SymmetricKey(bytes: bytes(test["key"])))
      let message = try bytes(test["msg"])
      // A truncated tag is never accepted, so a "valid" one is compared at its own length.
      let length = (group["tagSize"] as? Int ?? 0) / 8
      if length < algorithm.digest.length {
        guard case .secret(let secret) = key.material else { return false }
        let mac = secret.authenticate(message.span, with: algorithm.digest) ?? []
        return ConstantTime.areEqual(Array(mac.prefix(length)), try bytes(test["tag"]))
      }
      let exceptions: Set<LegacyException> = [.hmacShortKey, .signature(.hmacSHA1)]
      _ = try KeyRing([TrustedKey(key, exceptions: exceptions)]).match(
        bytes(test["tag"]), over: message.span, algorithm, at: Self.now)
      return true
    }
  }
}
