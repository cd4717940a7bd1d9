import Federation
import SAML
import Testing

@Suite("Endpoints of metadata")
struct EndpointTests {
  static func endpoint(_ location: String, response: String? = nil) throws -> MetadataEndpoint {
    let more = response.map { " ResponseLocation=\"\($0)\"" } ?? ""
    let text = """
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:x">
      <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
      <SingleSignOnService Binding="b" Location="\(location)"\(more)/></IDPSSODescriptor>
      </EntityDescriptor>
      """
    var reader = try MetadataReader()
    let entities = try reader.consume(Array(text.utf8)) + reader.finish()
    return try #require(entities.first?.roles.first?.endpoints.first)
  }

  @Test(
    "META-9: an https address is used",
    arguments: [
      "https://idp.example/sso", "HTTPS://idp.example", "https://idp.example:8443/a?b=c#d",
      "https://[2001:db8::1]:443/", "https://idp.example:443", " https://idp.example/ ",
    ])
  func sound(location: String) throws {
    #expect(try Self.endpoint(location).problem == nil)
  }

  @Test(
    "META-9: any other address is data, with the reason",
    arguments: [
      ("javascript:alert(1)", EndpointProblem.scheme), ("data:text/html,x", .scheme),
      ("file:///etc/passwd", .scheme), ("http://idp.example/sso", .notEncrypted),
      ("https://a@idp.example/", .userInformation), ("https://idp.example:22/", .port),
      ("https://idp.example:/", .port), ("https://idp.example:443x/", .port),
      ("https://idp.example:99999999999999999999/", .port), ("/sso", .relative),
      ("idp.example/sso", .relative), ("//idp.example/sso", .relative), ("", .empty),
      ("https:idp.example", .noHost), ("https://", .noHost), ("https:///x", .noHost),
      ("https://:443/", .noHost), ("https://[]/", .noHost), ("https://[::1/", .noHost),
      ("https://idp.example/a b", .characters), ("https://idp.example/&#13;&#10;x", .characters),
      ("https:\\\\idp.example", .characters), ("https://idp.exämple/", .characters),
      ("https://idp.example/\(String(repeating: "a", count: 100_000))", .tooLong),
    ])
  func refused(location: String, problem: EndpointProblem) throws {
    #expect(try Self.endpoint(location).problem == problem)
  }

  @Test("META-9: the address of the responses counts too")
  func responses() throws {
    #expect(try Self.endpoint("https://a.example/", response: "https://a.example/b").problem == nil)
    #expect(
      try Self.endpoint("https://a.example/", response: "http://b.example/").problem
        == .notEncrypted)
  }
}
