import Foundation
import LocalFiles
import Testing
import TokenBasics

@Suite("What messages say of a text that stands where a file is meant")
struct ShownPathTests {
  /// Texts that people put where a file is meant.
  static let secrets = [
    "correct horse battery staple", "hmac:c2VjcmV0", "deadbeef0123456789abcdef",
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2kifQ.c2lnbmF0dXJl",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----",
    "AKIAIOSFODNN7EXAMPLE", "c2VjcmV0L2tleSt3aXRoL3NsYXNoZXM=", "/9j/4AAQSkZJRgABAQEAYABgAAD",
    "<Assertion ID=\"_a\"/>", "{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}",
    "Audience=a&HMACSHA256=MTIzNDU2Nzg%3d", "https://user:secret@host.example/keys.json",
    "eyJhbGciOiJub25lIn0.eyJ9.key", "claims: error: a\nb",
    String(repeating: "a", count: 101),
  ]

  @Test("SVC-12: A text that names no file is told by its length and digest", arguments: secrets)
  func secret(text: String) {
    #expect(!ShownPath.isShown(text))
    let shown = ShownPath.of(text)
    #expect(shown.hasPrefix("a text of \(text.utf8.count) octets, sha256 "))
    #expect(shown.utf8.count < 48)
    let failure = #expect(throws: FileFailure.self) { try OpenFile(reading: text) }
    let said = [
      failure?.sentence(reading: text), failure?.sentence("write", text),
      failure?.error(.unreadableFile, text).description,
    ]
    for sentence in said { #expect(sentence.map { !$0.contains(text) } == true) }
    #expect(failure?.sentence(reading: text).contains("standard input") == true)
  }

  @Test(
    "A text that looks like a path and like no secret is shown, so that a misspelt one is seen",
    arguments: [
      "respnse.xml", "keys/idp-rsa.crt", "../trust.json", "/etc/claims/acs.key", "respnse", "verfy",
      "certs/2026/idp.crt",
    ])
  func misspelt(name: String) throws {
    #expect(ShownPath.of(name) == name)
    let failure = #expect(throws: FileFailure.self) { try OpenFile(reading: "/absent/" + name) }
    let said = failure?.sentence(reading: "/absent/" + name) ?? ""
    #expect(said.hasPrefix("cannot read /absent/\(name): "))
  }

  @Test("SVC-12: A file that is there is shown in one line, whatever it is called")
  func existing() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path() + "/a\nclaims: error: forged\u{202E}\u{7F}"
    try Data().write(to: URL(filePath: path))
    let shown = ShownPath.of(path)
    #expect(shown.hasSuffix(#"/a\u{A}claims: error: forged\u{202E}\u{7F}"#))
    #expect(!shown.contains("\n"))
  }
}
