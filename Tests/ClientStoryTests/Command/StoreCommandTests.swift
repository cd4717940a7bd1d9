#if Client
  import Foundation
  import HTTPExchange
  import SimulatorHost
  import TestSupport
  import Testing
  import TokenBasics

  @Suite("claims-client and the files it keeps sessions in")
  struct StoreCommandTests {
    /// A server and a command whose home is a folder of its own, with the options that sign in there.
    static func play(
      _ body:
        @escaping @Sendable (SimulatorHost, ClientTool, _ signIn: [String]) async throws -> Void
    ) async throws {
      try await SimulatorHost.serving({ _ in SessionCommandTests.Server() }) { host in
        try await SignInCommandTests.tool { tool, _ in
          let signIn = [
            "sign-in", "opro", "--server", host.base.text, "--client-id", "3234", "--user-name",
            "mia", "--password-file", try tool.file("password", "person-password"),
            "--client-secret-file", try tool.file("secret", "client-secret-1"),
          ]
          try await body(host, tool, signIn)
        }
      }
    }

    static func mode(_ file: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file.path())[.posixPermissions] as? Int
    }

    static func everything(in folder: URL) -> [String] {
      (FileManager.default.enumerator(atPath: folder.path())?.allObjects as? [String] ?? [])
        .sorted()
    }

    @Test("Without --store the first sign-in makes a store and its key in the user's data folder")
    func defaultStore() async throws {
      try await Self.play { host, tool, signIn async throws in
        let before = Self.everything(in: tool.folder)
        // Reading creates nothing.
        let list = try await tool.run(["session", "list"])
        #expect(list.status == 0, "\(list.talk)")
        #expect(list.output == "[]\n")
        for command in [
          ["session", "show"], ["session", "forget"], ["call", "GET", host.base.text + "me"],
          [
            "post", "--service", "x", "--text", "Hello", "--from-session", "--dry-run",
          ],
        ] {
          #expect(try await tool.run(command).code == "session.none")
        }
        #expect(Self.everything(in: tool.folder) == before)
        let signedIn = try await tool.run(signIn)
        #expect(signedIn.status == 0, "\(signedIn.talk)")
        let folder = tool.folder.appending(path: ".local/share/claims-client")
        #expect(try Self.mode(folder) == 0o700)
        for name in ["credentials", "credentials.key"] {
          #expect(try Self.mode(folder.appending(path: name)) == 0o600)
        }
        #expect(
          Self.everything(in: folder) == ["credentials", "credentials.key", "credentials.lock"])
        let shown = try await tool.run(["session", "show"])
        #expect(shown.object["account"] as? String == "opro", "\(shown.talk)")
        let key = try Data(contentsOf: folder.appending(path: "credentials.key"))
        #expect(try await tool.run(signIn).status == 0)
        #expect(try Data(contentsOf: folder.appending(path: "credentials.key")) == key)
        // A lost key is not replaced: a new one could not open the file.
        try FileManager.default.removeItem(at: folder.appending(path: "credentials.key"))
        #expect(try await tool.run(signIn).talk.contains("session.store-key-source"))
        #expect(Self.everything(in: folder) == ["credentials", "credentials.lock"])
      }
    }

    @Test(
      "XDG_DATA_HOME moves the default store, and is ignored where it is relative or empty",
      arguments: [true, false])
    func dataHome(isAbsolute: Bool) async throws {
      try await Self.play { _, original, signIn async throws in
        var tool = original
        let data = tool.folder.appending(path: "data/of mine")
        tool.environment["XDG_DATA_HOME"] = isAbsolute ? data.path(percentEncoded: false) : "data"
        let signedIn = try await tool.run(signIn)
        #expect(signedIn.status == 0, "\(signedIn.talk)")
        let home = tool.folder.appending(path: ".local/share")
        let file = (isAbsolute ? data : home).appending(path: "claims-client/credentials")
        #expect(FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
        #expect(FileManager.default.fileExists(atPath: home.path()) != isAbsolute)
        #expect(try await tool.run(["session", "show"]).status == 0)
      }
    }

    @Test("If the environment names no folder, the error names the option that does")
    func noHome() async throws {
      try await SignInCommandTests.tool { original, store in
        var tool = original
        tool.environment = ["HOME": "", "XDG_DATA_HOME": "here"]
        let outcome = try await tool.run(["session", "list"])
        #expect(outcome.status == 2)
        #expect(outcome.talk.contains("--store"))
        #expect(try await tool.run(["session", "list"] + store).status == 0)
      }
    }

    @Test("Every subcommand opens a store in every way: key file, environment and passphrase")
    func everyWay() async throws {
      try await Self.play { host, original, signIn async throws in
        var tool = original
        tool.environment["STORE_KEY"] = Base64.encode([UInt8](repeating: 8, count: 32))
        let ways = [
          [
            "--store-key-file",
            try tool.file("own.key", Base64.encode([UInt8](repeating: 7, count: 32))),
          ],
          ["--store-key-env", "STORE_KEY"],
          ["--store-passphrase-file", try tool.file("passphrase", "correct horse")],
        ]
        for (number, way) in ways.enumerated() {
          let store = ["--store", tool.folder.appending(path: "store-\(number)").path()] + way
          let signedIn = try await tool.run(signIn + store)
          #expect(signedIn.status == 0, "\(signedIn.talk)")
          #expect(try await tool.run(["session", "show"] + store).status == 0)
          #expect(try await tool.run(["call", "GET", host.base.text + "me"] + store).status == 0)
          let post = try await tool.run(
            ["post", "--service", "x", "--text", "Hello", "--from-session", "--dry-run"] + store)
          // The store was opened; oPRO issues no token of X.
          #expect(post.code == "session.provider-token", "\(post.talk)")
          #expect(try await tool.run(["session", "forget"] + store).status == 0)
        }
        let both = try await tool.run(["session", "list"] + ways[0] + ways[1])
        #expect(both.status == 2)
        #expect(try await tool.run(["session", "list", "--store", "x"]).status == 2)
      }
    }

    @Test("No command renames, locks or changes a file that is no session file")
    func foreign() async throws {
      try await Self.play { host, tool, signIn async throws in
        let notes = try tool.file("notes.txt", "Buy milk\n")
        let key = tool.folder.appending(path: "store.key").path()
        let before = Self.everything(in: tool.folder)
        for file in [notes, key] {
          let text = try Data(contentsOf: URL(filePath: file))
          for command in [
            ["session", "show"], ["session", "list"], ["session", "forget"],
            ["call", "GET", host.base.text + "me"], signIn,
          ] {
            let outcome = try await tool.run(command + ["--store", file, "--store-key-file", key])
            #expect(outcome.status == 2)
            #expect(outcome.talk.contains("session.store-foreign"), "\(outcome.talk)")
          }
          #expect(try Data(contentsOf: URL(filePath: file)) == text)
        }
        #expect(Self.everything(in: tool.folder) == before)
      }
    }

    @Test("Reading leaves a damaged file unchanged; a sign-in renames it and reports that")
    func damaged() async throws {
      try await Self.play { _, tool, signIn async throws in
        #expect(try await tool.run(signIn).status == 0)
        let file = tool.folder.appending(path: ".local/share/claims-client/credentials")
        var data = try Data(contentsOf: file)
        data[data.count - 20] ^= 1
        try data.write(to: file)
        for command in ["show", "list", "forget"] {
          let outcome = try await tool.run(["session", command])
          #expect(outcome.status == 3)
          #expect(outcome.talk.contains("session.store-damaged"))
        }
        #expect(try Data(contentsOf: file) == data)
        let again = try await tool.run(signIn)
        #expect(again.status == 0, "\(again.talk)")
        #expect(again.talk.contains("kept as \(file.path()).damaged-1"))
        #expect(try Data(contentsOf: URL(filePath: file.path() + ".damaged-1")) == data)
        #expect(try await tool.run(["session", "show"]).status == 0)
      }
    }
  }
#endif
