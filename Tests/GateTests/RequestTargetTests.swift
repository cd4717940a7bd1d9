import GateService
import Testing

@Suite("Paths that are judged")
struct RequestTargetTests {
  private let rules: GateRules
  private let ada = GateSubject(subject: "ada", claims: ClaimSet([Claim("role", "user")]))
  private let admin = GateSubject(subject: "root", claims: ClaimSet([Claim("role", "admin")]))

  init() throws {
    rules = GateRules([
      GateRule(path: try RequestTarget("/admin/"), claims: ["role"], values: ["admin"]),
      GateRule(
        path: try RequestTarget("/admin/help"), claims: ["role"], values: ["user", "admin"]),
      GateRule(
        path: try RequestTarget("/files"), claims: ["role"], values: ["user"], denies: true),
    ])
  }

  private func passes(_ target: String, _ subject: GateSubject?, method: String = "GET") -> Bool {
    if case .allow = rules.decide(target, method: method, subject: subject).verdict {
      true
    } else {
      false
    }
  }

  @Test(
    "GATE-4: A path that two readers could read differently is refused",
    arguments: [
      "/admin\\x", "//admin", "/a//admin", "/./admin", "/a/../admin", "/%2e/admin", "/%2E%2E/admin",
      "/a%2fadmin", "/a%5Cadmin", "/admin%23", "/admin%00", "/admin#x", "/%61dmi%6", "/%zz", "/%",
      "/%ff", "/admin;x", "/admin%3bx", "/%2561dmin", "/%c0%afadmin", "/a b", "admin",
      "https://evil.example/admin", "/api%2e/admin", "/api../../admin", "/\u{7F}", "/é", "",
    ])
  func ambiguous(target: String) {
    let error = #expect(throws: TokenError.self) { try RequestTarget(target) }
    #expect(error?.code == .gatePath)
    #expect(!passes(target, admin))
  }

  @Test(
    "A plain path passes, escaped where it has to be",
    arguments: [
      "/", "/a/b/", "/caf%C3%A9", "/a-b_c.d~e/f", "/x?return=/../admin", "/a%20b", "/...",
    ])
  func plain(target: String) throws {
    if target == "/a%20b" {
      #expect(throws: TokenError.self) { try RequestTarget(target) }
      return
    }
    _ = try RequestTarget(target)
    #expect(passes(target, ada))
  }

  @Test("GATE-4: No spelling of a protected path is judged more weakly than the path")
  func encodings() {
    for path in ["/admin", "/admin/", "/admin/users"] {
      #expect(!passes(path, ada) && passes(path, admin))
      let octets = Array(path.utf8)
      for place in octets.indices {
        let hex = String(octets[place], radix: 16)
        for escape in ["%" + hex, "%" + hex.uppercased(), "%25" + hex] {
          let target =
            String(decoding: octets[..<place], as: UTF8.self) + escape
            + String(decoding: octets[(place + 1)...], as: UTF8.self)
          #expect(!passes(target, ada), "\(target)")
        }
      }
      for suffix in ["?x=/public", "?/../public", "/.", "/..", ";a", "#", "%23", "\\", "//"] {
        #expect(!passes(path + suffix, ada), "\(path + suffix)")
      }
    }
  }

  @Test("GATE-6, GATE-10: The most specific rule decides, a denial first, by whole segments")
  func specific() {
    #expect(passes("/admin/help", ada) && passes("/admin/help/more", ada))
    #expect(!passes("/admin/helper", ada))
    #expect(passes("/administrator", ada))
    #expect(!passes("/files/a", ada) && passes("/files/a", admin))
    #expect(passes("/other", ada) && !passes("/other", nil))
    #expect(!passes("/admin", ada, method: "OPTIONS") && !passes("/admin", ada, method: "HEAD"))
  }

  @Test("GATE-10: A rule for GET holds for HEAD, and for no other method")
  func heads() throws {
    let rules = GateRules([
      GateRule(
        path: try RequestTarget("/x"), method: "GET", claims: ["role"], values: ["admin"])
    ])
    func allows(_ method: String, _ subject: GateSubject) -> Bool {
      let verdict = rules.decide("/x", method: method, subject: subject).verdict
      return if case .allow = verdict { true } else { false }
    }
    #expect(!allows("GET", ada) && !allows("HEAD", ada))
    #expect(allows("GET", admin) && allows("HEAD", admin) && allows("POST", ada))
  }

  @Test("GATE-6: A rule that opens a protected path is warned of")
  func shadows() throws {
    let rules = GateRules([
      GateRule(path: try RequestTarget("/admin"), claims: ["role"], values: ["admin"], place: "a"),
      GateRule(path: try RequestTarget("/admin/x"), place: "b"),
      GateRule(path: try RequestTarget("/admin"), claims: ["role"], values: ["user"], place: "c"),
    ])
    #expect(rules.warnings.count == 2)
    #expect(self.rules.warnings.isEmpty)
  }
}
