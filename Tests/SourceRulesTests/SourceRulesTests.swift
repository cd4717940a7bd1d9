import Foundation
import TestSupport
import Testing

/// Rules about the sources that the compiler does not check.
@Suite("The sources keep the rules")
struct SourceRulesTests {
  struct Source: Sendable {
    let module: String
    let path: String
    let lines: [String]
  }

  static let sources: [Source] = {
    let root = TestVector.packageRoot.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: root.path())?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
      return Source(
        module: String(path.prefix { $0 != "/" }), path: path,
        lines: text.components(separatedBy: "\n"))
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
      ("CByteVectors", "Octets"),
    ])
  func fences(library: String, module: String) {
    let strays = Self.lines(matching: "import \(library)\\b") { $0.module != module }
    #expect(strays == [])
    #expect(!Self.lines(matching: "import \(library)\\b") { $0.module == module }.isEmpty)
  }

  @Test(
    "SW-16: Only two libraries import Foundation; there is no second XML parser")
  func foundation() {
    let foundation = #"import Foundation(?!Essentials)"#
    let modules = ["URLSessionTransport", "FederationFoundation"]
    #expect(Self.lines(matching: foundation) { !modules.contains($0.module) } == [])
    for module in modules {
      #expect(!Self.lines(matching: foundation) { $0.module == module }.isEmpty)
      #expect(Self.lines(matching: "import \(module)\\b") { _ in true } == [])
    }
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
    // The second reads no request: it says of text given as a token that it is a whole header field.
    let allowed = [
      "ForwardAuthentication/Requests/ProxyKind.swift", "Federation/WireForms/HeaderField.swift",
    ]
    let headers = Self.lines(matching: "(?i)X-Forwarded|X-Remote|REMOTE_USER|X-Client-Cert") {
      !allowed.contains($0.path)
    }
    #expect(headers == [])
  }

  @Test("GATE-24: Identifiers come from the system's generator; only pauses are random otherwise")
  func randomness() {
    // The standard library's, by the labels that it has; a method of our own draws from RandomOctets.
    let pattern =
      #"\.random\((in:|using:|\)|$)|arc4random|SystemRandomNumberGenerator|\brand\(\)"#
    let vocabulary = ["Octets", "XMLTree", "SecurityKeys"]
    let strays = Self.lines(matching: pattern) { !vocabulary.contains($0.module) }
    #expect(strays.allSatisfy { $0.contains("Double.random(in: 0..<1)") }, "\(strays)")
  }

  @Test("Identifiers are never compared as Swift strings by a literal case-insensitive helper")
  func comparisons() {
    // Names that people type, values that a rule keeps out, and the digits of an escape that a capture writes: none
    // of them lets anybody in.
    let widening = ["SignInSite+Choice.swift", "GateRule.swift", "ReversibleText.swift"]
    #expect(
      Self.lines(matching: "lowercased\\(\\)|uppercased\\(\\)|caseInsensitive") { source in
        source.module != "ClaimsCommand" && !widening.contains(where: source.path.hasSuffix)
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
      "AmpersandForm.swift", "Codes+XML.swift", "UsualSuspects.swift",
      "SAMLMutator+References.swift", "SAMLMutator+Documents.swift",
    ]
    let found = Self.lines(matching: pattern) { source in
      !(homes + others).contains(where: source.path.hasSuffix)
    }
    #expect(found == [])
    for home in homes {
      #expect(!Self.lines(matching: pattern) { $0.path.hasSuffix(home) }.isEmpty, "\(home)")
    }
  }

  @Test("Modules import only downwards")
  func layers() {
    let rank = [
      "TokenErrors": 0, "Octets": 1, "Instants": 2, "StrictJSON": 2, "LocalFiles": 4,
      "SecurityKeys": 3, "XMLTree": 3, "HTTPExchange": 3, "Claims": 4, "SimpleWebTokens": 5,
      "JSONWebTokens": 5, "XMLSecurity": 5, "SAML": 6, "Federation": 7, "TokenMutation": 8,
      "TokenPages": 8,
      "BrowserExchange": 4, "IssuerRegistry": 8, "FederationClient": 9, "SingleSignOn": 9,
      "SignIn": 10, "TokenService": 8, "ServiceConfiguration": 4, "ForwardAuthentication": 8,
      "GateDoctor": 9,
      "GateService": 11, "AccessControl": 11, "ProviderAssembly": 12, "HummingbirdFederation": 12,
      "SQLiteSessions": 11, "RedisProtocol": 2, "RedisStores": 10, "RedisConnections": 11,
      "CommandSupport": 5, "CommandServer": 12, "GateCommand": 13, "AccessControlCommand": 13,
      "ClaimsCommand": 9,
      "AsyncHTTPClientTransport": 10, "URLSessionTransport": 10,
      "SocialFeeds": 10,
      "FederationTelemetry": 10, "LoopbackListener": 10, "ClientCommand": 11,
    ]
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
