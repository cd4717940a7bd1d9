import SignInAttack
import TestSupport
import Testing
import TokenBasics

@Suite("An error in a configuration file names the member")
struct AttackFileMessageTests {
  private static let good = """
    {"protocol": "saml20", "listen": "127.0.0.1:9400", "public": "http://127.0.0.1:9400",
     "start": "http://127.0.0.1:8080/login", "timeout": 10,
     "probe": {"url": "http://127.0.0.1:8080/me", "contains": "PERSON"},
     "person": {"subject": "alice"}}
    """

  /// What a command prints about the file with a text replaced.
  private func messages(_ old: String, _ new: String) -> [String] {
    AttackConfiguration.read(Array(Self.good.replacing(old, with: new).utf8)).errors.map {
      $0.inFile("attack.json").description
    }
  }

  @Test("A good file has no error")
  func good() {
    #expect(messages("alice", "bob") == [])
  }

  @Test(
    "Place, path, what is accepted and what was found are in one sentence",
    arguments: [
      (
        "10,", "\"8h\",",
        #"attack.json:2:53: timeout must be a number of seconds from 1 to 60, not "8h" (attack.file-value)"#
      ),
      (
        "10,", "61,",
        "attack.json:2:53: timeout must be a number of seconds from 1 to 60, not 61 (attack.file-value)"
      ),
      (
        "\"PERSON\"", "[1]",
        "attack.json:3:59: probe.contains must be a string that is not empty, not an array (attack.file-value)"
      ),
      (
        "\"timeout\": 10", "\"skip\": [\"a\", 2]",
        "attack.json:2:56: skip[1] must be a string that is not empty, not 2 (attack.file-value)"
      ),
    ])
  func values(old: String, new: String, message: String) {
    #expect(messages(old, new) == [message])
  }

  @Test("A required member that is missing is an error of its own")
  func missing() {
    #expect(
      messages("\"url\": \"http://127.0.0.1:8080/me\", ", "")
        == ["attack.json:3:11: probe.url is missing (attack.file-member)"])
  }

  @Test(
    "A misspelt member is told the name that was meant",
    arguments: [("timeout", "timout"), ("timeout", "Timeout"), ("contains", "contians")])
  func misspelt(name: String, written: String) throws {
    let messages = messages("\"\(name)\"", "\"\(written)\"")
    let message = try #require(messages.first)
    #expect(messages.count == 1)
    #expect(
      message.hasSuffix(
        ": unknown member `\(written)`; did you mean `\(name)`? (attack.file-member)"), "\(message)"
    )
  }

  @Test("A member that is near to none is told the known ones, at the place of its name")
  func unknown() {
    #expect(
      messages("\"contains\"", "\"wh\\\"y\"") == [
        #"attack.json:3:47: unknown member `wh"y`; known members: url, status, contains (attack.file-member)"#
      ])
  }
}
