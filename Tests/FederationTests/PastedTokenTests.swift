import Federation
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// Tokens inside what people paste, tokens without a signature, and tokens that are bound to a key.
@Suite("Tokens that are shown, and tokens that are bound to a key")
struct PastedTokenTests {
  private static let secret = [UInt8](0..<64)

  /// A JSON Web Token with this payload, signed by the secret.
  private func token(_ payload: String, header: String = #"{"alg":"HS256"}"#) throws -> String {
    let signed = [header, payload].map { Base64.encode(Array($0.utf8), .url) }.joined(
      separator: ".")
    let octets = Array(signed.utf8)
    let key = try SymmetricKey(bytes: Self.secret)
    let made = key.authenticate(octets.span, with: .sha256)
    let mac = try #require(made)
    return signed + "." + Base64.encode(mac, .url)
  }

  private func payload(_ more: String = "") -> String {
    #"{"iss":"i","aud":"a","sub":"ada","exp":1893499500\#(more)}"#
  }

  private func pasted(_ text: String) -> [PastedToken] {
    let octets = Array(text.utf8)
    do throws(TokenError) {
      _ = try AnyToken(decoding: octets[...], as: nil, limits: Limits())
      return []
    } catch {
      return PastedToken.all(in: octets, as: nil, limits: Limits(), after: error)
    }
  }

  @Test("A whole token is found in what surrounds it, and a verifier still refuses the text")
  func around() throws {
    let token = try token(payload())
    for text in [
      "Authorization: Bearer \(token)", "\"\(token)\"", "id_token=\(token)&state=1",
      #"{"data":{"jwt":"\#(token)"}}"#,
      "curl -H 'authorization: Bearer \(token)' https://rp.example",
      "<input type='hidden' name='id_token' value='\(token)'/>",
      String(token.prefix(40)) + "\n" + String(token.dropFirst(40)),
      #"{"log":{"entries":[{"request":{"postData":{"text":"id_token=\#(token)"}}}]}}"#,
    ] {
      #expect(pasted(text).map { String(decoding: $0.octets, as: UTF8.self) } == [token], "\(text)")
      #expect(throws: TokenError.self) { try AnyToken(reading: Array(text.utf8)) }
    }
  }

  @Test("Several tokens are all found, each once, and a cut one is not")
  func several() throws {
    let (one, other) = (try token(payload()), try token(payload(#","jti":"2""#)))
    #expect(pasted("\(one)\n\(other)\n\(one)").count == 2)
    #expect(pasted("Bearer \(one.prefix(60))...").isEmpty)
  }

  @Test("A token is found in a mail's base64 and in a console's broken lines")
  func brokenLines() throws {
    let token = try token(payload())
    let mail =
      "From: ada@rp.example\nTo: help@idp.example\nSubject: 401\n"
      + "Content-Transfer-Encoding: base64\n\n"
      + Base64.encode(Array("the token is\n\(token)\n".utf8)) + "\n"
    let list = "access_token : \(token.prefix(40))\n               \(token.dropFirst(40))\ntype : a"
    for text in [mail, list, "a.b=1\ntoken.test=\(token)\n", "\u{1B}[32m\(token)\u{1B}[0m"] {
      #expect(pasted(text).map { String(decoding: $0.octets, as: UTF8.self) } == [token], "\(text)")
      #expect(throws: TokenError.self) { try AnyToken(reading: Array(text.utf8)) }
    }
  }

  @Test("A request to sign in is named as one, whatever encodes it")
  func requests() {
    let request =
      "<p:AuthnRequest xmlns:p=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_a\" Version=\"2.0\"/>"
    for text in [request, Base64.encode(Array(request.utf8))] {
      do throws(TokenError) {
        _ = try AnyToken(reading: Array(text.utf8))
        Issue.record("\(text) was read")
      } catch {
        #expect(error.code == .unexpectedRoot)
        #expect(error.hint.contains("the SAMLResponse that comes back"))
      }
    }
  }

  @Test("A token with an empty signature is shown and verified by no key")
  func unsigned() throws {
    let header = Base64.encode(Array(#"{"alg":"none"}"#.utf8), .url)
    let octets = Array("\(header).\(Base64.encode(Array(payload().utf8), .url)).".utf8)
    let shown = try AnyToken(decoding: octets[...], as: nil, limits: Limits())
    #expect(shown.unverifiedClaims["sub"] == ["ada"])
    #expect(throws: TokenError(.signatureMissing)) { try AnyToken(reading: octets) }
    #expect(throws: TokenError.self) { try validate(shown) }
  }

  @Test("What stands around a token has a code of its own only where its structure shows it")
  func surrounded() throws {
    let token = try token(payload())
    let cases: [(String, TokenError.Code)] = [
      ("curl -H 'x: \(token)' https://rp.example", .surroundedToken),
      ("2026-11-28 10:00:00 INFO token \(token)", .surroundedToken),
      ("look at \(token) please", .malformedBase64),
      ("Authorization: Bearer \(token)", .headerField),
      ("data:text/plain,\(token)", .unrecognizedInput),
      (#"{"id_token":"\#(token)"}"#, .jsonMembers),
    ]
    for (text, code) in cases {
      #expect(throws: TokenError(code), "\(text)") { try AnyToken(reading: Array(text.utf8)) }
    }
  }

  private func validate(_ token: AnyToken) throws -> Verified<AnyToken> {
    let key = VerificationKey.secret(try SymmetricKey(bytes: Self.secret))
    let trust = Trust(
      issuers: [TrustedIssuer("i", keys: [key], formats: [.jwt])], audiences: .oneOf(["a"]))
    return try TokenValidator(trust).validate(token, at: Instant(dateTime: "2030-01-01T12:00:00Z"))
  }

  @Test(
    "A token that is bound to a key is refused without its proof", arguments: ["jkt", "x5t#S256"])
  func bound(member: String) throws {
    let free = try AnyToken(reading: Array(token(payload()).utf8))
    #expect(try validate(free).claims["sub"] == ["ada"])
    let text = try token(payload(#","cnf":{"\#(member)":"x"}"#))
    let bound = try AnyToken(reading: Array(text.utf8))
    #expect(throws: TokenError(.possessionMissing)) { try validate(bound) }
  }
}
