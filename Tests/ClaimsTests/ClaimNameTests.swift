import Testing
import TokenBasics

@testable import Claims

@Suite("Names of claims")
struct ClaimNameTests {
  @Test("A short name means the types of its row, whatever its spelling")
  func named() {
    #expect(ClaimName.named("group") == .groups && ClaimName.named("Groups") == .groups)
    #expect(ClaimName.named("memberOf") == .groups && ClaimName.named("roles") == .roles)
    #expect(
      ClaimName.named("given name") == .firstName && ClaimName.named("given_name") == .firstName)
    #expect(ClaimName.named("mail") == .email)
    #expect(ClaimName.types("Role").contains("Role") && ClaimName.types("Role").contains("roles"))
  }

  @Test("A URI, an OID and an unknown name mean themselves alone")
  func exact() {
    let uri = ClaimType.emailAddress.name
    for name in [uri, "urn:oid:2.5.4.42", "team"] {
      #expect(ClaimName.named(name) == nil)
      #expect(ClaimName.types(name) == [ClaimType(name)])
    }
  }

  @Test("No type means two claims, and no name either")
  func unique() {
    let types = ClaimName.all.flatMap(\.types)
    #expect(Set(types).count == types.count)
    let names = ClaimName.all.flatMap(\.names)
    #expect(Set(names).count == names.count)
  }

  @Test("Of several types that a token has, the first of the table counts")
  func order() {
    let claims = ClaimSet([Claim("group", "a"), Claim("groups", "b"), Claim("groups", "c")])
    #expect(claims[.groups] == ["b", "c"])
    #expect(claims[.email] == [])
  }

  @Test("A path leads into nested members, with and without dots in their names")
  func paths() throws {
    let claims = ClaimSet([
      Claim("realm_access", #"{"roles": ["admin", "user", 7, null]}"#, valueType: Claim.jsonType),
      Claim("resource_access", #"{"my.app": {"roles": "editor"}}"#, valueType: Claim.jsonType),
    ])
    func values(_ text: String) -> [String] {
      ClaimPath(ClaimType(text))?.values(in: claims) ?? ["no path"]
    }
    #expect(values("realm_access.roles") == ["admin", "user", "7"])
    #expect(values("resource_access.my.app.roles") == ["editor"])
    let type = try #require(ClaimPath.type(["resource_access", "my.app", "roles"]))
    #expect(ClaimPath(type)?.values(in: claims) == ["editor"])
    let wrong = try #require(ClaimPath.type(["resource_access", "my", "app", "roles"]))
    #expect(ClaimPath(wrong)?.values(in: claims) == [])
    #expect(values("realm_access.other") == [] && values("realm_access") == ["no path"])
    #expect(values("https://acme.example/groups") == ["no path"])
  }

  @Test("The names of one issuer come before those of the table")
  func sources() throws {
    var refused: [String] = []
    let text =
      #"{"groups": [["realm_access", "roles"], "https://acme.example/groups"], "email": "contact"}"#
    let sources = ClaimSources(try JSONParser.parse(Array(text.utf8))) { refused.append($1) }
    #expect(refused.isEmpty)
    let types = sources.types(for: ClaimName.types("group"))
    #expect(types.count == ClaimName.groups.types.count + 2)
    #expect(types[1] == "https://acme.example/groups")
    #expect(sources.types(for: ClaimName.types("mail")).first == "contact")
    #expect(sources.types(for: [.role]) == [.role], "a URI means that type alone")
    for wrong in [#"{"groups": []}"#, #"{"groups": [["one"]]}"#, #"{"groups": 7}"#, "[]"] {
      _ = ClaimSources(try JSONParser.parse(Array(wrong.utf8))) { refused.append($1) }
    }
    #expect(refused.count == 4)
  }
}
