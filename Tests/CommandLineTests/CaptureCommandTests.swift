import Foundation
import TestSupport
import Testing

@Suite("claims capture")
struct CaptureCommandTests {
  private static let clock = ["--at", "2030-01-01T12:00:00Z"]
  private static let trust = ["--key", "keys/idp-rsa.crt", "--issuer", "https://idp.example/idp"]

  private func folder() -> URL {
    FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  }

  /// What `claims verify` prints in the folder with the arguments of its README.
  private func verdict(in folder: URL) throws -> ClaimsTool.Outcome {
    let readme = try String(contentsOf: folder.appending(path: "README"), encoding: .utf8)
    let line = try #require(readme.split(separator: "\n").first { $0.hasPrefix("claims verify ") })
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let arguments = line.split(separator: " ").dropFirst().map { word -> String in
      let name = String(word)
      return files.contains(name) ? folder.appending(path: name).path() : name
    }
    return try ClaimsTool.run(arguments)
  }

  @Test("A capture verifies with the line of its README, and has no name of the original")
  func accepted() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = try ClaimsTool.run(
      ["capture", "attacks/b1.xml", "--audience", "https://rp.example/saml", "--output"]
        + [folder.path()] + Self.trust + Self.clock)
    #expect(made.status == 0)
    #expect(made.records.first?["code"] is NSNull)
    #expect(try verdict(in: folder).status == 0)
    let token = try String(contentsOf: folder.appending(path: "token"), encoding: .utf8)
    #expect(!token.contains("alice"))
    #expect(token.contains("<saml:NameID>"))
    #expect(!made.output.contains("alice"))
  }

  @Test("A capture of a token for another audience is refused with the same code")
  func rejected() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = try ClaimsTool.run(
      ["capture", "attacks/b1.xml", "--audience", "https://other.example/", "--output"]
        + [folder.path()] + Self.trust + Self.clock)
    #expect(made.status == 0)
    #expect(made.records.first?["code"] as? String == "audience.mismatch")
    let verdict = try verdict(in: folder)
    #expect(verdict.status == 1)
    #expect(verdict.code == "audience.mismatch")
  }

  @Test("A folder that has files is refused and left alone; one that is empty is taken")
  func folderWithFiles() throws {
    let folder = folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let arguments =
      ["capture", "attacks/b1.xml", "--allow-any-audience", "--output", folder.path()]
      + Self.trust + Self.clock
    #expect(try ClaimsTool.run(arguments).status == 0)
    let key = folder.appending(path: "idp-1.key")
    let mode = try FileManager.default.attributesOfItem(atPath: key.path())[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let token = try Data(contentsOf: folder.appending(path: "token"))
    #expect(try ClaimsTool.run(arguments).status == 2)
    #expect(try Data(contentsOf: folder.appending(path: "token")) == token)
  }

  @Test("--output is required, and a missing token is an input error")
  func usage() throws {
    #expect(try ClaimsTool.run(["capture", "attacks/b1.xml"] + Self.trust).status == 2)
    let missing = ["capture", "no-such-token", "--output", folder().path()]
    #expect(try ClaimsTool.run(missing + Self.trust).status == 3)
  }

  @Test("--version --json is one object; --version alone stays text")
  func version() throws {
    let json = try ClaimsTool.run(["--version", "--json"])
    #expect(json.status == 0)
    let record = try #require(json.records.first)
    let text = try ClaimsTool.run(["--version"]).output
    for name in ["claims", "swift", "libxml2", "openssl"] {
      let version = try #require(record[name] as? String)
      #expect(text.contains(version))
    }
    #expect(record["formats"] as? [String] == ["swt", "saml11", "saml20", "jwt", "sdjwt"])
    #expect(text.hasPrefix("claims "))
  }
}
