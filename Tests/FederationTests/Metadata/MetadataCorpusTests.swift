import Federation
import Foundation
import TestSupport
import Testing

/// Metadata of other projects, where the collection is beside the package.
@Suite("The corpus of metadata")
struct MetadataCorpusTests {
  struct Case: Decodable {
    struct Key: Decodable { let file: String? }
    let id: String
    let kind: String
    let file: String
    let expected: String
    let keys: [Key]
  }

  /// The files that are rejected, and why: a root of another name, a time without a zone (SAML Core
  /// 1.3.3 requires UTC).
  static let refused = [
    "python3-saml/metadata/noentity_metadata_settings1.xml": "policy.metadata-root",
    "crewjam-saml/testdata/TestCanParseMetadata_metadata.xml": "time.malformed",
  ]

  /// Its signature over the whole document is in a role, not in the document element (META-5).
  static let signedInside = "python3-saml/metadata/signed_metadata_settings2.xml"

  private let folder = URL(filePath: #filePath).appending(path: "../../../../../shared/corpora")
    .standardizedFileURL

  @Test("Every file is read, verified where a key is known, and linted")
  func corpus() throws {
    guard
      let manifest = try? String(
        contentsOf: folder.appending(path: "MANIFEST.jsonl"), encoding: .utf8)
    else { return print("The corpus is not at \(folder.path); its metadata is not read.") }
    let cases = try manifest.split(separator: "\n").map {
      try JSONDecoder().decode(Case.self, from: Data($0.utf8))
    }.filter { $0.kind == "metadata" }
    #expect(cases.count == 28)
    let now = try Instant(dateTime: "2026-11-21T00:00:00Z")
    for example in cases {
      let bytes = try Array(Data(contentsOf: folder.appending(path: example.file)))
      var code: String?
      var entities: [EntityDescriptor] = []
      do throws(TokenError) {
        var reader = try MetadataReader()
        entities = try reader.consume(bytes) + reader.finish()
        var linter = try MetadataLinter(at: now)
        _ = try linter.consume(bytes) + linter.finish()
      } catch {
        code = error.code.rawValue
      }
      #expect(code == Self.refused[example.id], "\(example.id)")
      if code == nil { #expect(!entities.isEmpty, "\(example.id)") }
      if example.id.hasSuffix("/expired_metadata_settings1.xml") {
        #expect(entities.allSatisfy { $0.hasExpired(at: now) })
      }
      guard example.expected == "valid", let file = example.keys.first?.file else { continue }
      let key = TrustedKey(
        try VerificationKey(pemOrDER: Array(Data(contentsOf: folder.appending(path: file)))),
        exceptions: Set(["sha1", "rsa-sha1", "rsa-small-modulus"].compactMap(LegacyException.init)))
      guard example.id != Self.signedInside else {
        #expect(throws: TokenError(.signatureMissing)) {
          try SignedMetadata(verifying: bytes, keys: [key], at: now)
        }
        continue
      }
      #expect(
        try SignedMetadata(verifying: bytes, keys: [key], at: now).entities.count == 1,
        "\(example.id)")
    }
  }
}
