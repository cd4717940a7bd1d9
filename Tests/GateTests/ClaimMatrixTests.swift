import Foundation
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing

@testable import GateService

/// Each use of a claim, with each word of whose statements count, about people of each provider: docs/two-providers.md has the
/// table, which an operator reads, and nothing here says it again.
@Suite("Whose word a claim is: the table of the documentation")
struct ClaimMatrixTests {
  /// What the file does with a claim.
  enum Use: String, CaseIterable {
    case oneOf, noneOf, header, identityToken

    /// The members of the file, with what says whose statements count.
    func members(_ word: String) -> String {
      switch self {
      case .oneOf, .noneOf:
        #""rules": [{"path": "/a", "claim": "role", "\#(rawValue)": ["x"]\#(word)}]"#
      case .header: #""headers": {"X-Role": {"claim": "role"\#(word)}}"#
      case .identityToken:
        #""identityToken": {"header": "X-I", "keys": ["k"], "claims": {"role": {"claim": "role"\#(word)}}}"#
      }
    }
  }

  /// Which issuers there are.
  enum Issuers: String, CaseIterable {
    case one = "one provider"
    case two = "two providers"

    var entries: String {
      let staff = #"{"id": "staff", "openID": {"issuer": "https://a.example", "clientID": "c"}}"#
      let students =
        #"{"id": "students", "openID": {"issuer": "https://b.example", "clientID": "c"}}"#
      return self == .one ? staff : staff + ", " + students
    }
  }

  /// The words of the file, as the table shows them.
  static let words: [(shown: String, member: String)] = [
    ("nothing", ""), ("`\"staff\"`", #", "provider": "staff""#),
    ("`\"any\"`", #", "provider": "any""#),
    ("`[\"staff\", \"students\"]`", #", "provider": ["staff", "students"]"#),
  ]

  /// Who asks: the provider, and whether it stated the role.
  static let people = [("staff", true), ("students", true), ("staff", false), ("students", false)]

  private static func verdict(
    _ use: Use, _ gate: GateConfiguration, _ provider: String, _ isStated: Bool
  ) throws -> String {
    let subject = GateSubject(
      subject: "ada", claims: ClaimSet(isStated ? [Claim("role", "x")] : []), provider: provider,
      issuer: "https://\(provider).example", people: .byProvider)
    switch use {
    case .oneOf, .noneOf:
      let verdict = gate.rules.decide("/a", method: "GET", subject: subject).verdict
      return if case .allow = verdict { "in" } else { "out" }
    case .header:
      return try IdentityHeaders(gate.headers).fields(subject)["X-Role"] == "x" ? "there" : "empty"
    case .identityToken:
      let origin = try HTTPURL("https://app.example/").origin
      let token = try IdentityToken(
        header: "X-I",
        keys: [try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/idp-ec256.key")))],
        settings: SiteSettings(origin: origin, prefix: "/.gate/"), audience: origin,
        members: try #require(gate.identityToken).members)
      let text = try token.token(for: subject, at: Instant(secondsSinceEpoch: 1_000))
      let facts = try JSONWebToken(parsing: Array(text.utf8)).unverifiedFacts
      return facts.claims["role"] == ["x"] ? "there" : "empty"
    }
  }

  /// A row of the table for what the product does.
  private static func row(
    _ issuers: Issuers, _ use: Use, _ word: (shown: String, member: String)
  ) throws -> String {
    let file = """
      {"public": "https://app.example", "listen": "127.0.0.1:1", "people": "by provider",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]}, "providers": [\(issuers.entries)], \(use.members(word.member))}
      """
    let (configuration, errors) = GateConfiguration.read(Array(file.utf8))
    let cells: [String]
    if let gate = configuration {
      cells = try people.map { provider, isStated in
        if issuers == .one, provider == "students" { return "–" }
        return try verdict(use, gate, provider, isStated)
      }
    } else {
      let code = try #require(errors.first).code.rawValue
      cells = people.map { _ in "`\(code)`" }
    }
    let head = [issuers.rawValue, "`\(use.rawValue)`", word.shown]
    return "| " + (head + cells).joined(separator: " | ") + " |"
  }

  @Test("Each cell is what the gate does, and no use, word or issuer is without one")
  func table() throws {
    let path = TestVector.packageRoot.appending(path: "docs/two-providers.md")
    let text = try String(contentsOf: path, encoding: .utf8)
    let documented = text.split(separator: "\n").map(String.init)
      .filter { line in Issuers.allCases.contains { line.hasPrefix("| \($0.rawValue) |") } }
    var made: [String] = []
    for issuers in Issuers.allCases {
      for use in Use.allCases {
        for word in Self.words {
          if issuers == .one, word.shown.contains("students") { continue }
          made.append(try Self.row(issuers, use, word))
        }
      }
    }
    #expect(documented == made)
  }
}
