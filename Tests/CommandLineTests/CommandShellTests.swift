import Foundation
import TestSupport
import Testing

/// A built command, run as a script would run it.
struct BuiltCommand: Sendable, CustomTestStringConvertible {
  let name: String
  /// A verb that is misspelt, and the one that is meant.
  let misspelt: (typed: String, meant: String)
  /// Arguments that lack an operand or an option that has to be there.
  let incomplete: [String]
  /// Arguments that write a result.
  let writing: [String]

  var testDescription: String { name }

  static let claims = BuiltCommand(
    name: "claims", misspelt: ("verfy", "verify"), incomplete: ["trust", "check"],
    writing: ["decode", "swt/tv-2.txt"])

  /// What the traits of this build have.
  static var all: [BuiltCommand] {
    var all = [claims]
    #if Client
      all.append(
        BuiltCommand(
          name: "claims-client", misspelt: ("tokn", "token"), incomplete: ["providers"],
          writing: ["session", "list"]))
    #endif
    #if Server
      all += [
        BuiltCommand(
          name: "claims-gate", misspelt: ("chek", "check"), incomplete: ["check"],
          writing: ["check", "@gate"]),
        BuiltCommand(
          name: "acs", misspelt: ("chek", "check"), incomplete: ["check"],
          writing: ["check", "@acs"]),
        BuiltCommand(
          name: "claims-attack", misspelt: ("provder", "provider"), incomplete: ["run"],
          writing: ["provider", "--print", "@attack"]),
      ]
    #endif
    return all
  }

  /// Where standard output goes.
  enum Output {
    case file, closedPipe, fullDevice
  }

  func run(
    _ arguments: [String], to output: Output = .file, through shell: String? = nil
  ) throws -> ClaimsTool.Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = try arguments.map { try Self.file($0, in: folder) }
    let process = ChildProcess()
    let command = URL(filePath: ClaimsTool.path).deletingLastPathComponent().appending(path: name)
    process.executableURL = shell == nil ? command : URL(filePath: "/bin/sh")
    process.arguments = shell.map { ["-c", $0, command.path()] + arguments } ?? arguments
    process.currentDirectoryURL = TestVector.folder
    process.environment = ["HOME": folder.path(), "PATH": "/usr/bin:/bin"]
    let (result, talk) = (folder.appending(path: "result"), folder.appending(path: "talk"))
    for file in [result, talk] { try Data().write(to: file) }
    process.standardInput = .null
    process.standardError = .file(try FileHandle(forWritingTo: talk))
    let pipe = Pipe()
    switch output {
    case .file: process.standardOutput = .file(try FileHandle(forWritingTo: result))
    case .fullDevice:
      process.standardOutput = .file(try FileHandle(forWritingTo: URL(filePath: "/dev/full")))
    case .closedPipe:
      try pipe.fileHandleForReading.close()
      process.standardOutput = .file(pipe.fileHandleForWriting)
    }
    try process.run()
    process.waitUntilExit()
    return ClaimsTool.Outcome(
      status: process.hasExited ? process.terminationStatus : -1,
      output: String(decoding: try Data(contentsOf: result), as: UTF8.self),
      talk: String(decoding: try Data(contentsOf: talk), as: UTF8.self))
  }

  /// The path of a file of configuration where one is meant.
  private static func file(_ argument: String, in folder: URL) throws -> String {
    let texts = [
      "@attack": """
      {"protocol": "saml20", "listen": "127.0.0.1:9400", "public": "http://127.0.0.1:9400",
       "start": "http://127.0.0.1:8080/", "probe": {"url": "http://127.0.0.1:8080/me"},
       "person": {"subject": "alice"}}
      """,
      "@acs": """
      {"issuer": "http://127.0.0.1:8090/", "listen": "127.0.0.1:8090", "state": "memory",
       "providers": [{"kind": "google"}],
       "ruleGroups": [{"name": "default", "generate": ["Google"]}],
       "relyingParties": [
         {"realm": "urn:app", "name": "App", "format": "SWT", "protocols": ["wsFederation"], "return": ["http://127.0.0.1:8091/"],
          "rules": ["default"]}]}
      """,
      "@gate": """
      {"public": "https://app.example", "listen": "[::1]:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "op", "openID": {"issuer": "https://op.example", "clientID": "a"}}],
       "headers": {"X-Remote-User": "subject"}}
      """,
    ]
    guard let text = texts[argument] else { return argument }
    let file = folder.appending(path: String(argument.dropFirst()) + ".json")
    try Data(text.utf8).write(to: file)
    return file.path()
  }
}

/// What scripts and people find alike in all commands. Each of these was different in one of them.
@Suite("The shell of every command")
struct CommandShellTests {
  @Test("An unknown option is named", arguments: BuiltCommand.all)
  func unknownOption(command: BuiltCommand) throws {
    let outcome = try command.run(["--bogus"])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(
      outcome.talk == """
        \(command.name): error: unknown option --bogus
        \(command.name): hint: see --help

        """)
  }

  @Test(
    "An unknown verb is named, and the one that is meant", arguments: BuiltCommand.all)
  func unknownVerb(command: BuiltCommand) throws {
    let outcome = try command.run([command.misspelt.typed])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    let lines = outcome.talk.split(separator: "\n")
    #expect(
      lines.first?.hasPrefix(
        "\(command.name): error: unknown verb \"\(command.misspelt.typed)\"") == true)
    #expect(lines.first?.hasSuffix("; did you mean \(command.misspelt.meant)?") == true)
    #expect(lines.dropFirst() == ["\(command.name): hint: see --help"])
  }

  @Test("What is missing is named", arguments: BuiltCommand.all)
  func missing(command: BuiltCommand) throws {
    let outcome = try command.run(command.incomplete)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    let lines = outcome.talk.split(separator: "\n")
    #expect(
      lines.first?.hasPrefix("\(command.name): error: missing expected argument '") == true,
      "\(outcome.talk)")
    #expect(lines.dropFirst() == ["\(command.name): hint: see --help"])
  }

  @Test("An argument that is not UTF-8 is refused by its number", arguments: BuiltCommand.all)
  func malformed(command: BuiltCommand) throws {
    let outcome = try command.run(
      command.incomplete, through: #"exec "$0" "$@" "$(printf 'a\377')""#)
    #expect(outcome.status == 2)
    #expect(
      outcome.talk.hasPrefix(
        "\(command.name): error: argument \(command.incomplete.count + 1) is not UTF-8\n"))
  }

  @Test(
    "--version names the command and what it stands on, --json the same for programs",
    arguments: BuiltCommand.all)
  func version(command: BuiltCommand) throws {
    let text = try command.run(["--version"])
    #expect(text.status == 0 && text.talk.isEmpty)
    let names = text.output.split(separator: "\n").map { $0.split(separator: " ").first ?? "" }
    #expect(names == [command.name[...], "Swift", "libxml2", "OpenSSL"])
    let json = try command.run(["--version", "--json"])
    #expect(json.status == 0 && json.talk.isEmpty)
    let record = try #require(json.records.first)
    #expect(text.output.hasPrefix("\(command.name) \(record[command.name] as? String ?? "?")\n"))
    #expect(Set(record.keys).isSuperset(of: ["swift", "libxml2", "openssl", "configuration"]))
  }

  @Test(
    "The help of every verb has examples first, placeholders in capitals and 80 columns",
    arguments: BuiltCommand.all)
  func help(command: BuiltCommand) throws {
    var waiting: [[String]] = [[]]
    while let words = waiting.popLast() {
      let help = try command.run(words + ["--help"]).output
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let wide = lines.filter { $0.count > 80 }
      #expect(wide.isEmpty, "\(words) \(wide)")
      #expect(help.firstMatch(of: /\n  (-., )?--[a-z-]+ <[a-z]/) == nil, "\(words)")
      let verbs = lines.drop { $0 != "SUBCOMMANDS:" }
        .compactMap { $0.firstMatch(of: /^  ([a-z][a-z0-9-]+)/).map { String($0.1) } }
      waiting += verbs.map { words + [$0] }
      guard verbs.isEmpty else { continue }
      let examples = try #require(help.firstRange(of: "\nExamples:\n"), "\(words)")
      let usage = try #require(help.firstRange(of: "\nUSAGE: "))
      #expect(examples.lowerBound < usage.lowerBound)
      let first = help[examples.upperBound...].prefix { $0 != "\n" }
      #expect(first.hasPrefix("  \(command.name) \(words.joined(separator: " "))"), "\(first)")
    }
  }

  @Test(
    "An argument that names a file or a folder is completed by the shell",
    arguments: BuiltCommand.all)
  func completionKinds(command: BuiltCommand) throws {
    let dump = try command.run(["--experimental-dump-help"]).output
    let description = try JSONDecoder().decode(
      [String: ManualPage.Verb].self,
      from: JSONSerialization.data(
        withJSONObject: [
          "command": #require(
            JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])["command"] as Any
        ]))
    var waiting = [try #require(description["command"])]
    var seen = 0
    while let verb = waiting.popLast() {
      waiting += verb.subcommands ?? []
      for argument in verb.arguments ?? [] where ["FILE", "FOLDER"].contains(argument.valueName) {
        #expect(argument.completionKind != nil, "\(verb.commandName) \(argument)")
        seen += 1
      }
    }
    #expect(seen > 0)
  }

  @Test("An option of another verb is answered with the verbs that have it")
  func optionElsewhere() throws {
    let outcome = try BuiltCommand.claims.run(["decode", "--trust", "trust.json", "swt/tv-2.txt"])
    #expect(outcome.status == 2)
    #expect(
      outcome.talk == """
        claims: error: unknown option --trust
        claims: hint: --trust is an option of verify, explain and capture; see --help

        """)
  }

  @Test(
    "What a parser passes over is told: a second value, a wrong verb of help, an option before the verb",
    arguments: [
      (
        ["verify", "--trust", "a.json", "--trust", "b.json"],
        "--trust is given several times, and takes one value", "see --help"
      ),
      (
        ["verify", "--trust=a.json", "--trust", "b.json"],
        "--trust is given several times, and takes one value", "see --help"
      ),
      (
        ["--trust", "a.json", "verify"], "unknown option --trust",
        "the verb comes first, its options behind it; see --help"
      ),
      (
        ["verify", "--key", "a.crt", "--skew", "-5"], "missing value for '--skew <SECONDS>'",
        "a value that begins with a dash is joined by an equals sign: --skew=VALUE"
      ),
      (
        ["verify", "--key", "a.crt", "--issuer", "--audience", "a"],
        "missing value for '--issuer <NAME>'", "see --help"
      ),
    ])
  func passedOver(arguments: [String], message: String, hint: String) throws {
    let outcome = try BuiltCommand.claims.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.talk == "claims: error: \(message)\nclaims: hint: \(hint)\n")
  }

  @Test("An option that may be repeated is")
  func repeated() throws {
    let outcome = try BuiltCommand.claims.run(
      [
        "verify", "--key", "keys/idp-rsa.crt", "--key", "hmac-file:keys/acs.key", "--audience", "a",
        "--audience", "b", "swt/tv-2.txt",
      ])
    #expect(!outcome.talk.contains("several times"), "\(outcome.talk)")
  }

  @Test("Help of a verb is its help, and help of another word is an error")
  func helpOfVerb() throws {
    #expect(try BuiltCommand.claims.run(["help", "verify"]).status == 0)
    #expect(try BuiltCommand.claims.run(["help", "trust", "check"]).status == 0)
    #expect(try BuiltCommand.claims.run(["help"]).status == 0)
    let outcome = try BuiltCommand.claims.run(["help", "vreify"])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.talk.contains("did you mean verify?"))
  }

  @Test("A folder in place of a file is told from a file that is missing")
  func folder() throws {
    let outcome = try BuiltCommand.claims.run(["verify", "--trust", "keys", "swt/tv-2.txt"])
    #expect(outcome.status == 2)
    #expect(outcome.talk.hasSuffix("claims: hint: this is a folder: name a file in it\n"))
  }

  @Test(
    "An option without effect is an error",
    arguments: [
      (["verify", "--key", "a.crt", "--jobs", "2"], "--jobs needs --lines"),
      (["verify", "--key", "a.crt", "--line-numbers"], "--line-numbers needs --lines"),
      (
        ["metadata", "show", "--allow-algorithm", "rsa-sha1", "m.xml"],
        "--allow-algorithm needs --key"
      ),
      (
        [
          "mint", "jwt", "--issuer", "a", "--audience", "b", "--key", "hmac-file:k",
          "--certificate", "a.crt",
        ], "--certificate needs --signing-key"
      ),
    ])
  func withoutEffect(arguments: [String], message: String) throws {
    let outcome = try BuiltCommand.claims.run(arguments)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.talk == "claims: error: \(message)\nclaims: hint: see --help\n")
  }

  @Test(
    "--at and --not-before take a date, RFC 3339 and seconds; what is none of them is told by all three",
    arguments: ["2030-01-01", "2030-01-01T00:00:00Z", "1893456000"])
  func instants(text: String) throws {
    let minted = try BuiltCommand.claims.run([
      "mint", "saml20", "--issuer", "a", "--audience", "b", "--signing-key", "keys/idp-rsa.key",
      "--at", text, "--not-before", text, "--id", "_1",
    ])
    #expect(minted.status == 0, "\(minted.talk)")
    #expect(minted.output.contains("NotBefore=\"2030-01-01T00:00:00"))
    let refused = try BuiltCommand.claims.run([
      "verify", "--key", "keys/idp-rsa.crt", "--at", text + "x",
    ])
    #expect(refused.status == 2)
    #expect(
      refused.talk.contains("RFC 3339 with its time zone, a date (its midnight in UTC), or seconds")
    )
  }

  @Test("A result is written, with exit 0", arguments: BuiltCommand.all)
  func result(command: BuiltCommand) throws {
    let outcome = try command.run(command.writing)
    #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome.talk)")
  }

  @Test(
    "A closed pipe ends a command quietly with 3, also under help and version",
    arguments: BuiltCommand.all)
  func closedPipe(command: BuiltCommand) throws {
    for arguments in [command.writing, ["--help"], ["--version"], ["--version", "--json"]] {
      let outcome = try command.run(arguments, to: .closedPipe)
      #expect(outcome.status == 3 && outcome.talk.isEmpty, "\(arguments) \(outcome.talk)")
    }
  }

  @Test("Output that cannot be written is an error and not a success", arguments: BuiltCommand.all)
  func fullDevice(command: BuiltCommand) throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    for arguments in [command.writing, ["--help"], ["--version", "--json"]] {
      let outcome = try command.run(arguments, to: .fullDevice)
      #expect(outcome.status == 3)
      #expect(outcome.talk.hasPrefix("\(command.name): error: cannot write the output: "))
    }
  }

  @Test(
    "No file gets the number of a standard stream that the parent closed",
    arguments: BuiltCommand.all)
  func closedStream(command: BuiltCommand) throws {
    let outcome = try command.run(command.writing, through: #"exec "$0" "$@" >&-"#)
    #expect(outcome.status == 3)
    #expect(outcome.talk.hasPrefix("\(command.name): error: cannot write the output: "))
  }
}
