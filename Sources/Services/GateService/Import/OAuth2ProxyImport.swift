import HTTPExchange
import TokenBasics

/// A gate's file made from a configuration file of oauth2-proxy, and what could not be carried over.
///
/// The new file never lets in more people than the old one: where a restriction cannot be carried over, a rule lets nobody in
/// until the operator changes it.
package struct OAuth2ProxyImport {
  /// A setting that has no counterpart, or one that has to be looked at.
  package struct Note: Sendable, Equatable {
    package let line: Int
    package let setting: String
    package let text: String
  }

  /// gate.json.
  package private(set) var text = ""
  /// The client secret of the old file, for a file of its own; nil without one.
  package private(set) var secret: String?
  package private(set) var notes: [Note] = []
  /// Where the application listens; nil where the old file does not say it.
  package private(set) var application: HostPort?

  private let settings: OAuth2ProxySettings
  private var used: Set<String> = []
  private var isRestricted = false

  /// - Parameters:
  ///   - text: The configuration file.
  ///   - emails: The lines of a file that it names; nil for one that cannot be read.
  package init(_ text: String, emails: (String) -> [String]?) {
    settings = OAuth2ProxySettings(text)
    for line in settings.strays {
      notes.append(Note(line: line, setting: "", text: "this line is not understood"))
    }
    var members: [String] = [Self.member("$schema", "gate.schema.json")]
    members += addresses()
    members.append(provider())
    members.append(session())
    members.append(headers())
    let rules = rules(emails)
    members.append(
      "\"rules\": [\(rules.isEmpty ? "" : "\n    " + rules.joined(separator: ",\n    ") + "\n  ")]")
    self.text = "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
    for setting in settings.settings where !used.contains(setting.name) {
      note(setting, Self.reasons[setting.name] ?? "has no counterpart in gate.json")
    }
    notes.sort { $0.line < $1.line }
  }

  private mutating func take(_ name: String) -> OAuth2ProxySettings.Setting? {
    used.insert(name)
    return settings[name]
  }

  private mutating func note(_ setting: OAuth2ProxySettings.Setting, _ text: String) {
    notes.append(Note(line: setting.line, setting: setting.name, text: text))
  }

  private mutating func addresses() -> [String] {
    var origin = "https://app.example"
    if let redirect = take("redirect_url") {
      if let url = try? HTTPURL(redirect.text) {
        origin = url.origin.description
      } else {
        note(
          redirect,
          "is no https address, nor http on loopback: write the address that browsers see as "
            + "\"public\"")
      }
    } else {
      notes.append(
        Note(
          line: 0, setting: "redirect_url",
          text: "is missing: write the address that browsers see as \"public\""))
    }
    var listen = "127.0.0.1:4180"
    if let address = take("http_address") {
      let text = address.text.replacing("http://", with: "")
      listen = text.hasPrefix(":") ? "0.0.0.0" + text : text
      if (try? HostPort(Substring(listen))) == nil {
        listen = "127.0.0.1:4180"
        note(address, "is no host:port; listen is \(listen)")
      }
    }
    let prefix = (take("proxy_prefix")?.text ?? "/oauth2") + "/"
    if let upstreams = take("upstreams") {
      application = upstreams.values.lazy.compactMap(Self.address).first
      if application == nil || upstreams.values.count > 1 {
        note(upstreams, "several upstreams and files are a matter of the proxy's configuration")
      }
    }
    _ = take("reverse_proxy")
    return [
      Self.member("public", origin), Self.member("listen", listen),
      "\"proxy\": {\"kind\": \"nginx\", \"peers\": [\"127.0.0.1\"]}",
      Self.member("prefix", prefix), Self.member("cookieKeys", "cookies.keys"),
    ]
  }

  /// Host and port of an upstream, `http://host:port/`; nil for a file.
  private static func address(_ upstream: String) -> HostPort? {
    for (scheme, port) in [("http://", 80), ("https://", 443)] where upstream.hasPrefix(scheme) {
      let authority = upstream.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
      return (try? HostPort(authority)) ?? (try? HostPort(authority + ":\(port)"))
    }
    return nil
  }

  private mutating func provider() -> String {
    var openID = [Self.member("issuer", issuer())]
    openID.append(Self.member("clientID", take("client_id")?.text ?? "write the client identifier"))
    if let secret = take("client_secret") {
      self.secret = secret.text
      openID.append(Self.member("clientSecret", "file:client.secret"))
    } else if let file = take("client_secret_file") {
      openID.append(Self.member("clientSecret", "file:" + file.text))
    }
    if let scope = take("scope") {
      let scopes = scope.text.split(separator: " ").map(String.init)
      openID.append(Self.member("scopes", scopes.contains("openid") ? scopes : ["openid"] + scopes))
    }
    if let prompt = take("prompt") { openID.append(Self.member("prompt", prompt.text)) }
    if let refresh = take("cookie_refresh"), refresh.text != "0", refresh.text != "0s" {
      if let seconds = Self.seconds(refresh.text), (60...86_400).contains(seconds) {
        openID.append("\"refresh\": \(seconds)")
      } else {
        note(refresh, "refresh is a number of seconds from 60 to 86400")
      }
    }
    var members = [
      Self.member("id", "login"),
      Self.member("name", take("provider_display_name")?.text ?? "Sign-in"),
      "\"openID\": {\(openID.joined(separator: ", "))}",
    ]
    var claims: [String] = []
    for (name, setting) in [("groups", "oidc_groups_claim"), ("email", "oidc_email_claim")] {
      guard let claim = take(setting), !["groups", "email"].contains(claim.text) else { continue }
      claims.append(Self.member(name, [claim.text]))
    }
    if !claims.isEmpty { members.append("\"claims\": {\(claims.joined(separator: ", "))}") }
    _ = take("code_challenge_method")
    return "\"providers\": [{\(members.joined(separator: ", "))}]"
  }

  private mutating func issuer() -> String {
    let kind = take("provider")
    if let issuer = take("oidc_issuer_url") { return issuer.text }
    switch kind?.text {
    case "google", nil:
      return "https://accounts.google.com"
    case "gitlab": return "https://gitlab.com"
    default:
      if let kind {
        note(
          kind,
          "is no OpenID Connect provider without oidc_issuer_url: write its issuer, or put "
            + "an OpenID Connect provider before it")
      }
      return "https://issuer.example"
    }
  }

  private mutating func session() -> String {
    let lifetime = take("cookie_expire").flatMap { Self.seconds($0.text) } ?? 604_800
    var store = "\"sqlite:gate.db\""
    let kind = take("session_store_type")
    if let url = take("redis_connection_url"), kind?.text == "redis" {
      let password = take("redis_password")
      if let password {
        note(password, "write it into a file and name that as password of the store")
      }
      store = "{\(Self.member("redis", url.text))}"
    }
    return
      "\"session\": {\"store\": \(store), \"lifetime\": \(min(max(lifetime, 60), 2_592_000)), \"idle\": 1800}"
  }

  private mutating func headers() -> String {
    let passes = take("pass_user_headers")
    _ = take("set_xauthrequest")
    if let passes, passes.isTrue {
      note(
        passes,
        "the application gets X-Auth-Request-User, -Email, -Groups and -Preferred-Username: "
          + "the gate sets no X-Forwarded-… headers")
    }
    let names = [
      ("X-Auth-Request-User", "subject"), ("X-Auth-Request-Email", "email"),
      ("X-Auth-Request-Groups", "groups"), ("X-Auth-Request-Preferred-Username", "username"),
    ]
    return "\"headers\": {\(names.map { Self.member($0.0, $0.1) }.joined(separator: ", "))}"
  }

  private mutating func rules(_ emails: (String) -> [String]?) -> [String] {
    var rules: [String] = []
    var restrictions: [String] = []
    if let domains = take("email_domains"), !domains.values.contains("*") {
      isRestricted = true
      note(
        domains,
        "rules have no pattern for domains: the rule for / lets nobody in until you write "
          + "addresses or a group into it")
    }
    if let file = take("authenticated_emails_file") {
      if let list = emails(file.text), !list.isEmpty {
        restrictions.append(Self.rule("email", list))
      } else {
        isRestricted = true
        note(
          file, "cannot be read: the rule for / lets nobody in until you write addresses into it")
      }
    }
    for name in ["allowed_groups", "allowed_roles"] {
      guard let list = take(name), !list.values.isEmpty else { continue }
      restrictions.append(Self.rule(name == "allowed_groups" ? "groups" : "roles", list.values))
    }
    if restrictions.count == 1, !isRestricted {
      rules += restrictions
    } else if !restrictions.isEmpty {
      isRestricted = true
      notes.append(
        Note(
          line: 0, setting: "allowed_groups",
          text:
            "several conditions for one path: the rule for / lets nobody in until you choose one"))
    }
    if isRestricted { rules.append(Self.rule("email", ["nobody: write here who may come in"])) }
    for name in ["skip_auth_routes", "skip_auth_regex"] {
      guard let routes = take(name) else { continue }
      for route in routes.values {
        if let rule = Self.openRule(route) {
          rules.append(rule)
        } else {
          note(
            routes, "\(TokenError.excerpt(route)) is no prefix of a path; that path needs a sign-in"
          )
        }
      }
    }
    return rules
  }

  private static func rule(_ claim: String, _ values: [String]) -> String {
    "{\(member("path", "/")), \(member("claim", claim)), \(member("oneOf", values))}"
  }

  /// A public rule for `METHOD=^/path`, or `^/path/.*`; nil for an expression that a prefix cannot say.
  private static func openRule(_ route: String) -> String? {
    var rest = Substring(route)
    var method: Substring?
    if let sign = rest.firstIndex(of: "="), rest[..<sign].allSatisfy({ $0.isUppercase }) {
      method = rest[..<sign]
      rest = rest[rest.index(after: sign)...]
    }
    guard rest.hasPrefix("^/") else { return nil }
    rest = rest.dropFirst()
    for end in ["/.*$", "/.*", ".*"] where rest.hasSuffix(end) {
      rest = rest.dropLast(end.count)
      break
    }
    let path = rest.isEmpty ? "/" : String(rest)
    // A slash alone would open everything.
    guard path != "/",
      path.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/-_~".contains($0)) })
    else { return nil }
    let verb = method.map { member("method", String($0)) + ", " } ?? ""
    return "{\(member("path", path)), \(verb)\"public\": true}"
  }

  /// The seconds of a duration of Go, such as `168h0m0s`.
  static func seconds(_ text: String) -> Int? {
    var total = 0
    var number = 0
    var digits = 0
    for character in text {
      if let digit = character.wholeNumberValue {
        guard digits < 9 else { return nil }
        number = number * 10 + digit
        digits += 1
        continue
      }
      guard digits > 0, let factor = ["h": 3_600, "m": 60, "s": 1][character] else { return nil }
      total += number * factor
      (number, digits) = (0, 0)
    }
    return digits == 0 && !text.isEmpty ? total : nil
  }

  private static func member(_ name: String, _ value: String) -> String {
    "\(JSONWriter.literal(name)): \(JSONWriter.literal(value))"
  }

  private static func member(_ name: String, _ values: [String]) -> String {
    "\(JSONWriter.literal(name)): [\(values.map(JSONWriter.literal).joined(separator: ", "))]"
  }

  /// Why well-known settings are not carried over, and what to do instead.
  private static let reasons = [
    "cookie_secret": "a new key is in cookies.keys; people sign in once more",
    "cookie_name": "the gate's cookies have names of their own",
    "cookie_secure": "follows from public: https has __Host- cookies",
    "cookie_domains": "each application has a cookie of its own: list other hosts in applications",
    "cookie_samesite": "the gate sets SameSite itself",
    "cookie_httponly": "the gate's cookies are always HttpOnly",
    "pass_access_token": "the gate keeps access tokens: use identityToken",
    "pass_authorization_header": "use identityToken, which the gate signs",
    "set_authorization_header": "use identityToken, which the gate signs",
    "pass_basic_auth": "the application reads headers: see headers and identityToken",
    "basic_auth_password": "the application reads headers: see headers and identityToken",
    "skip_jwt_bearer_tokens": "list the issuers in a trust file and name it in tokens",
    "extra_jwt_issuers": "list the issuers in a trust file and name it in tokens",
    "skip_auth_preflight":
      "write a public rule with \"method\": \"OPTIONS\" for the paths that need it",
    "skip_provider_button": "with one provider the gate shows no button",
    "insecure_oidc_allow_unverified_email": "list the domains to believe in emails of the provider",
    "oidc_extra_audiences": "see otherAudiences of the provider",
    "tls_cert_file": "TLS is a matter of the proxy",
    "tls_key_file": "TLS is a matter of the proxy",
    "https_address": "TLS is a matter of the proxy",
    "htpasswd_file": "the gate has no passwords of its own",
    "whitelist_domains": "the gate returns to origins of its file alone",
    "custom_templates_dir": "the gate has pages of its own: see name and logo",
    "login_url": "the provider's configuration says it",
    "redeem_url": "the provider's configuration says it",
    "oidc_jwks_url": "the provider's configuration says it",
    "skip_oidc_discovery": "the gate reads the provider's configuration: see configuration",
  ]
}
