#if Server
  import CommandSupport
  import Foundation
  import GateService
  import SignIn
  import TestSupport
  import Testing

  @testable import AccessControlCommand
  @testable import GateCommand

  @Suite("Files of an earlier release")
  struct EarlierFileTests {
    /// A copy of the files, since those of keys have to be readable by their owner alone.
    private func withFiles(_ test: (_ path: (String) -> String) throws -> Void) throws {
      let source = TestVector.packageRoot.appending(path: "TestVectors/kept/d17f86d6")
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.copyItem(at: source, to: folder)
      defer { try? FileManager.default.removeItem(at: folder) }
      for name in ["acs.keys", "cookies.keys", "gate.key", "acs.db", "gate.db"] {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: folder.appending(path: name).path())
      }
      try test { folder.appending(path: $0).path() }
    }

    @Test("The file of acs, its keys and the metadata of a service provider are read")
    func service() throws {
      try withFiles { path in
        let folder = try ServiceFolder(path("acs.json"))
        #expect(causes { try folder.checkFiles() } == [])
        let keys = try #require(try ServiceKeys(path: path("acs.keys")))
        #expect(keys.sealing.count == 32)
      }
    }

    @Test(
      "The file of the gate with several providers is told the text to write, and with it the file and its keys are read"
    )
    func gate() throws {
      try withFiles { path in
        #expect {
          _ = try GateFile(path("gate.json"))
        } throws: { error in
          (error as? CommandFailure)?.text.contains("gate.claim-provider") == true
        }
        let text = try String(contentsOfFile: path("gate.json"), encoding: .utf8)
        let open = try #require(text.firstIndex(of: "{"))
        let mended = text[...open] + "\"provider\": \"any\"," + text[text.index(after: open)...]
        try mended.write(toFile: path("gate.json"), atomically: true, encoding: .utf8)
        let file = try GateFile(path("gate.json"))
        #expect(file.configuration.providers.map(\.id) == ["saml", "wsfed", "op"])
        let keys = try #require(try file.cookieKeys())
        #expect(keys.map(\.count) == [32])
      }
    }
  }
#endif
