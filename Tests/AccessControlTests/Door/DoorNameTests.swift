import AccessControl
import JSONWebTokens
import Octets
import TestSupport
import Testing
import TokenBasics

/// Under which name a relying party knows a person, by every way to its tokens.
@Suite(
  "A party of OpenID Connect or SAML knows a person by one pairwise name, whichever way a token takes"
)
struct DoorNameTests {
  /// The rules of the world give each person's own name, which all relying parties would share.
  private static let common = ["tom", "ada"]

  /// A world in which the party exchanges its own tokens, too.
  private static func world(_ listed: Set<PartyProtocol>?) throws -> DoorWorld {
    var world = try DoorWorld()
    world.party.listedProtocols = listed
    world.party.exchange.clients.append(DoorWorld.realm)
    return world
  }

  /// What a token says, in the clear.
  private static func said(_ token: String) throws -> String {
    if token.contains("HMACSHA256=") { return "&" + FormReaderText.decoded(token) + "&" }
    if token.split(separator: ".").count == 3 {
      let payload = try Base64.decode(Array(token.split(separator: ".")[1].utf8), .url)
      return String(decoding: payload, as: UTF8.self)
    }
    return String(decoding: try Base64.decode(Array(token.utf8), .url), as: UTF8.self)
  }

  /// Whether a name stands in a token as a whole value.
  private static func names(_ name: String, _ text: String) -> Bool {
    [">\(name)<", "\"\(name)\"", "=\(name)&"].contains { text.contains($0) }
  }

  private static func subject(_ token: String) throws -> String {
    try #require(try ExchangeFixture.parts(token).payload["sub"]?.string)
  }

  /// Exchanges the party's own ID token for another token of the party.
  private func exchanged(
    _ idToken: String, for type: String, _ fixture: DoorFixture
  ) async throws -> String {
    var request = fixture.exchange(
      idToken, ExchangeFixture.type + "id_token", for: type, at: DoorWorld.realm, DoorFixture.shop)
    if type == "swt" {
      request.fields.removeAll { $0.0 == "requested_token_type" }
      request.fields.append(("requested_token_type", ExchangeFixture.swt))
    }
    let answer = try await fixture.send(request)
    return try #require(answer.tokens?.token, "\(type): \(answer)")
  }

  private static let types = ["jwt", "saml2", "saml1", "swt", "id_token", "access_token"]

  @Test(
    "Sign-ins, access tokens, UserInfo, introspection, draft 13 and exchange have one name, and not the common one"
  )
  func byEveryPath() async throws {
    for listed in [nil, [.openID, .saml]] as [Set<PartyProtocol>?] {
      let fixture = try DoorFixture(Self.world(listed))
      let tokens = try #require(try await fixture.enter(.openID).tokens)
      let idToken = try #require(tokens.idToken)
      let name = try Self.subject(idToken)
      #expect(!Self.common.contains(name))
      let info = try await fixture.get("/v2/openid/userinfo", bearer: tokens.token)
      let known = try await fixture.post(
        "/v2/openid/introspect", [("token", tokens.token)], client: DoorFixture.shop)
      var texts = [("UserInfo", info.text), ("introspection", known.text)]
      for entrance in [DoorEntrance.saml, .resource, .registeredResource, .draft13] {
        let token = try #require(try await fixture.enter(entrance).tokens?.token, "\(entrance)")
        texts.append(("\(entrance)", try Self.said(token)))
      }
      for type in Self.types {
        texts.append((type, try Self.said(try await exchanged(idToken, for: type, fixture))))
      }
      for (path, text) in texts {
        #expect(Self.names(name, text), "\(path): \(text)")
        #expect(!Self.names("tom", text), "\(path): \(text)")
      }
    }
  }

  @Test(
    "A protocol that the file lists carries the name of the rules, JWT and SAML 2.0 of an exchange do not"
  )
  func listed() async throws {
    let fixture = try DoorFixture(Self.world([.openID, .saml, .exchange, .draft13, .wsFederation]))
    let tokens = try #require(try await fixture.enter(.openID).tokens)
    let idToken = try #require(tokens.idToken)
    for type in Self.types {
      let text = try Self.said(try await exchanged(idToken, for: type, fixture))
      #expect(Self.names("tom", text) == ["saml1", "swt"].contains(type), "\(type): \(text)")
    }
    for entrance in [DoorEntrance.federation, .draft13] {
      let token = try #require(try await fixture.enter(entrance).tokens?.token, "\(entrance)")
      #expect(Self.names("tom", try Self.said(token)), "\(entrance)")
    }
  }

  /// A world whose party has neither a secret nor metadata nor a list of protocols.
  private static func plainWorld(demands: Bool) throws -> DoorWorld {
    var world = try DoorWorld()
    world.party.listedProtocols = nil
    world.party.clientSecret = nil
    world.party.serviceProvider = nil
    world.party.demandsPairwiseIdentifiers = demands
    return world
  }

  @Test(
    "A party without secret, metadata and list: exchanges and grants have one pairwise name, and other tokens the name of the rules unless the file says pairwise",
    arguments: [true, false])
  func plainParty(demands: Bool) async throws {
    let fixture = try DoorFixture(Self.plainWorld(demands: demands))
    let access = try #require(try await fixture.enter(.samlBearer).tokens?.token)
    let name = try Self.subject(access)
    #expect(!Self.common.contains(name))
    for entrance in [DoorEntrance.exchange, .exchangeID, .exchangeActor] {
      let text = try Self.said(try #require(try await fixture.enter(entrance).tokens?.token))
      #expect(Self.names(name, text) && !Self.names("ada", text), "\(entrance): \(text)")
    }
    let resource = try Self.subject(
      try #require(try await fixture.enter(.resource).tokens?.token))
    // WS-Federation keeps the name of the rules.
    for (entrance, isKept) in [(DoorEntrance.federation, false), (.draft13, demands)] {
      let text = try Self.said(try #require(try await fixture.enter(entrance).tokens?.token))
      #expect(Self.names(resource, text) == isKept, "\(entrance): \(text)")
      #expect(Self.names("tom", text) != isKept, "\(entrance): \(text)")
    }
  }

  @Test("What is redeemed as a grant and what is exchanged have the same name of a person")
  func grants() async throws {
    let fixture = try DoorFixture(Self.world(nil))
    let names = try await [DoorEntrance.exchangeID, .samlBearer].asyncMap {
      try Self.subject(try #require(try await fixture.enter($0).tokens?.token, "\($0)"))
    }
    #expect(Set(names).count == 1 && !Self.common.contains(names[0]))
    let others = try await [DoorEntrance.jwtBearer, .grantIn].asyncMap {
      try Self.subject(try #require(try await fixture.enter($0).tokens?.token, "\($0)"))
    }
    #expect(Set(others).count == 1 && others[0] != names[0])
  }
}

/// A form as text, with its escapes read.
private enum FormReaderText {
  static func decoded(_ text: String) -> String {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map {
        (try? FormReader(("x=" + $0).utf8))?["x"] ?? ""
      }
      return parts.joined(separator: "=")
    }.joined(separator: "&")
  }
}

extension Array {
  fileprivate func asyncMap<Result>(
    _ transform: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
