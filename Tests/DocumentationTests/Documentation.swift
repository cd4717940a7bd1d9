import Claims
import Foundation
import SecurityKeys
import TestCatalogue
import TestSupport
import TokenBasics

/// The parts of the documentation that the code writes.
enum Documentation {
  static let readme = TestVector.packageRoot.appending(path: "README.md")
  static let library = TestVector.packageRoot.appending(path: "docs/library.md")
  static let secureDefaults = TestVector.packageRoot.appending(path: "docs/secure-defaults.md")
  static let threatModel = TestVector.packageRoot.appending(path: "docs/threat-model.md")
  static let claimNames = TestVector.packageRoot.appending(path: "docs/claim-names.md")
  static let errors = TestVector.packageRoot.appending(path: "docs/errors.md")

  /// README, and every page in docs and its folders.
  static var pages: [(URL, String)] {
    get throws {
      let docs = TestVector.packageRoot.appending(path: "docs")
      let names = try FileManager.default.subpathsOfDirectory(atPath: docs.path())
      return try [(readme, text(readme))]
        + names.filter { $0.hasSuffix(".md") }.map { name in
          let page = docs.appending(path: name)
          return (page, try text(page))
        }
    }
  }

  static func text(_ url: URL) throws -> String {
    try String(contentsOf: url, encoding: .utf8)
  }

  /// `docs/errors.md`: a section for each code.
  static var errorPages: String {
    var text = """
      # Error codes

      Each code has one cause and stays the same across releases. It stands in `error.code` of the
      command's output and in `TokenError.code`. Beside it stand, where they are known, `node` (the
      place: a path such as `/Response/Assertion[1]`, a byte or a line), `expected` and `found`.
      `claims explain` shows the same for a person to read, with every check that was made before.

      """
    var family = ""
    for code in ErrorCatalogue.codes {
      if code.family != family {
        family = code.family
        text += "\n## \(family)\n"
        if let more = SeeMore.text(ofFamily: family) {
          text += "\n*How to see more:* \(more).\n"
        }
      }
      text += "\n### \(code.rawValue)\n\n\(code.summary.capitalizedFirst).\n\n"
      text += "*What to do:* \(code.hint).\n"
      if let more = SeeMore.text(of: code) {
        text += "\n*How to see more:* \(more).\n"
      }
      if let tests = checkTests[code.rawValue] {
        text += "\n*Test:* \(tests.map { "`\($0)`" }.joined(separator: ", ")).\n"
      }
    }
    return text
  }

  /// The files of tests of the check that refuses with a code: each check of tokens has one, in a folder `Checks`.
  static let checkTests: [String: [String]] = {
    var tests: [String: [String]] = [:]
    for source in CodeTests.sources(below: "Tests") where source.path.contains("/Checks/") {
      let words = CodeTests.members(of: source.text)
      for (name, code) in CodeTests.declared where words.contains(name) {
        tests[code, default: []].append(String(source.path.dropFirst("Tests/".count)))
      }
    }
    return tests
  }()

  /// The table of `docs/claim-names.md`.
  static var claimNamesTable: String {
    let rows = ClaimName.all.map { name in
      let names = name.names.map { "`\($0)`" }.joined(separator: ", ")
      return "| \(names) | " + name.types.map { "`\($0.name)`" }.joined(separator: " ") + " |"
    }
    return (["| name | types, in the order in which they count |", "| --- | --- |"] + rows)
      .joined(separator: "\n")
  }

  /// The table of docs/secure-defaults.md.
  static var defaultsTable: String {
    let limits = Limits()
    let inLimits = "`limits` of a trust file"
    let rows = [
      [
        "Audience", "required in every token, compared as bytes",
        "`--allow-any-audience`; a trust file has no such switch",
      ],
      [
        "Clock skew", "\(Trust.defaultSkew) s, at most \(Trust.skewRange.upperBound) s",
        "`--skew`, `skew`",
      ],
      [
        "Signature algorithms", names(SignatureAlgorithmNames.modern),
        "`algorithms` of an issuer, to fewer",
      ],
      [
        "Refused unless allowed by name", names(SignatureAlgorithmNames.exceptions),
        "`--allow-algorithm`, `algorithms` of an issuer; each use is a warning",
      ],
      [
        "Expired certificate around a trusted key", "used, with a warning",
        "tightened by `--certificate-dates enforce`, `certificateDates`",
      ],
      ["Size of a token", "\(limits.bytes >> 20) MiB, also after inflating", inLimits],
      [
        "XML",
        "depth \(limits.depth), \(limits.elements) elements, \(limits.names) different names, "
          + "\(limits.attributes) attributes and \(limits.namespaces) namespace declarations an "
          + "element", inLimits,
      ],
      [
        "XML Signature",
        "\(limits.transforms) transforms, \(limits.inclusivePrefixes) listed prefixes; "
          + "\(limits.references) references outside SAML, exactly one in SAML", inLimits,
      ],
      [
        "JSON Web Encryption",
        names(KeyManagement.allCases.filter { $0.exception == nil }.map(\.name)) + "; "
          + names(ContentEncryption.allCases.map(\.name))
          + "; a signed token inside, never compressed, never with a password",
        "`encryptionAlgorithms` of a trust file, to fewer; `RSA1_5` by the name `rsa-1_5`",
      ],
      [
        "SD-JWT",
        "`typ` `dc+sd-jwt`, signatures of private keys alone; a key binding at most 300 s old",
        "`vc+sd-jwt` by that name",
      ],
      [
        "XML Encryption",
        "\(limits.encryptedKeys) encrypted keys beside the data, \(limits.privateKeyOperations) "
          + "private-key operations a token", inLimits,
      ],
      [
        "Simple Web Token", "\(limits.pairs) pairs, a name twice is refused",
        "\(inLimits); a name twice never",
      ],
      [
        "JSON",
        "depth \(limits.jsonDepth), \(limits.jsonMembers) members an object, a name twice is refused",
        "\(inLimits); a name twice never",
      ],
    ]
    return "| what | default | changed by |\n| --- | --- | --- |\n"
      + rows.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  private static func names(_ list: [String]) -> String {
    list.map { "`\($0)`" }.joined(separator: ", ")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
