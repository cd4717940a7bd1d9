import Claims
import JSONWebTokens
import SecurityKeys
import Testing
import TokenBasics

@Suite("Claims of a JWT and the draft's values")
struct ClaimValueTests {
  static let key = try? SymmetricKey(bytes: Array(repeating: 7, count: 32))

  /// The claims of a token with this payload, without any proof.
  static func claims(_ payload: String) throws -> ClaimSet {
    let token = [#"{"alg":"HS256"}"#, payload, "x"].map { Base64.encode(Array($0.utf8), .url) }
    return try JSONWebToken(parsing: Array(token.joined(separator: ".").utf8)).unverifiedClaims
  }

  @Test("An array is one value for each element, in order; null is none")
  func arrays() throws {
    let claims = try Self.claims(
      #"{"a":["x",1,2.50,true,null,{"b":[null]},["y",["z"]],"","x"],"b":[],"c":null,"d":"[1]"}"#)
    #expect(claims["a"] == ["x", "1", "2.50", "true", #"{"b":[null]}"#, #"["y",["z"]]"#, "", "x"])
    #expect(claims["b"].isEmpty && claims["c"].isEmpty)
    #expect(claims["d"] == ["[1]"])
    let texts = claims.filter { $0.valueType == Claim.stringType }.map(\.value)
    #expect(texts == ["x", "", "x", "[1]"])
    #expect(
      claims.allSatisfy {
        $0.valueType == Claim.stringType || $0.valueType == JSONWebToken.jsonType
      })
  }

  @Test("Each element gets the claim URI")
  func claimURIs() throws {
    let token = [#"{"alg":"HS256"}"#, #"{"roles":["a","b"],"role":"c"}"#, "x"]
      .map { Base64.encode(Array($0.utf8), .url) }
    var jwt = try JSONWebToken(parsing: Array(token.joined(separator: ".").utf8))
    jwt.naming = .claimURIs
    #expect(jwt.unverifiedClaims[.role] == ["a", "b", "c"])
  }

  @Test(
    "Claims that were read can be issued again unchanged",
    arguments: [
      #"{"a":"x"}"#, #"{"a":["x"]}"#, #"{"a":["x","y"],"b":"z"}"#, #"{"a":1}"#, #"{"a":[1]}"#,
      #"{"a":[[1,"x"]]}"#, #"{"a":[[]]}"#, #"{"a":{"b":[1,null]}}"#, #"{"a":[true,"true",null]}"#,
      #"{"a":"1"}"#, #"{"a":"null"}"#, #"{"a":""}"#, #"{"a":[ [ 1 ] , 2 ]}"#,
    ])
  func inverse(payload: String) throws {
    let claims = try Self.claims(payload)
    let minted = try Self.mint(claims)
    let again = minted.filter { !["iat", "sub"].contains($0.type.name) }
    #expect(again.map(\.type) == claims.map(\.type))
    #expect(again.map(\.value) == claims.map(\.value))
    #expect(again.map(\.valueType) == claims.map(\.valueType))
  }

  @Test(
    "A value marked as JSON that is none, or is null, is not issued",
    arguments: ["", "{", "1 2", "null", #"1,"admin":true"#])
  func malformed(text: String) throws {
    let claim = Claim("a", text, valueType: JSONWebToken.jsonType)
    #expect(throws: TokenError(.mintClaimValue)) { try Self.mint(ClaimSet([claim])) }
    #expect(throws: Never.self) { try Self.mint(ClaimSet([Claim("a", text + "x")])) }
  }

  private static func mint(_ claims: ClaimSet) throws -> ClaimSet {
    let draft = TokenDraft(
      issuer: "i", audiences: ["a"], claims: claims, issuedAt: Instant(secondsSinceEpoch: 1),
      lifetime: 60, id: "1")
    let token = try JSONWebToken.mint(draft, key: #require(key))
    return try JSONWebToken(parsing: token).unverifiedClaims
  }
}
