import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("A long run of lines")
struct LongRunTests {
  static let audience = "https://rp.example/"
  static let issuer = "https://issuer.example/"

  /// A token of the key `keys/NAME`, issued now.
  static func token(_ key: String = "acs.key", lifetime: Int = 600, at: String? = nil) throws
    -> String
  {
    let clock = at.map { ["--at", $0] } ?? []
    return try ClaimsTool.run(
      [
        "mint", "jwt", "--issuer", issuer, "--audience", audience, "--subject", "ada", "--key",
        "hmac-file:keys/\(key)", "--lifetime", "\(lifetime)",
      ] + clock
    ).output.trimmingCharacters(in: .newlines)
  }

  static let flags = ["--audience", audience, "--format", "jwt", "--skew", "0"]

  /// A trust file beside a copy of a key, in a folder of its own.
  struct Configuration {
    let folder: URL
    var trust: String { folder.appending(path: "trust.json").path() }
    var key: URL { folder.appending(path: "shared.key") }

    init(key: String = "acs.key") throws {
      folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try write(trust: Self.sound)
      try replace(key: key)
    }

    static let sound = """
      {"audiences": ["\(audience)"], "skew": 0, "issuers": [
        {"name": "\(issuer)", "keys": ["hmac-file:shared.key"], "formats": ["jwt"]}]}
      """

    func write(trust: String) throws {
      try Data(trust.utf8).write(to: folder.appending(path: "trust.json"))
    }

    func replace(key name: String, atomically: Bool = true) throws {
      try Data(TestVector.bytes("keys/\(name)"))
        .write(to: key, options: atomically ? .atomic : [])
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  @Test("The clock advances: a token expires while the command runs, and a later one is valid")
  func clock() throws {
    let run = try LinesProcess(["--key", "hmac-file:keys/acs.key"] + Self.flags)
    let short = try Self.token(lifetime: 2)
    #expect(try run.code(short) == nil)
    #expect(try run.comes("time.expired", for: short))
    #expect(try run.code(Self.token()) == nil)
    #expect(try run.end() == 1)
  }

  @Test("A clock set by --at does not advance")
  func fixedClock() throws {
    let past = "2020-01-01T00:00:00Z"
    let run = try LinesProcess(
      ["--key", "hmac-file:keys/acs.key", "--at", past] + Self.flags)
    let (old, new) = (try Self.token(lifetime: 1, at: past), try Self.token())
    #expect(try run.code(old) == nil)
    #expect(try run.code(new) == "time.not-yet-valid")
    #expect(try run.end() == 1)
  }

  @Test("A replaced key is loaded, and reported once", arguments: [1, 4], [true, false])
  func replacedKey(jobs: Int, atomically: Bool) throws {
    let configuration = try Configuration()
    defer { configuration.remove() }
    let run = try LinesProcess(["--trust", configuration.trust, "--jobs", "\(jobs)"])
    let (old, new) = (try Self.token("acs.key"), try Self.token("acs-other.key"))
    #expect(try run.code(old) == nil)
    #expect(try run.code(new) == "signature.invalid")
    try configuration.replace(key: "acs-other.key", atomically: atomically)
    #expect(try run.comes(nil, for: new))
    #expect(try run.code(old) == "signature.invalid")
    #expect(try run.talk().contains("claims: trust reloaded: \(configuration.key.path())"))
    #expect(try run.talk().split(separator: "\n").count == 1)
    #expect(try run.end() == 1)
  }

  @Test(
    "A trust file that does not load stays as it was, reported once, and keeps no key's change out")
  func brokenTrust() throws {
    let configuration = try Configuration()
    defer { configuration.remove() }
    let run = try LinesProcess(["--trust", configuration.trust])
    let (old, new) = (try Self.token("acs.key"), try Self.token("acs-other.key"))
    #expect(try run.code(old) == nil)
    try configuration.write(trust: String(Configuration.sound.dropLast(30)))
    run.hangUp()
    #expect(try run.says("the last good one stays in use: policy.trust-file-syntax"))
    #expect(try run.code(old) == nil)
    try configuration.replace(key: "acs-other.key")
    #expect(try run.comes(nil, for: new))
    #expect(try run.code(old) == "signature.invalid")
    try configuration.write(trust: Configuration.sound)
    run.hangUp()
    #expect(try run.code(new) == nil)
    #expect(try run.end() == 1)
  }

  @Test(
    "A file that does not load keeps no other's revocation out, and the summary names it",
    arguments: ["metadata", "key", "missing"])
  func brokenNeighbour(kind: String) throws {
    let configuration = try Configuration()
    defer { configuration.remove() }
    let neighbour = configuration.folder.appending(path: "neighbour")
    let source = kind == "metadata" ? "metadata/entity.xml" : "keys/idp-rsa.crt"
    try Data(TestVector.bytes(source)).write(to: neighbour)
    let entry =
      kind == "metadata"
      ? #"{"metadata": "neighbour"}"#
      : #"{"name": "https://b.example/", "keys": ["neighbour"]}"#
    func trust(_ issuers: String) -> String {
      #"{"audiences": ["\#(Self.audience)"], "issuers": [\#(issuers)]}"#
    }
    let revoked =
      #"{"name": "\#(Self.issuer)", "keys": ["hmac-file:shared.key"], "formats": ["jwt"]}"#
    try configuration.write(trust: trust(revoked + ", " + entry))
    let run = try LinesProcess(["--trust", configuration.trust, "--summary"])
    let token = try Self.token()
    #expect(try run.code(token) == nil)
    if kind == "missing" {
      try FileManager.default.removeItem(at: neighbour)
    } else {
      try Data("<html>502 Bad Gateway</html>".utf8).write(to: neighbour)
    }
    #expect(try run.comes(nil, for: token))
    try configuration.write(trust: trust(entry))
    #expect(try run.comes("issuer.untrusted", for: token))
    #expect(try run.says("neighbour does not load, the last good one stays in use"))
    #expect(try run.end() == 1)
    #expect(try run.talk().contains(#""lastGood":{"neighbour":""#))
  }

  @Test(
    "A file that is written all the time does not keep a reload waiting", arguments: [true, false])
  func busyFile(atomically: Bool) throws {
    let configuration = try Configuration()
    defer { configuration.remove() }
    let busy = configuration.folder.appending(path: "busy.crt")
    let certificate = Data(TestVector.bytes("keys/idp-rsa.crt"))
    try certificate.write(to: busy)
    func trust(_ key: String) -> String {
      """
      {"audiences": ["\(Self.audience)"], "skew": 0, "issuers": [
        {"name": "https://b.example/", "keys": ["busy.crt"]},
        {"name": "\(Self.issuer)", "keys": ["\(key)"], "formats": ["jwt"]}]}
      """
    }
    try configuration.write(trust: trust("hmac-file:shared.key"))
    let run = try LinesProcess(["--trust", configuration.trust])
    let (old, new) = (try Self.token("acs.key"), try Self.token("acs-other.key"))
    #expect(try run.code(old) == nil)
    let isOver = Mutex(false)
    let writer = Thread {
      while !isOver.withLock({ $0 }) {
        try? certificate.write(to: busy, options: atomically ? .atomic : [])
      }
    }
    writer.start()
    defer { isOver.withLock { $0 = true } }
    try configuration.replace(key: "acs-other.key")
    #expect(try run.comes(nil, for: new))
    #expect(try run.code(old) == "signature.invalid")
    #expect(try run.end() == 1)
  }

  @Test("SIGHUP reloads everything at once, without effect when nothing changed")
  func hangUp() throws {
    let configuration = try Configuration()
    defer { configuration.remove() }
    let run = try LinesProcess(["--trust", configuration.trust])
    let old = try Self.token("acs.key")
    #expect(try run.code(old) == nil)
    run.hangUp()
    #expect(try run.says("trust reloaded; nothing changed"))
    #expect(try run.code(old) == nil)
    try configuration.replace(key: "acs-other.key")
    run.hangUp()
    #expect(try run.says("trust reloaded: "))
    #expect(try run.code(old) == "signature.invalid")
    try FileManager.default.removeItem(at: configuration.key)
    for times in 1...2 {
      run.hangUp()
      #expect(try run.says("the last good one stays", times: times))
    }
    #expect(try run.code(old) == "signature.invalid")
    #expect(try run.end() == 1)
  }

  @Test("A key named by a flag is reloaded too")
  func keyOfFlag() throws {
    let configuration = try Configuration()
    defer { configuration.remove() }
    let run = try LinesProcess(["--key", "hmac-file:\(configuration.key.path())"] + Self.flags)
    let new = try Self.token("acs-other.key")
    #expect(try run.code(new) == "signature.invalid")
    try configuration.replace(key: "acs-other.key")
    #expect(try run.comes(nil, for: new))
    #expect(try run.end() == 1)
  }

  @Test("Input from a pipe is kept when the rest is reloaded")
  func pipe() throws {
    let configuration = try Configuration()
    defer { configuration.remove() }
    let fifo = configuration.folder.appending(path: "fifo").path()
    let status = unsafe mkfifo(fifo, 0o600)
    #expect(status == 0)
    let certificate = try Data(
      contentsOf: TestVector.folder.appending(path: "keys/idp-rsa.crt"))
    let writer = Thread {
      try? FileHandle(forWritingAtPath: fifo)?.write(contentsOf: certificate)
    }
    writer.start()
    let run = try LinesProcess(
      ["--key", fifo, "--key", "hmac-file:\(configuration.key.path())"] + Self.flags)
    #expect(try run.code(Self.token("acs-other.key")) == "signature.invalid")
    try configuration.replace(key: "acs-other.key")
    #expect(try run.comes(nil, for: Self.token("acs-other.key")))
    #expect(try run.end() == 1)
  }
}
