package import HTTPExchange
import Octets
import SignIn
package import TokenBasics

/// The configuration with which a proxy asks the gate about every request.
///
/// The rows of ``RequestTable`` say what of a request reaches an application; each proxy has its own words for them.
package struct ProxyRecipe: Sendable {
  /// The proxy.
  package let kind: ProxyKind
  /// Where the gate listens, as the proxy reaches it.
  let gate: HostPort
  /// The path below which the gate answers.
  let prefix: String
  /// The hosts; never empty.
  let hosts: [RecipeHost]
  /// A name for the sections of each host, of letters, digits and `-`; none is that of another section.
  private let labels: [HTTPOrigin: String]
  /// What the names of the gate's cookies begin with: `__Host-` where `public` is https.
  let cookiePrefix: String

  /// Makes a recipe from the gate's file.
  ///
  /// - Parameters:
  ///   - configuration: The file.
  ///   - kind: The proxy; nil for the one that the file names.
  ///   - addresses: Where applications listen. Others are at 127.0.0.1, from port 8080 on.
  /// - Throws: `gate.host` for the address of an origin that the file does not name, or that has the gate's pages alone;
  ///   `gate.file-value` for a name of a header that this proxy cannot set.
  package init(
    _ configuration: GateConfiguration, kind: ProxyKind? = nil,
    addresses: [(origin: HTTPOrigin, address: HostPort)] = []
  ) throws(TokenError) {
    self.kind = kind ?? configuration.proxy
    prefix = configuration.prefix
    let listen = configuration.listen
    if listen.socket != nil {
      throw TokenError(
        .gateValue, node: "listen", expected: "host:port for a recipe", found: "\(listen)",
        hint:
          "make the recipe with listen at 127.0.0.1:4180, then write the proxy's own name of the socket in its place"
      )
    }
    let isEverywhere = ["0.0.0.0", "::"].contains(listen.host)
    gate = isEverywhere ? HostPort(host: "127.0.0.1", port: listen.port) : listen
    cookiePrefix = configuration.origin.scheme == "https" ? "__Host-" : ""
    let pages = configuration.hasPagesOnly ? configuration.origin : nil
    let origins = [configuration.origin] + configuration.applications.map(\.origin)
    if let stranger = addresses.first(where: { !origins.contains($0.origin) || $0.origin == pages })
    {
      throw TokenError(
        .gateHost,
        expected: "one of "
          + origins.filter { $0 != pages }.map(\.description).joined(separator: ", "),
        found: TokenError.excerpt(stranger.origin.description))
    }
    let gate = gate
    var port = 8080
    hosts = origins.compactMap { configuration.viewed(at: $0) }.map { view in
      if view.origin == pages {
        return RecipeHost(origin: view.origin, application: gate, headers: [])
      }
      let known = addresses.last { $0.origin == view.origin }?.address
      if known == nil { port += 1 }
      return RecipeHost(
        origin: view.origin, application: known ?? HostPort(host: "127.0.0.1", port: port - 1),
        headers: view.headerNames, description: view.resource?.metadataPath)
    }
    labels = Self.labels(hosts)
    try checkHeaders()
  }

  private static func labels(_ hosts: [RecipeHost]) -> [HTTPOrigin: String] {
    var taken: Set<String> = ["gate", "application", "site"]
    var labels: [HTTPOrigin: String] = [:]
    for host in hosts {
      let plain = String(
        host.origin.host.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
      var (label, number) = (plain, 1)
      while !taken.insert(label).inserted {
        number += 1
        label = "\(plain)-\(number)"
      }
      labels[host.origin] = label
    }
    return labels
  }

  /// The name for the sections of a host.
  func label(_ host: RecipeHost) -> String { labels[host.origin] ?? "" }

  /// nginx has variables for names of letters, digits, `-` and `_` alone.
  private func checkHeaders() throws(TokenError) {
    guard kind == .nginx else { return }
    let isPlain = { (name: String) in
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
    guard let odd = headers.first(where: { !isPlain($0) }) else { return }
    throw TokenError(
      .gateValue, node: "headers", expected: "a name of letters, digits and '-' for nginx",
      found: odd)
  }

  /// The whole configuration.
  package var files: [RecipeFile] {
    switch kind {
    case .nginx: [RecipeFile(name: "nginx.conf", text: nginx)]
    case .caddy: [RecipeFile(name: "Caddyfile", text: caddy)]
    case .haproxy:
      [
        RecipeFile(name: "haproxy.cfg", text: haproxy),
        RecipeFile(name: "gate.lua", text: haproxyScript),
      ]
    case .traefik:
      [
        RecipeFile(name: "traefik.yaml", text: traefikStart),
        RecipeFile(name: "dynamic.yaml", text: traefik()),
      ]
    case .envoy: [RecipeFile(name: "envoy.yaml", text: envoy())]
    }
  }

  /// The parts to put into a configuration that exists.
  package var fragments: [RecipeFile] {
    switch kind {
    case .nginx: [RecipeFile(name: "nginx.conf", text: nginxFragment)]
    case .caddy: [RecipeFile(name: "Caddyfile", text: caddyFragment)]
    case .haproxy:
      [
        RecipeFile(name: "gate.lua", text: haproxyScript),
        RecipeFile(name: "haproxy.cfg", text: haproxyFragment),
      ]
    case .traefik: [RecipeFile(name: "dynamic.yaml", text: traefik(isFragment: true))]
    case .envoy: [RecipeFile(name: "envoy.yaml", text: envoy(isFragment: true))]
    }
  }

  /// Files as they are printed: one as it is, several behind a comment with the name of each.
  package static func printed(_ files: [RecipeFile]) -> String {
    guard files.count > 1 else { return files.first?.text ?? "" }
    return files.map { "# \($0.name)\n\($0.text)" }.joined()
  }

  // MARK: What every proxy needs

  /// Whether the gate has to be told the host of each request.
  var hasSeveralHosts: Bool { hosts.count > 1 }

  /// The address of the gate.
  var gateAddress: String { "http://\(gate)" }

  /// The names of all identity headers, each once.
  var headers: [String] {
    var seen: Set<String> = []
    return hosts.flatMap(\.headers).filter { seen.insert($0.lowercasedASCII).inserted }
  }

  /// A regular expression for the cookies of the gate, without anchors.
  var cookiePattern: String {
    PassageTable(identity: headers, isSecure: !cookiePrefix.isEmpty, hasMethods: false)
      .cookiePattern
  }

  /// A regular expression for every spelling of names: CGI, WSGI and others take any character but letters and digits for the same one.
  /// Names are compared in lower case.
  func pattern(_ names: [String]) -> String {
    names.map { name in
      name.lowercasedASCII.map { character in
        character.isLetter || character.isNumber ? String(character) : "[^0-9a-z]"
      }.joined()
    }.joined(separator: "|")
  }

  /// Lines with `spaces` before each that is not empty.
  static func indented(_ text: String, _ spaces: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: spaces) + $0 }
      .joined(separator: "\n")
  }

  /// The number rounded up to a power of two.
  static func rounded(_ kilobytes: Int) -> Int {
    var size = 1
    while size < kilobytes { size *= 2 }
    return size
  }

  /// The most kilobytes of the identity headers, of which each may have four.
  var identityKilobytes: Int { 4 * headers.count }
}
