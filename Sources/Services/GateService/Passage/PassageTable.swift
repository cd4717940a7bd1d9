import Octets
package import SignIn

/// What of a request may reach an application: a row for each kind of header that can change who somebody is or what is asked. A header that
/// is in no row passes unchanged.
///
/// The gate judges by it, the names that a file may give to headers are checked by it, and what the proxies' configurations remove is
/// made from it.
package struct PassageTable: Sendable {
  /// A kind of header.
  package enum Kind: String, CaseIterable, Sendable {
    /// Another protocol on the same connection.
    case upgrades
    /// What names other headers that the next reader takes out.
    case connection
    /// The cookies of the gate.
    case cookies
    /// What tells the application who asks.
    case identity
    /// Another method than that of the request line.
    case methodOverride = "method override"
    /// The host that is asked.
    case host
    /// What proxies say of the request that is judged.
    case forwarding
  }

  /// Who does what with the headers of a row.
  package enum Treatment: Sendable {
    /// The proxy removes them before it asks the gate, and sets its own where one is needed.
    case removed
    /// The proxy removes them, but for the values that pass; the gate refuses with this code what arrives all the same.
    case filtered(TokenError.Code)
    /// The proxy shows them to the gate, which refuses the request with this code.
    case judged(TokenError.Code)
    /// The proxy removes the client's own, and sets those of the gate's answer.
    case replaced
    /// The proxy removes from their values what is the gate's, behind the question to the gate, and leaves the rest.
    case edited
  }

  /// A kind of header and what becomes of it.
  package struct Row: Sendable {
    /// The kind.
    package let kind: Kind
    /// The names of the headers.
    package let names: [String]
    /// Whether every spelling of the names is meant (``HeaderSpelling``), or the names alone, in any case.
    package let hasSpellings: Bool
    /// What becomes of them.
    package let treatment: Treatment
    /// What passes all the same, in a sentence.
    package let passes: String

    /// Whether a header is of this row.
    package func covers(_ name: String) -> Bool {
      hasSpellings
        ? names.contains { HeaderSpelling.areAlike($0, name) }
        : names.contains { $0.utf8.span.equalsIgnoringCase(name.utf8.span) }
    }
  }

  /// The rows.
  package let rows: [Row]
  /// The cookies of the gate that are removed.
  package let cookies: [SiteCookie]
  /// Whether cookies of these names are the gate's without `__Host-` too: over plain http alone, since an application behind https may
  /// have a cookie `session` of its own.
  package let hasBareCookies: Bool

  /// The table for an application.
  ///
  /// - Parameters:
  ///   - identity: The names of the headers that tell it who asks.
  ///   - isSecure: Whether its origin is https.
  ///   - hasMethods: Whether one of its rules is for a method.
  package init(identity: [String], isSecure: Bool, hasMethods: Bool) {
    cookies = SiteCookie.all
    hasBareCookies = !isSecure
    rows = [
      Row(
        kind: .upgrades, names: Self.upgradeNames, hasSpellings: false,
        treatment: .filtered(.gateUpgrade),
        passes: "Upgrade: websocket, as the only value, on a GET of HTTP/1.1"),
      Row(
        kind: .connection, names: Self.connectionNames, hasSpellings: false, treatment: .removed,
        passes: "Connection: Upgrade, set by the proxy, where a websocket passes"),
      Row(
        kind: .cookies, names: ["Cookie"], hasSpellings: false, treatment: .edited,
        passes: "every cookie of the application"),
      Row(
        kind: .identity, names: identity, hasSpellings: true, treatment: .replaced,
        passes: "what the gate's answer has, each header once"),
      Row(
        kind: .methodOverride, names: Self.methodOverrideNames, hasSpellings: true,
        treatment: .judged(.gateMethodOverride),
        passes: hasMethods
          ? "nothing, since a rule is for a method" : "everything, since no rule is for a method"),
      Row(
        kind: .host, names: ["Host"], hasSpellings: false, treatment: .judged(.gateHostRepeated),
        passes: "one line with one host"),
      Row(
        kind: .forwarding, names: Self.forwardingNames, hasSpellings: true, treatment: .removed,
        passes: "what the proxy itself sets"),
    ]
  }

  /// The table for what a file says of one application (``GateConfiguration/viewed(at:)``).
  package init(_ configuration: GateConfiguration) {
    self.init(
      identity: configuration.headerNames, isSecure: configuration.origin.scheme == "https",
      hasMethods: configuration.rules.hasMethods)
  }

  /// The row of a kind.
  package subscript(_ kind: Kind) -> Row? { rows.first { $0.kind == kind } }

  /// The names of the gate's cookies as a regular expression for what stands before `=`, without anchors. It has no backslash.
  package var cookiePattern: String {
    let names = cookies.map { $0.name + ($0.isBeginning ? "[^=;]*" : "") }
    let prefix = hasBareCookies ? "(?:\(SiteCookie.hostPrefix))?" : SiteCookie.hostPrefix
    return prefix + "(?:" + names.joined(separator: "|") + ")"
  }
}

extension PassageTable {
  /// The headers that offer another protocol.
  package static let upgradeNames = ["Upgrade", "HTTP2-Settings"]
  /// The only protocol that a connection may change to.
  package static let upgrade = "websocket"
  /// The headers for the next reader alone (RFC 9110, 7.6.1), and its older name.
  package static let connectionNames = ["Connection", "Proxy-Connection", "Keep-Alive", "TE"]
  /// The headers by which frameworks take another method than that of the request line.
  package static let methodOverrideNames = [
    "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override",
  ]
  /// The header fields by which proxies of all kinds name a request, none of which may come from a client.
  package static let forwardingNames = [
    "X-Original-URI", "X-Original-Method", "X-Original-URL", "X-Original-Proto", "X-Original-Host",
    "X-Forwarded-Uri", "X-Forwarded-Method", "X-Forwarded-Path", "X-Forwarded-Prefix",
    "X-Forwarded-Host", "X-Forwarded-Proto", "X-Rewrite-URL", "Forwarded",
  ]

  /// Whether a name is that of a header of some row which a file names for identities: it means something to HTTP, the proxy or the gate.
  static func isTaken(_ name: String) -> Bool {
    let taken =
      upgradeNames + connectionNames + methodOverrideNames + forwardingNames + ["Cookie", "Host"]
    return taken.contains { HeaderSpelling.areAlike($0, name) }
  }
}
