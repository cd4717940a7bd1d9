import Federation
import Foundation
import Settings
import SignInAttack
import TestSupport
import Testing

/// A configuration file whose members are declared.
struct SettingsPage: CustomTestStringConvertible, Sendable {
  /// The name of the schema, and of the tables.
  let name: String
  let title: String
  let page: String
  let settings: @Sendable () -> SettingsDescription

  var testDescription: String { name }

  static let all: [Self] = [
    Self(
      name: "trust", title: "Whom to trust: the trust file of claims", page: "trust-file.md",
      settings: { TrustFile.settings }),
    Self(
      name: "attack", title: "How claims-attack tests a service", page: "test-your-sign-in.md",
      settings: { AttackConfiguration.settings }),
  ]
}

/// With `UPDATE_DOCUMENTATION=1` in the environment the schemas and tables are written anew.
@Suite("Schemas and tables of the configuration files are those of the readers")
struct SettingsTests {
  @Test("The JSON Schema is what the reader declares", arguments: SettingsPage.all)
  func schema(page: SettingsPage) throws {
    let file = TestVector.packageRoot.appending(
      path: "docs/schemas/\(page.name).schema.json")
    let schema = page.settings().schema(named: file.lastPathComponent, title: page.title)
    if DocumentationTests.updates {
      try schema.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try Documentation.text(file) == schema)
    _ = try JSONSerialization.jsonObject(with: Data(schema.utf8))
  }

  @Test("Each table of members is what the reader declares", arguments: SettingsPage.all)
  func tables(page: SettingsPage) throws {
    let file = TestVector.packageRoot.appending(path: "docs/\(page.page)")
    let settings = page.settings()
    let text = try Documentation.text(file)
    var renewed = ""
    var rest = text[...]
    var count = 0
    while let open = rest.firstRange(of: "<!-- settings \(page.name)"),
      let end = rest[open.upperBound...].firstRange(of: " -->\n"),
      let close = rest[end.upperBound...].firstRange(of: "<!-- /settings -->")
    {
      let path = rest[open.upperBound..<end.lowerBound].split(whereSeparator: { ". ".contains($0) })
      let table = try #require(settings.table(at: path.map(String.init)), "\(path)")
      renewed += rest[..<end.upperBound] + table + "\n"
      rest = rest[close.lowerBound...]
      count += 1
    }
    renewed += rest
    #expect(count > 0)
    if DocumentationTests.updates {
      try renewed.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try Documentation.text(file) == renewed)
  }
}
