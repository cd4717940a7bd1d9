import GateService
import IdentityProviderTesting
import TestSupport
import Testing

@Suite("What may reach an application")
struct PassageTests {
  private let idp: IdentityProviderSimulator

  init() throws { idp = try IdentityProviderSimulator() }

  private func gate(
    _ proxy: ProxyKind = .nginx, method: String? = nil, standard: GateDefault = .open
  ) throws -> Gate {
    let rule = GateRule(
      path: try RequestTarget("/posts"), method: method, claims: ["role"], values: ["admin"])
    return Gate(
      site: try idp.site(clock: ManualTime()), proxy: proxy, peers: [try PeerNetwork("127.0.0.1")],
      rules: GateRules([rule], default: standard),
      headers: IdentityHeaders([HeaderRule(name: "X-Remote-User", claims: [GateClaim.subject])]),
      people: .shared)
  }

  private func check(
    _ gate: Gate, _ fields: [(String, String)] = [], method: String = "GET",
    from proxy: ProxyKind = .nginx
  ) async throws -> HTTPResponse {
    let names = proxy.headers ?? (target: "X-None", method: "X-None")
    return await gate.respond(
      to: WebRequest(
        method: method, path: proxy == .envoy ? "/.gate/check/page" : "/.gate/check",
        fields: try HTTPFields([(names.target, "/page"), (names.method, method)] + fields)),
      from: "127.0.0.1")
  }

  @Test("A websocket passes, by any spelling of its value and beside any Connection")
  func websocket() async throws {
    let gate = try gate()
    for value in ["websocket", "WebSocket", "WEBSOCKET", ""] {
      for connection in ["Upgrade", "keep-alive, Upgrade", "close"] {
        let response = try await check(gate, [("Upgrade", value), ("Connection", connection)])
        #expect(response.status == 200, "\(value), \(connection)")
      }
    }
    // Over HTTP/2 it begins with CONNECT, and goes on as a GET.
    #expect(try await check(gate, [("Upgrade", "websocket")], method: "CONNECT").status == 200)
  }

  @Test(
    "Any other protocol is refused, on public paths too",
    arguments: [
      ["h2c"], ["H2C"], ["websocket, h2c"], ["h2c, websocket"], ["websocket", "h2c"],
      ["websocket", "websocket"], ["", "h2c"], ["websocket/13"], ["TLS/1.0"], ["websocket,"],
    ])
  func upgrades(values: [String]) async throws {
    for proxy in ProxyKind.allCases {
      let response = try await check(
        gate(proxy), values.map { ("Upgrade", $0) }, from: proxy)
      #expect(response.status == 403 && response.isRefusal(.gateUpgrade))
    }
  }

  @Test("A tunnel is refused, on public paths too; a websocket over HTTP/2 is none")
  func tunnels() async throws {
    for proxy in ProxyKind.allCases {
      let gate = try gate(proxy)
      for method in ["CONNECT", "connect"] {
        let response = try await check(gate, method: method, from: proxy)
        #expect(response.status == 403 && response.isRefusal(.gateConnect), "\(proxy)")
      }
      let socket = try await check(
        gate, [("Upgrade", "websocket")], method: "CONNECT", from: proxy)
      #expect(socket.status == 200, "\(proxy)")
      #expect(try await check(gate, method: "OPTIONS", from: proxy).status == 200)
    }
  }

  @Test("A websocket on another method than GET is refused", arguments: ["POST", "HEAD", "PUT"])
  func otherMethods(method: String) async throws {
    let gate = try gate()
    let response = try await check(gate, [("Upgrade", "websocket")], method: method)
    #expect(response.status == 403 && response.isRefusal(.gateUpgrade))
    #expect(try await check(gate, method: method).status == 200)
  }

  @Test(
    "A header that names another method is refused in every spelling, where a rule is for a method")
  func methodOverride() async throws {
    let (judging, plain) = (try gate(method: "DELETE"), try gate())
    let table = PassageTable(identity: [], isSecure: true, hasMethods: true)
    let row = try #require(table[.methodOverride])
    #expect(row.names.count == 3)
    for name in row.names {
      for separator in HeaderSpelling.separators {
        for spelling in [HeaderSpelling.spelled(name, with: separator)].flatMap({
          [$0, $0.lowercased()]
        }) {
          #expect(row.covers(spelling))
          let refused = try await check(judging, [(spelling, "DELETE")], method: "POST")
          #expect(refused.status == 403 && refused.isRefusal(.gateMethodOverride), "\(spelling)")
          #expect(try await check(plain, [(spelling, "DELETE")], method: "POST").status == 200)
        }
      }
    }
    for other in ["X-HTTP-Methods", "X-Method", "XHTTPMethod", "X-HTTP-Method-Override-2"] {
      #expect(!row.covers(other))
      #expect(try await check(judging, [(other, "DELETE")], method: "POST").status == 200)
    }
  }

  @Test("Two hosts are 400, in two lines or joined into one; one host is none")
  func hosts() async throws {
    for proxy in ProxyKind.allCases {
      let gate = try gate(proxy)
      for hosts in [
        ["a.example", "b.example"], ["a.example,b.example"], ["a.example", "a.example"],
      ] {
        let response = try await check(gate, hosts.map { ("Host", $0) }, from: proxy)
        #expect(response.status == 400 && response.isRefusal(.gateHostRepeated))
      }
      #expect(try await check(gate, [("Host", "a.example")], from: proxy).status == 200)
    }
  }

  @Test(
    "Traefik and nginx get the Cookie to pass on: every copy of the gate's cookies is out, and none of the application's"
  )
  func cookies() async throws {
    let gate = try gate(.traefik)
    let own = SiteCookie.all.map { "__Host-" + $0.name + ($0.isBeginning ? "0a1b2c3d" : "") }
    let kept = "session=flask; theme=a=b; __Host-sessions=1; signin-x=2; my__Host-session=3"
    let all = own.map { $0 + "=secret" }.joined(separator: "; ")
    for field in ["\(all); \(kept)", "\(kept); \(all)", "\(all); \(kept); \(all)"] {
      let response = try await check(gate, [("Cookie", field)], from: .traefik)
      #expect(response.status == 200 && response.fields.values("Cookie") == [kept])
    }
    let two = try await check(
      gate, [("Cookie", all), ("Cookie", "a=1"), ("Cookie", "\(all);b=2")], from: .traefik)
    #expect(two.fields.values("Cookie") == ["a=1; b=2"])
    for alone in [all, "__Host-session=x", " __Host-session =x", "__Host-session"].map({
      $0.drop { $0 == " " }
    }) {
      let response = try await check(gate, [("Cookie", String(alone))], from: .traefik)
      #expect(response.status == 200 && response.fields.values("Cookie").isEmpty)
    }
    let untouched = try await check(gate, [("Cookie", "a=1;b=2 ;  c")], from: .traefik)
    #expect(untouched.fields.values("Cookie") == ["a=1;b=2 ;  c"])
    let spaced = try await check(
      gate, [("Cookie", "a=1 ; __Host-session=x ;\t__Host-session-end=y")], from: .traefik)
    #expect(spaced.fields.values("Cookie") == ["a=1"])
    let nginx = try await check(try self.gate(), [("Cookie", "a=1; \(all)")])
    #expect(nginx.status == 200 && nginx.fields.values("Cookie") == ["a=1"])
  }

  @Test("Names without __Host- are the gate's over plain http alone")
  func bareCookies() {
    let fields = ["session=1; signin-0a1b2c3d=2; app-signin-0a1b2c3d=3; session-end=4; sessions=5"]
    #expect(SiteCookie.removing(from: fields, bare: false) == fields)
    #expect(SiteCookie.removing(from: fields, bare: true) == ["sessions=5"])
    #expect(SiteCookie.removing(from: ["__Host-session=1"], bare: true).isEmpty)
    #expect(SiteCookie.removing(from: [], bare: true).isEmpty)
  }

  @Test("The pattern of cookies finds what is removed, and nothing else", arguments: [true, false])
  func cookiePattern(isSecure: Bool) throws {
    let table = PassageTable(identity: [], isSecure: isSecure, hasMethods: false)
    let pattern = try Regex(table.cookiePattern)
    for name in [
      "__Host-session", "session", "__Host-session-end", "session-end", "__Host-signin-times",
      "signin-0a1b2c3d", "app-signin-1", "__Host-app-signin-1", "sessions", "xsession", "signin",
      "__Host-sessionid", "my__Host-session", "__host-session",
    ] {
      #expect(
        (name.wholeMatch(of: pattern) != nil)
          == SiteCookie.isOwn(name.utf8.span, bare: !isSecure), "\(name)")
    }
  }

  @Test("The pattern of a header finds every spelling of its name, and nothing else")
  func headerPattern() throws {
    let pattern = try Regex(HeaderSpelling.pattern("X-Remote-User")).ignoresCase()
    #expect(HeaderSpelling.separators.count == 15)
    for separator in HeaderSpelling.separators {
      let name = HeaderSpelling.spelled("x-remote-USER", with: separator)
      #expect(name.wholeMatch(of: pattern) != nil, "\(name)")
      #expect(HeaderSpelling.areAlike(name, "X-Remote-User"))
    }
    for other in ["X-Remote-Users", "XX-Remote-User", "XRemoteUser", "X--Remote-User"] {
      #expect(other.wholeMatch(of: pattern) == nil)
      #expect(!HeaderSpelling.areAlike(other, "X-Remote-User"))
    }
  }

  @Test("Each kind has one row, and no identity header has the name of another row")
  func rows() {
    let table = PassageTable(identity: ["X-Remote-User"], isSecure: true, hasMethods: false)
    for kind in PassageTable.Kind.allCases {
      #expect(table.rows.count { $0.kind == kind } == 1)
    }
    #expect(table[.identity]?.covers("x_remote.user") == true)
    for row in table.rows where row.kind != .identity {
      for name in row.names { #expect(ReservedHeader.contains(name), "\(name)") }
    }
  }

  @Test("A rule for PUT, PATCH or DELETE without one for POST is a warning; with one it is none")
  func forms() throws {
    func warnings(_ rules: [(String, String?, String)], _ standard: GateDefault = .signedIn) throws
      -> [String]
    {
      GateRules(
        try rules.map {
          GateRule(
            path: try RequestTarget($0.0), method: $0.1, claims: ["role"], values: [$0.2],
            place: "line 1")
        }, default: standard
      ).warnings.filter { $0.contains("_method") }
    }
    for method in ["PUT", "PATCH", "DELETE"] {
      #expect(try warnings([("/posts", method, "admin")]).count == 1)
      #expect(try warnings([("/posts", method, "admin"), ("/posts", nil, "user")]).count == 1)
      #expect(try warnings([("/posts", method, "admin"), ("/posts", "POST", "user")]).isEmpty)
      #expect(try warnings([("/posts", method, "admin"), ("/", "POST", "user")]).isEmpty)
      #expect(try warnings([("/posts", method, "admin"), ("/posts", nil, "admin")]).isEmpty)
      #expect(try warnings([("/posts", method, "admin")], .refused).isEmpty)
    }
    #expect(try warnings([("/posts", "GET", "admin"), ("/posts", "POST", "admin")]).isEmpty)
  }

  @Test("Where the gate's pages are alone, check refuses everything else at public")
  func pagesOnly() async throws {
    let gate = Gate(
      site: try idp.site(clock: ManualTime()), proxy: .nginx,
      peers: [try PeerNetwork("127.0.0.1")], rules: GateRules([], default: .open),
      headers: IdentityHeaders([]), people: .shared,
      applications: [
        GateApplication(
          try SiteSettings(origin: HTTPURL("https://wiki.example/").origin, prefix: "/.gate/"),
          rules: GateRules([], default: .open), headers: IdentityHeaders([]))
      ], hasPagesOnly: true)
    func status(_ host: String, _ path: String) async throws -> HTTPResponse {
      await gate.respond(
        to: WebRequest(
          method: "GET", path: "/.gate/check",
          fields: try HTTPFields([
            ("X-Original-URI", path), ("X-Original-Method", "GET"), ("X-Original-Proto", "https"),
            ("X-Original-Host", host),
          ])), from: "127.0.0.1")
    }
    for path in ["/", "/page", "/.gatex", "/.gate/../page", "/.gate%2f..%2fpage"] {
      let refused = try await status("app.example", path)
      #expect(refused.status == 403, "\(path)")
    }
    #expect(try await status("app.example", "/page").isRefusal(.gateHost))
    #expect(try await status("app.example", "/.gate/account").status == 200)
    #expect(try await status("wiki.example", "/page").status == 200)
  }
}
