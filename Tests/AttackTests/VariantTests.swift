import SignInAttack
import TestSupport
import Testing
import TokenBasics

@Suite("The variants")
struct VariantTests {
  private static let protocols = AttackConfiguration.SignInProtocol.allCases

  private func variants(_ name: AttackConfiguration.SignInProtocol) throws -> [AttackVariant] {
    var configuration = try AttackFixture.configuration(name)
    configuration.logout = configuration.start
    configuration.frontChannelLogout = configuration.start
    configuration.second = configuration.start
    configuration.rereading = AttackConfiguration.Rereading(nil, seconds: 30)
    let provider = RogueProvider(configuration, try AttackFixture.keys.get())
    return try VariantList.all(of: provider)
  }

  @Test("Each has an identifier of its own, a clause and a meaning", arguments: protocols)
  func whole(name: AttackConfiguration.SignInProtocol) throws {
    let variants = try variants(name)
    #expect(variants.count > (name == .openID ? 150 : 365))
    #expect(Set(variants.map(\.id)).count == variants.count)
    for variant in variants {
      #expect(!variant.summary.isEmpty && !variant.clause.isEmpty && !variant.meaning.isEmpty)
      #expect(!variant.clause.hasPrefix("the format's own"), "\(variant.id)")
      #expect(variant.severityIfGenuine <= variant.severity)
    }
  }

  @Test("A genuine signature in another place is less than none")
  func structural() throws {
    let variants = try variants(.saml20)
    func rule(_ id: String) -> AttackVariant? { variants.first { $0.id == id } }
    for id in ["signature/key-info-first", "signature/repeated", "signature/two-SignatureValue"] {
      #expect(rule(id)?.severity == .error && rule(id)?.severityIfGenuine == .note, "\(id)")
    }
    #expect(rule("signature/removed")?.severityIfGenuine == .error)
  }

  @Test("Those of a run are the same each time", arguments: protocols)
  func same(name: AttackConfiguration.SignInProtocol) throws {
    #expect(try variants(name).map(\.id) == variants(name).map(\.id))
  }

  @Test(
    "Variants are chosen by name, family and severity, and a name that is none, or a choice of none, is told"
  )
  func chosen() throws {
    let all = try variants(.openID)
    func ids(
      _ only: [String], _ skipped: [String] = [], _ least: AttackVariant.Severity = .note
    ) throws -> [String] {
      try VariantList.chosen(from: all, only: only, skipping: skipped, least: least).map(\.id)
    }
    #expect(try ids([]) == all.map(\.id))
    #expect(try ids(["state/other", "nonce/"]) == ["state/other", "nonce/absent", "nonce/other"])
    #expect(try ids(["nonce/"], ["nonce/absent"]) == ["nonce/other"])
    #expect(try ids(["state/"], [], .error) == ["state/absent", "state/other"])
    #expect(throws: TokenError(.attackVariant)) { _ = try ids(["state"]) }
    #expect(throws: TokenError(.attackVariant)) { _ = try ids([], ["unknown/"]) }
    #expect(throws: TokenError(.attackVariant)) { _ = try ids(["nonce/"], ["nonce/"]) }
    #expect(throws: TokenError(.attackVariant)) { _ = try ids(["state/twice"], [], .error) }
  }

  @Test("Each is written as one line of JSON")
  func record() throws {
    let variant = try #require(try variants(.saml20).first { $0.id == "wrapping/nested" })
    var json = JSONWriter()
    AttackRecord.write(variant, of: .saml20, to: &json)
    let read = try JSONParser.parse(json.bytes)
    #expect(read["id"]?.string == "wrapping/nested" && read["protocol"]?.string == "saml20")
    #expect(read["severity"]?.string == "error" && read["attacks"]?.array?.isEmpty == false)
    #expect(read["clause"]?.string?.isEmpty == false && read["meaning"]?.string?.isEmpty == false)
  }
}
