import Foundation
import TestSupport
import Testing

/// Rules about the sources that the compiler does not check.
@Suite("The sources keep the rules")
struct SourceRulesTests {
  struct Source: Sendable {
    let module: String
    /// The path from the folder of the module on.
    let path: String
    let lines: [String]
  }

  static let sources: [Source] = {
    let root = TestVector.packageRoot.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: root.path())?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix(".swift") }.sorted().map { file in
      let text = (try? String(contentsOf: root.appending(path: file), encoding: .utf8)) ?? ""
      let path = file.split(separator: "/").dropFirst().joined(separator: "/")
      return Source(
        module: String(path.prefix { $0 != "/" }), path: path,
        lines: text.components(separatedBy: "\n"))
    }
  }()

  /// The modules of the product in the order of their rows in Package.swift, lowest first.
  static let rows: [String] = {
    let manifest = TestVector.packageRoot.appending(path: "Package.swift")
    let text = (try? String(contentsOf: manifest, encoding: .utf8)) ?? ""
    let layers = text.matches(of: #/\n  "Sources\/[\S\s]*?\n\)/#).map(\.output)
    return layers.joined().matches(of: #/\b(?:module|program)\(\s*"(\w+)"/#).map {
      String($0.output.1)
    }
  }()

  /// Lines of code that match, comments left out.
  static func lines(matching pattern: String, where isWanted: (Source) -> Bool) -> [String] {
    guard let regex = try? Regex(pattern) else { return ["bad pattern"] }
    return sources.filter(isWanted).flatMap { source in
      source.lines.enumerated().compactMap { number, line in
        let code = line.trimmingCharacters(in: .whitespaces)
        guard !code.hasPrefix("//"), code.contains(regex) else { return nil }
        return "\(source.path):\(number + 1): \(code)"
      }
    }
  }

  @Test("There are sources to check")
  func found() {
    #expect(Self.sources.count > 50)
  }

  @Test(
    "Each C library is imported by one module",
    arguments: [
      ("CLibXML2", "XMLTree"), ("COpenSSL", "SecurityKeys"), ("CZlib", "Federation"),
      ("COctets", "Octets"),
    ])
  func fences(library: String, module: String) {
    let strays = Self.lines(matching: "import \(library)\\b") { $0.module != module }
    #expect(strays == [])
    #expect(!Self.lines(matching: "import \(library)\\b") { $0.module == module }.isEmpty)
  }

  @Test(
    "SW-16: One library imports Foundation, and none imports it; there is no second XML parser")
  func foundation() {
    let foundation = #"import Foundation(?!Essentials)"#
    let module = "FederationFoundation"
    #expect(Self.lines(matching: foundation) { $0.module != module } == [])
    #expect(!Self.lines(matching: foundation) { $0.module == module }.isEmpty)
    #expect(Self.lines(matching: "import \(module)\\b") { _ in true } == [])
    #expect(Self.lines(matching: "XMLParser|FoundationXML|XMLDocument") { _ in true } == [])
  }

  @Test("Nothing but the validator makes a Verified")
  func verified() {
    let makers = Self.lines(matching: #"\bVerified(<\w+>)?\("#) { $0.module != "XMLSecurity" }
    #expect(makers.count == 1)
    #expect(makers.first?.hasPrefix("Claims/Validation/TokenValidator.swift") ?? false)
  }

  @Test("A signed element is made where a signature was verified")
  func signedElement() {
    let makers = Self.lines(matching: #"\bSignedElement\(element:"#) { _ in true }
    #expect(makers.count == 1)
    #expect(makers.first?.hasPrefix("XMLSecurity/Signature/SignedElement.swift") ?? false)
  }

  @Test(
    "SW-17: No explicit trap is in the sources",
    arguments: [
      #"\btry!"#, #"\bas!"#, #"\bfatalError\("#, #"\bprecondition"#, #"\bassert\("#,
      #"unsafelyUnwrapped|unsafeBitCast"#, #"[\w\)\]]!(?!=)(\.|\)|\s|$|\[)"#,
    ])
  func traps(pattern: String) {
    #expect(Self.lines(matching: pattern) { _ in true } == [])
  }

  @Test("SW-14, REF-11: libxml2 never gets an option that changes or loads a document")
  func parserOptions() {
    let forbidden =
      "XML_PARSE_(NOENT|DTDLOAD|DTDATTR|DTDVALID|RECOVER|HUGE|XINCLUDE|NOBLANKS|NOCDATA|OLD10)"
      + "|xmlGetID|xmlGetProp|xmlXPath|xmlXInclude|xmlC14N"
    #expect(Self.lines(matching: forbidden) { _ in true } == [])
  }

  @Test(
    "RP-23, GATE-1: No header of a proxy identifies a user; one file names those that the gate reads"
  )
  func identityHeaders() {
    let allowed = [
      "GateService/Requests/ProxyKind.swift",
      // The table of what may reach an application, and the doctor, which forges such headers.
      "GateService/Passage/PassageTable.swift",
      "GateService/Doctor/Checks/GateDoctor+Targets.swift",
      // The network address that the limits of acs count for: it identifies nobody.
      "AccessControl/Configuration/ProxyPeers.swift",
      // A file that is written for somebody who begins, and what the import of another gate's file says.
      "GateCommand/GateStart.swift", "GateService/Import/OAuth2ProxyImport.swift",
    ]
    // Recipes are text for proxies, which set these headers.
    let headers = Self.lines(matching: "(?i)X-Forwarded|X-Remote|REMOTE_USER|X-Client-Cert") {
      !allowed.contains($0.path) && !$0.path.hasPrefix("GateService/Recipes/")
    }
    #expect(headers == [])
  }

  @Test("GATE-24: Identifiers come from the system's generator; only pauses are random otherwise")
  func randomness() {
    // The standard library's, by the labels that it has; a method of our own draws from RandomSource.
    let pattern =
      #"\.random\((in:|using:|\)|$)|arc4random|SystemRandomNumberGenerator|\brand\(\)"#
    let vocabulary = ["Octets", "XMLTree", "SecurityKeys"]
    let strays = Self.lines(matching: pattern) { !vocabulary.contains($0.module) }
    #expect(strays.allSatisfy { $0.contains("Double.random(in: 0..<1)") }, "\(strays)")
  }

  @Test("Identifiers are never compared as Swift strings by a literal case-insensitive helper")
  func comparisons() {
    // Names that people type, the name that a misspelt one meant, values that a rule keeps out, the digits of an escape
    // that a capture writes, and what a text is that somebody pasted: none of them lets anybody in.
    let widening = [
      "ClaimName.swift", "ProviderSearch.swift", "Spelling.swift",
      "GateRule.swift", "ReversibleText.swift", "MustachePages.swift",
    ]
    #expect(
      Self.lines(matching: "lowercased\\(\\)|uppercased\\(\\)|caseInsensitive") { source in
        source.module != "ClaimsCommand" && !widening.contains(where: source.path.hasSuffix)
          && !source.path.hasPrefix("TokenBasics/Recognition/")
      } == [])
  }

  @Test(
    "A rule of text has one home",
    arguments: [
      // What writes or reads the escapes of markup.
      (#"&(amp|lt|gt|quot|apos|#39|#x9|#xA|#xD);|"(amp|quot)""#, ["Text/MarkupEscaping.swift"]),
      // The digits of base 16.
      (#"(?i)"0123456789abcdef"#, []),
      // What a person cannot see.
      (
        #"isDefaultIgnorable|generalCategory (==|!=)|case \.control|0x7F\.\.\.0x9F"#,
        ["Text/HiddenCharacter.swift"]
      ),
      // A namespace in scope, written around XML.
      (
        #"xmlns:\\\("#,
        ["Writing/NamespaceScope.swift", "Documents/DocumentView.swift"]
      ),
      // A member of JSON, written by a function of its own.
      (
        #"func \w+\(_ name: \w+, _ \w+: String\??, _ json: inout JSONWriter\)|func (optional|pair)\(_ name: Static"#,
        []
      ),
    ] as [(String, [String])])
  func textRules(pattern: String, homes: [String]) {
    // What libxml2 makes of an ampersand, a summary that names the references, a guess at what a signer left out, and
    // variants of tokens, which are spelled oddly on purpose.
    let others = [
      "AmpersandForm.swift", "Codes+XML.swift", "DigestDiagnosis.swift",
      "SAMLMutator+SignatureStructure.swift", "SAMLMutator+Documents.swift",
    ]
    let found = Self.lines(matching: pattern) { source in
      // What a text is that somebody pasted is told by such marks too.
      !(homes + others).contains(where: source.path.hasSuffix)
        && !source.path.hasPrefix("TokenBasics/Recognition/")
    }
    #expect(found == [])
    for home in homes {
      #expect(!Self.lines(matching: pattern) { $0.path.hasSuffix(home) }.isEmpty, "\(home)")
    }
  }

  @Test("Modules import only those whose rows in Package.swift come before their own")
  func layers() {
    var rank: [String: Int] = [:]
    for (place, module) in Self.rows.enumerated() { rank[module] = place }
    #expect(Set(Self.sources.map(\.module)).subtracting(rank.keys) == [])
    for source in Self.sources {
      for line in source.lines where line.contains(#/^\s*(public |package |@_exported )*import /#) {
        let imported = line.split(separator: " ").last.map(String.init) ?? ""
        guard let low = rank[imported], let high = rank[source.module] else { continue }
        #expect(low < high, "\(source.path) imports \(imported)")
      }
    }
  }

  @Test("No file has grown beyond 400 lines")
  func sizes() {
    #expect(Self.sources.filter { $0.lines.count > 400 }.map(\.path) == [])
  }
}
