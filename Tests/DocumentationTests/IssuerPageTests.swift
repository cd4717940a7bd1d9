import Federation
import Foundation
import TestCatalogue
import TestSupport
import Testing

/// `Tests/Documentation/commands.py` types the commands of these pages; the gate's files are read in `GateTests`.
@Suite("The pages of docs/issuers agree with the code")
struct IssuerPageTests {
  /// The files that the trust files name.
  struct Files: FileSource {
    static let known = [
      "idp.crt": "keys/idp-rsa.crt", "signer.crt": "keys/idp-rsa.crt",
      "keys.json": "keys/jwks.json", "acs.key": "keys/acs.key", "ours.key": "keys/rp-rsa.key",
    ]
    /// With `signedBy` the metadata has to be signed.
    let isSigned: Bool

    func read(_ path: String) throws(TokenError) -> [UInt8] {
      let metadata = isSigned ? "metadata/signed.xml" : "issuers/adfs-metadata.xml"
      return try VectorFiles().read(Self.known[path] ?? (path == "idp.xml" ? metadata : path))
    }
  }

  static func trustFile(_ page: IssuerPage) throws -> String {
    let files = page.blocks("json").filter { $0.contains("\"issuers\"") }
    #expect(files.count == 1)
    return try #require(files.first)
  }

  @Test("The trust file of a page is read without error or warning", arguments: IssuerPage.all)
  func trustFiles(page: IssuerPage) throws {
    let text = try Self.trustFile(page)
    let file = TrustFile(
      parsing: Array(text.utf8), files: Files(isSigned: text.contains("signedBy")))
    #expect(file.errors.isEmpty, "\(file.errors)")
    #expect(file.warnings.isEmpty, "\(file.warnings)")
    #expect(try !file.get().issuers.isEmpty)
  }

  @Test("A misspelt member in the trust file of a page is refused", arguments: IssuerPage.all)
  func misspelt(page: IssuerPage) throws {
    let text = try Self.trustFile(page).replacing("\"formats\"", with: "\"format\"")
    let file = TrustFile(
      parsing: Array(text.utf8), files: Files(isSigned: text.contains("signedBy")))
    #expect(!file.errors.isEmpty)
  }

  @Test("The Swift lines of a page are those that compile", arguments: IssuerPage.all)
  func swiftLines(page: IssuerPage) throws {
    let examples = try Documentation.text(
      TestVector.packageRoot.appending(path: "Tests/SignInTests/Site/IssuerExamples.swift"))
    let blocks = page.blocks("swift")
    #expect(blocks.count == 1)
    let lines = try #require(blocks.first).split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    let method = try #require(examples.range(of: "func \(page.name)("))
    let end = try #require(
      examples.range(of: "    return provider", range: method.upperBound..<examples.endIndex))
    #expect(examples[method.upperBound..<end.lowerBound].hasSuffix("-> SignInProvider {\n" + body))
  }

  @Test("Every page has the same sections", arguments: IssuerPage.all)
  func sections(page: IssuerPage) {
    let titles = page.text.matches(of: /(?m)^## (.+)$/).map { String($0.1) }
    #expect(titles.count == 5 && titles.first?.hasPrefix("At ") == true)
    #expect(
      titles.dropFirst().dropLast() == ["Here", "What is different here", "Replacing keys"])
    #expect(titles.last?.hasPrefix("Without ") == true)
  }

  @Test("Every code on a page exists", arguments: IssuerPage.all)
  func codes(page: IssuerPage) throws {
    let known = Set(ErrorCatalogue.codes.map(\.rawValue))
    let families = Set(ErrorCatalogue.codes.map(\.family))
    let index = try Documentation.text(IssuerPage.folder.appending(path: "README.md"))
    for found in (page.text + index).matches(of: /`([a-z]+)\.([a-z0-9-]+)`/) {
      let (family, code) = (String(found.1), "\(found.1).\(found.2)")
      guard families.contains(family), !["xml", "crt", "json", "key"].contains(String(found.2))
      else { continue }
      #expect(known.contains(code), "\(code)")
    }
  }

  @Test("The vectors on a page are of the manifest, with the codes that the page says")
  func vectors() {
    let vectors = Dictionary(
      uniqueKeysWithValues: TestVector.all.filter { $0.id.hasPrefix("issuers/") }
        .map { ($0.id, $0) })
    for page in IssuerPage.all {
      let text = page.blocks("sh").joined()
      var verdicts: Set<Bool> = []
      for found in text.matches(of: /TestVectors\/(issuers\/[a-z0-9-]+)\.[a-z]+(?:  # (\S+))?/) {
        let vector = vectors[String(found.1)]
        #expect(vector != nil, "\(found.1)")
        #expect(vector?.code == found.2.map { String($0) }, "\(found.1)")
        if let vector { verdicts.insert(vector.accepts) }
      }
      #expect(verdicts == [true, false], "\(page): one that is accepted and one that is not")
    }
  }

  @Test("The index links every page")
  func index() throws {
    let index = try Documentation.text(IssuerPage.folder.appending(path: "README.md"))
    for page in IssuerPage.all { #expect(index.contains("](\(page.name).md)"), "\(page)") }
  }
}
