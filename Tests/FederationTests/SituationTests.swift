import Claims
import Federation
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// What errors say in situations that can be told apart.
@Suite("Words that fit the situation")
struct SituationTests {
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)

  private func refusal(
    _ payload: String,
    issuer: String = "https://idp.example",
    audience: String = "rp", formats: Set<TokenFormat> = [.jwt], secret: [UInt8]? = nil
  ) throws -> TokenError? {
    let own = [UInt8](repeating: 7, count: 32)
    let input = [#"{"alg":"HS256"}"#, payload].map { Base64.encode(Array($0.utf8), .url) }.joined(
      separator: ".")
    let mac = try #require(
      try SymmetricKey(bytes: secret ?? own).authenticate(Array(input.utf8).span, with: .sha256))
    let key = TrustedKey(.secret(try SymmetricKey(bytes: own)))
    let trust = Trust(
      issuers: [TrustedIssuer(issuer, keys: [key], formats: formats)], audiences: .oneOf([audience])
    )
    do throws(TokenError) {
      let token = try AnyToken(reading: Array((input + "." + Base64.encode(mac, .url)).utf8))
      _ = try TokenValidator(trust).validate(token, at: now)
      return nil
    } catch {
      return error
    }
  }

  @Test("An issuer or audience with white space around it shows it, and is told so")
  func whiteSpace() throws {
    let issuer = try refusal(
      #"{"iss":"\n https://idp.example/\n ","aud":"rp","exp":1893499500}"#,
      issuer: "https://idp.example/")
    #expect(issuer?.code == .issuerUntrusted)
    #expect(issuer?.found == #""\n https://idp.example/\n ""#)
    #expect(issuer?.hint.contains("white space") == true && issuer?.hint.contains("slash") == false)
    let audience = try refusal(#"{"iss":"https://idp.example","aud":"rp ","exp":1893499500}"#)
    #expect(audience?.code == .audienceMismatch && audience?.hint.contains("white space") == true)
  }

  @Test("Names that differ in a slash, in case or in the scheme are told so; others are not")
  func nearMisses() throws {
    for (found, word) in [
      ("https://idp.example/", "slash"), ("https://IDP.example", "case"),
      ("http://idp.example", "http"),
    ] {
      let error = try refusal("{\"iss\":\"\(found)\",\"aud\":\"rp\",\"exp\":1893499500}")
      #expect(error?.code == .issuerUntrusted && error?.hint.contains(word) == true)
    }
    let other = try refusal(#"{"iss":"https://other.example","aud":"rp","exp":1893499500}"#)
    #expect(other?.hint == TokenError.Code.issuerUntrusted.hint)
  }

  @Test("A token of Cognito without an audience is told its client")
  func cognito() throws {
    let error = try refusal(#"{"iss":"https://idp.example","client_id":"abc","exp":1893499500}"#)
    #expect(error?.code == .audienceMissing)
    #expect(error?.found?.contains("abc") == true && error?.hint.contains("client_id") == true)
    let without = try self.refusal(#"{"iss":"https://idp.example","exp":1893499500}"#)
    #expect(without?.hint == TokenError.Code.audienceMissing.hint)
  }

  @Test("Keycloak's account is not recommended as an audience")
  func keycloak() throws {
    let error = try refusal(
      #"{"iss":"https://idp.example","aud":"account","azp":"app","exp":1893499500}"#)
    #expect(error?.code == .audienceMismatch && error?.hint.contains("audience mapper") == true)
  }

  @Test("A token for Microsoft Graph is recognised by the nonce of its header")
  func graph() throws {
    let key = try PrivateKey(generating: .ec256)
    let header = #"{"typ":"JWT","nonce":"AQAB","alg":"ES256"}"#
    let input = [header, #"{"iss":"https://sts.example","aud":"rp","exp":1893499500}"#]
      .map { Base64.encode(Array($0.utf8), .url) }.joined(separator: ".")
    let other = try PrivateKey(generating: .ec256)
    let digest = try #require(DigestAlgorithm.sha256.digest(of: Array(input.utf8)))
    let signature = try #require(other.sign(digest: digest, .ecdsaSHA256))
    let trust = Trust(
      issuers: [TrustedIssuer("https://sts.example", keys: [.publicKey(key.publicKey)])],
      audiences: .oneOf(["rp"]))
    do throws(TokenError) {
      let token = try JSONWebToken(
        parsing: Array((input + "." + Base64.encode(signature, .url)).utf8))
      _ = try TokenValidator(trust).validate(token, at: now)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .signatureInvalid)
      #expect(error.hint.contains("Graph") && error.hint.contains("own audience"))
    }
  }

  @Test("A secret that vouches for Simple Web Tokens alone is told how to vouch for JWT")
  func otherFormat() throws {
    let error = try refusal(
      #"{"iss":"https://idp.example","aud":"rp","exp":1893499500}"#, formats: [.swt])
    #expect(error?.code == .noKey)
    #expect(
      error?.found == "keys for swt" && error?.hint.contains("\"formats\": [\"jwt\"]") == true)
  }

  @Test("A MAC by another secret is told that a file of base64 is decoded")
  func otherSecret() throws {
    let error = try refusal(
      #"{"iss":"https://idp.example","aud":"rp","exp":1893499500}"#,
      secret: [UInt8](repeating: 8, count: 32))
    #expect(error?.code == .signatureInvalid && error?.hint.contains("base64") == true)
  }
}
