#if Server
  import Foundation
  import HTTPExchange
  import SQLiteSessions
  import TestSupport
  import Testing

  @testable import GateCommand
  @testable import GateService

  @Suite("The gate's doctor as a program")
  struct DoctorTests {
    private let folder: GateFolder

    init() throws { folder = try GateFolder() }

    @Test("Of one cause the first three are told, and how many more there are")
    func report() throws {
      func check(_ count: Int, _ code: TokenError.Code, _ title: String) -> WiringCheck {
        var check = WiringCheck(title)
        check.findings = (0..<count).map { TokenError(code, node: "\($0)") }
        return check
      }
      var omitted = WiringCheck("five")
      omitted.omission = "no store"
      let text = DoctorCommand.report(
        [
          check(2, .wiringUnprotected, "one"), check(3, .wiringUnprotected, "two"),
          check(3, .wiringTarget, "three"), check(0, .wiringTarget, "four"),
          omitted,
        ], .nginx)
      let lines = text.split(separator: "\n")
      #expect(lines.count { $0.hasPrefix("wrong: wiring.unprotected") } == 3, "\(text)")
      #expect(lines.count { $0.hasPrefix("wrong: wiring.") } == 6, "\(text)")
      #expect(lines.contains("ok: four, 0 requests"))
      #expect(lines.contains("not examined: five: no store"))
      #expect(lines.filter { $0.hasPrefix("and ") } == ["and 2 more of wiring.unprotected"])
    }

    @Test("Four are signed in while it looks, and signed out afterwards; in memory nobody is")
    func sessions() async throws {
      let memory = try GateFile(folder.file())
      #expect(try await DoctorSessions(memory, at: memory.configuration.origin) == nil)
      let file = try GateFile(folder.file(", \"session\": {\"store\": \"sqlite:gate.db\"}"))
      let sessions = try #require(try await DoctorSessions(file, at: file.configuration.origin))
      let store = try SQLiteSessionStore(path: folder.path("gate.db"), isShared: true)
      func count() async throws -> Int { try await store.found { _ in true }.count }
      #expect(try await count() == 4)
      try await sessions.remove()
      #expect(try await count() == 0)
    }

    @Test("At a host of its own an application has sessions only of keys that the file names")
    func hostOfItsOwn() async throws {
      let members =
        ", \"session\": {\"store\": \"sqlite:gate.db\"}, "
        + "\"applications\": [{\"origin\": \"https://wiki.example\", \"rules\": []}]"
      let wiki = try HTTPURL("https://wiki.example/").origin
      let random = try GateFile(folder.file(members))
      #expect(try await DoctorSessions(random, at: wiki) == nil)
      let atPublic = try #require(try await DoctorSessions(random, at: random.configuration.origin))
      try await atPublic.remove()
      try folder.write("keys", Data(repeating: 1, count: 32).base64EncodedString() + "\n")
      let named = try GateFile(folder.file(members + ", \"cookieKeys\": \"keys\""))
      let sessions = try #require(try await DoctorSessions(named, at: wiki))
      try await sessions.remove()
    }

    @Test("Where the proxy is away that is a finding, and nobody stays signed in")
    func away() async throws {
      _ = try folder.file(", \"session\": {\"store\": \"sqlite:gate.db\"}")
      let outcome = try BuiltProgram("claims-gate").run(
        ["doctor", "gate.json", "http://127.0.0.1:1/"], in: folder.url)
      #expect(outcome.status == 1 && outcome.output.contains("wrong: "), "\(outcome.talk)")
      let port = try await RunningProgram.freePort()
      let inPlace = try BuiltProgram("claims-gate").run(
        ["doctor", "gate.json", "http://127.0.0.1:1/", "--application", "127.0.0.1:\(port)"],
        in: folder.url)
      #expect(inPlace.status == 1 && inPlace.output == outcome.output, "\(inPlace.talk)")
      let store = try SQLiteSessionStore(path: folder.path("gate.db"), isShared: true)
      #expect(try await store.found { _ in true }.isEmpty)
    }
  }
#endif
