import Foundation
@testable import GateService
import TestSupport
import Testing

@Suite("The recipes of proxies")
struct ProxyRecipeTests {
  /// The file of docs/gate.md.
  private static let documented = """
    {"public": "https://app.example", "listen": "127.0.0.1:4180",
     "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
     "providers": [{"id": "campus", "saml": {"metadata": "idp.xml"}}],
     "headers": {"X-Remote-User": "subject", "X-Remote-Email": "email", "X-Remote-Role": "role"}}
    """

  private static func recipe(
    _ kind: ProxyKind? = nil, _ text: String = documented,
    _ addresses: [(origin: HTTPOrigin, address: HostPort)] = []
  ) throws -> ProxyRecipe {
    let configuration = try #require(GateConfiguration.read(Array(text.utf8)).configuration)
    return try ProxyRecipe(configuration, kind: kind, addresses: addresses)
  }

  private static let several = documented.replacingOccurrences(
    of: "\"headers\"",
    with: "\"applications\": [{\"origin\": \"https://wiki.example\", \"rules\": []}], \"headers\"")

  private static func page() throws -> String {
    try String(
      contentsOf: TestVector.packageRoot.appending(path: "docs/gate.md"), encoding: .utf8)
  }

  @Test(
    "docs/gate.md has what the command prints",
    arguments: [
      (ProxyKind.nginx, ["nginx"]), (.caddy, ["caddyfile"]), (.haproxy, ["lua", "haproxy"]),
      (.envoy, ["envoy"]), (.traefik, ["traefik"]),
    ])
  func documentation(_ kind: ProxyKind, _ languages: [String]) throws {
    let page = try Self.page()
    let files = try Self.recipe(kind).fragments
    #expect(files.count == languages.count)
    for (file, language) in zip(files, languages) {
      #expect(page.contains("```\(language)\n\(file.text)```"), "\(language)")
    }
  }

  @Test("Without a kind the recipe is for the proxy of the file")
  func kind() throws {
    #expect(try Self.recipe().files.map(\.name) == ["nginx.conf"])
    #expect(try Self.recipe(.haproxy).files.map(\.name) == ["haproxy.cfg", "gate.lua"])
  }

  @Test("A host of the gate's pages alone leads to the gate, and takes no address")
  func pagesOnly() throws {
    let text = Self.several.replacingOccurrences(
      of: "\"headers\"", with: "\"pagesOnly\": true, \"headers\"")
    let hosts = try Self.recipe(.caddy, text).hosts
    #expect(hosts.map(\.application.port) == [4180, 8080])
    #expect(hosts.map(\.headers.isEmpty) == [true, false])
    let caddy = try Self.recipe(.caddy, text).caddy
    #expect(!caddy.contains("copy_headers \n"))
    let origin = try HTTPURL("https://app.example").origin
    let address = (origin, try HostPort("127.0.0.1:1"))
    #expect(throws: TokenError.self) { _ = try Self.recipe(.caddy, text, [address]) }
    _ = try Self.recipe(.caddy, Self.several, [address])
  }

  @Test("Several files are printed behind the name of each, and one file as it is")
  func printed() throws {
    let one = try Self.recipe(.caddy)
    #expect(ProxyRecipe.printed(one.files) == one.caddy)
    let several = ProxyRecipe.printed(try Self.recipe(.traefik).files)
    #expect(several.hasPrefix("# traefik.yaml\n") && several.contains("\n# dynamic.yaml\n"))
  }

  @Test(
    "Every recipe has the application's address, the gate's and every header",
    arguments: ProxyKind.allCases)
  func parts(_ kind: ProxyKind) throws {
    let origin = try HTTPURL("https://app.example").origin
    let recipe = try Self.recipe(
      kind, Self.documented, [(origin, try HostPort("10.0.0.7:9000"))])
    let text = ProxyRecipe.printed(recipe.files)
    #expect(text.contains("10.0.0.7") && text.contains("9000") && text.contains("4180"))
    for part in ["user", "email", "role"] { #expect(text.lowercased().contains(part)) }
    #expect(!ProxyRecipe.printed(recipe.fragments).contains("app.example.crt"))
  }

  @Test(
    "Every host has an application of its own, and the gate is told of which",
    arguments: ProxyKind.allCases)
  func hosts(_ kind: ProxyKind) throws {
    let text = ProxyRecipe.printed(try Self.recipe(kind, Self.several).files)
    #expect(text.contains("app.example") && text.contains("wiki.example"))
    #expect(text.contains("8080") && text.contains("8081"))
  }

  @Test("The address of an origin that the file does not name is refused")
  func strangers() throws {
    let origin = try HTTPURL("https://other.example").origin
    #expect(throws: TokenError.self) {
      _ = try Self.recipe(.caddy, Self.documented, [(origin, try HostPort("127.0.0.1:1"))])
    }
  }

  @Test("nginx cannot set a header with another character than letters, digits and the dash")
  func headerNames() throws {
    let odd = Self.documented.replacingOccurrences(of: "X-Remote-Email", with: "X.Remote.Email")
    #expect(throws: TokenError.self) { _ = try Self.recipe(.nginx, odd) }
    #expect(try Self.recipe(.caddy, odd).caddy.contains("X.Remote.Email"))
  }

  @Test(
    "Over plain http the cookies of the gate have either name, over https that of the host alone",
    arguments: [
      (ProxyKind.caddy, "(?:__Host-)?(?:session|", "(?:__Host-(?:session|"),
      (.haproxy, "gate_check session if", "gate_check __Host-session if"),
      (.envoy, #"("session"):sub"#, #"("__Host-session"):sub"#),
    ])
  func cookies(kind: ProxyKind, bare: String, whole: String) throws {
    let plain = Self.documented.replacingOccurrences(
      of: "https://app.example", with: "http://127.0.0.1:8000")
    let (http, https) = (
      ProxyRecipe.printed(try Self.recipe(kind, plain).files),
      ProxyRecipe.printed(try Self.recipe(kind).files)
    )
    #expect(http.contains(bare) && !http.contains(whole))
    #expect(https.contains(whole) && !https.contains(bare))
  }

  @Test("The expression for any other protocol than websocket matches each but that")
  func otherProtocols() throws {
    let expression = try NSRegularExpression(pattern: "^(?:\(ProxyRecipe.notWebsocket))$")
    for (text, matches) in [
      ("websocket", false), ("WebSocket", false), ("h2c", true), ("", true), ("websocket2", true),
      ("websocke", true), ("webSockeX", true), ("h2c-abcde", true),
    ] {
      let range = NSRange(text.startIndex..., in: text)
      #expect((expression.firstMatch(in: text, range: range) != nil) == matches, "\(text)")
    }
  }

  @Test("The Cookie header for an application has every cookie but the gate's own, in order")
  func keptCookies() throws {
    let secure = GateCookies(
      at: try SiteSettings(origin: HTTPURL("https://app.example").origin, prefix: "/.gate/"))
    let plain = GateCookies(
      at: try SiteSettings(origin: HTTPURL("http://localhost").origin, prefix: "/.gate/"))
    let values = [
      "a=1; __Host-session=x;__Host-session=y; b=\"2;3\"",
      "\t__Host-signin-q=z; session=own; __Host-session-ends=4",
    ]
    #expect(secure.without(own: values) == "a=1; b=\"2;3\"; session=own; __Host-session-ends=4")
    #expect(
      plain.without(own: ["session=x; session-end=y; signin-times=z; app-signin-a=b; sessions=1"])
        == "sessions=1")
    #expect(secure.without(own: ["__Host-session=x", ""]) == nil)
    #expect(secure.without(own: []) == nil)
  }

  @Test(
    "The gate's answer carries the Cookie header for nginx and Traefik",
    arguments: ProxyKind.allCases)
  func takers(_ kind: ProxyKind) {
    #expect(kind.takesCookies == (kind == .nginx || kind == .traefik))
  }
}
