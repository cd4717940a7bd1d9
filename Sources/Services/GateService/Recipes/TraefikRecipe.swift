extension ProxyRecipe {
  /// traefik.yaml, which names dynamic.yaml.
  var traefikStart: String {
    var ports: [String] = []
    for host in hosts {
      // Otherwise Traefik takes a semicolon of the query for an ampersand.
      let tls = ", http: {\(host.isSecure ? "tls: {}, " : "")encodeQuerySemicolons: true}"
      let entry = "{address: \"\(host.listener ?? ""):\(host.origin.port)\"\(tls)}"
      if !ports.contains(entry) { ports.append(entry) }
    }
    let entries = ports.enumerated().map { number, entry in
      "  web\(number == 0 ? "" : "\(number + 1)"): \(entry)\n"
    }
    return """
      global: {checkNewVersion: false, sendAnonymousUsage: false}
      entryPoints:
      \(entries.joined())\
      providers:
        file: {filename: dynamic.yaml}

      """
  }

  /// dynamic.yaml, what the file provider reads.
  ///
  /// - Parameter isFragment: Whether the files of TLS are named elsewhere.
  func traefik(isFragment: Bool = false) -> String {
    """
    http:
      routers:
    \(Self.indented(hosts.map(traefikRouters).joined(), 4))\
      middlewares:
        # The one upgrade that passes is to websocket; any other request goes on as HTTP/1.1. The client's own Connection goes.
        upgrade: {headers: {customRequestHeaders: {Connection: Upgrade, Upgrade: websocket, HTTP2-Settings: ""}}}
        plain: {headers: {customRequestHeaders: {Connection: "", Upgrade: "", HTTP2-Settings: ""}}}
        signed-in:
          forwardAuth:
            address: "\(gateAddress)\(prefix)check?redirect"
            trustForwardHeader: false
            # The Cookie header without the cookies of the gate.
            authResponseHeaders: [Cookie]
            # Every spelling of them goes before the gate's are set: CGI and WSGI take X_Remote.User for X-Remote-User.
            authResponseHeadersRegex: "(?i)^(\(traefikPattern))$"
      services:
        gate: {loadBalancer: {servers: [{url: "\(gateAddress)"}]}}
    \(Self.indented(hosts.map(traefikService).joined(), 4))\(isFragment ? "" : traefikCertificates)
    """
  }

  /// What Traefik takes away from a client itself, and some of which it sets.
  private static let traefikNames = [
    "X-Forwarded-Uri", "X-Forwarded-Method", "X-Forwarded-Prefix", "X-Forwarded-Host",
    "X-Forwarded-Proto",
  ]

  /// Every spelling that goes before the gate's headers are set; of Traefik's own headers the other spellings alone.
  private var traefikPattern: String {
    let (own, others) = (
      PassageTable.forwardingNames.filter(Self.traefikNames.contains),
      PassageTable.forwardingNames.filter { !Self.traefikNames.contains($0) }
    )
    let odd = own.flatMap { name in
      let parts = name.lowercasedASCII.split(separator: "-")
      return parts.indices.dropLast().map { place in
        parts.indices.dropFirst().reduce("\(parts[0])") { text, index in
          text + (index == place + 1 ? "[^0-9a-z-]" : "[^0-9a-z]") + parts[index]
        }
      }
    }
    return ([pattern(headers + others)] + odd).joined(separator: "|")
  }

  private func traefikName(_ host: RecipeHost, _ part: String) -> String {
    hasSeveralHosts ? label(host) + "-" + part : part
  }

  private func traefikRouters(_ host: RecipeHost) -> String {
    // Without a router of its own the check is answered with 404.
    let site = hasSeveralHosts ? "Host(`\(host.origin.host)`) && " : ""
    let inside = "PathPrefix(`\(prefix)`)"
    let resource = host.description.map { " || Path(`\($0)`)" } ?? ""
    let service = traefikName(host, "application")
    let upgrade =
      #"Method(`GET`) && HeaderRegexp(`Connection`, `(?i)(^|,)\\s*upgrade\\s*(,|$)`) && HeaderRegexp(`Upgrade`, `^(?i:websocket)$`)"#
    return """
      \(traefikName(host, "gate")):
        {rule: "\(site)(\(inside)\(resource)) && !PathPrefix(`\(prefix)check`)", priority: 3000, service: gate, middlewares: [plain]}
      \(traefikName(host, "websocket")):
        {rule: "\(site)!\(inside) && \(upgrade)", priority: 2000, service: \(service), middlewares: [upgrade, signed-in]}
      \(traefikName(host, "application")):
        {rule: "\(site)!\(inside)", priority: 1000, service: \(service), middlewares: [plain, signed-in]}

      """
  }

  private func traefikService(_ host: RecipeHost) -> String {
    "\(traefikName(host, "application")): {loadBalancer: {servers: [{url: \"http://\(host.application)\"}]}}\n"
  }

  private var traefikCertificates: String {
    let files = hosts.filter(\.isSecure).map { host in
      "  - {certFile: \(host.fileName).crt, keyFile: \(host.fileName).key}\n"
    }
    return files.isEmpty ? "" : "tls:\n  certificates:\n" + files.joined()
  }
}
