import Foundation
import Instants
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenErrors

/// The examples of RFC 7520 and its companions.
@Suite("The JOSE cookbook")
struct CookbookTests {
  @Test(
    "A compact signature verifies",
    arguments: [
      "jws/4_1.rsa_v15_signature", "jws/4_2.rsa-pss_signature", "jws/4_3.ecdsa_signature",
      "jws/4_4.hmac-sha2_integrity_protection", "curve25519/jws",
    ])
  func verifies(name: String) throws {
    guard let file = try Corpora.json("jose-cookbook/\(name).json") else { return }
    let output = try #require(file["output"] as? [String: Any])
    let compact = try #require(output["compact"] as? String)
    let input = try #require(file["input"] as? [String: Any])
    var key = try #require(input["key"] as? [String: Any])
    for part in ["d", "p", "q", "dp", "dq", "qi"] { key[part] = nil }
    let data = try JSONSerialization.data(withJSONObject: key)
    let set = try JSONWebKeySet(parsing: Array(data), allowsSecrets: true)
    let signature = try JSONWebSignature(parsing: Array(compact.utf8))
    _ = try signature.match(KeyRing(set.keys), at: Instant(secondsSinceEpoch: 0))
    #expect(String(decoding: signature.payload, as: UTF8.self) == input["payload"] as? String)
    print("cookbook \(name): agrees")
  }

  @Test(
    "Detached content, unencoded payloads and several signatures are refused (RFC 7519, 3)",
    arguments: [
      ("jws/4_5.signature_with_detached_content", TokenError.Code.jwsParts),
      ("rfc7797/hmac-sha2_b64_false", .criticalHeader),
    ])
  func refuses(name: String, code: TokenError.Code) throws {
    guard let file = try Corpora.json("jose-cookbook/\(name).json") else { return }
    let output = try #require(file["output"] as? [String: Any])
    let compact = try #require(output["compact"] as? String)
    #expect(throws: TokenError(code)) { try JSONWebToken(parsing: Array(compact.utf8)) }
    print("cookbook \(name): refused by policy, \(code)")
  }
}
