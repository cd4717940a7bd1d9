public import Federation
public import HTTPExchange
import Octets
import SecurityKeys
package import TokenBasics

/// A session of a signed-in principal, as a ``SessionStore`` keeps it.
public struct SignedInSession: Sendable, CustomStringConvertible {
  /// Who signed in.
  public let principal: FederatedPrincipal
  /// The configured provider at which the principal signed in.
  public let provider: String
  /// When the session began.
  public let begun: Instant
  /// When it ends at the latest: its lifetime, or earlier where the issuer ends it.
  public let end: Instant
  /// The ID token of an OpenID sign-in, to be shown to the provider at sign-out; nil for other protocols.
  public let idToken: Secret?
  /// How its claims are read anew; nil for a session that keeps those of its sign-in.
  public var renewal: SessionRenewal?
  /// How recent and how strong the sign-in was asked to be; nil for neither.
  public var asked: AskedAuthentication?
  /// When it was last used, exact to a minute.
  public var lastUse: Instant
  /// Whether `claims-gate doctor` made it, so that a gate answers as one that cannot. No sign-in does.
  package var isRehearsal = false

  /// A session.
  public init(
    principal: FederatedPrincipal, provider: String, begun: Instant, end: Instant,
    lastUse: Instant, idToken: Secret? = nil, renewal: SessionRenewal? = nil
  ) {
    self.principal = principal
    self.provider = provider
    self.begun = begun
    self.end = end
    self.lastUse = lastUse
    self.idToken = idToken
    self.renewal = renewal
  }

  /// The session with the claims that were read anew; everything else stays.
  func renewed(_ principal: FederatedPrincipal, _ renewal: SessionRenewal, at now: Instant) -> Self
  {
    var session = Self(
      principal: principal, provider: provider, begun: begun, end: end, lastUse: now,
      idToken: idToken, renewal: renewal)
    session.asked = asked
    session.isRehearsal = isRehearsal
    return session
  }

  /// Whether the session is over, by its end or because nobody used it for `idle` seconds.
  public func isOver(at now: Instant, idle: Int64) -> Bool {
    now >= end || now >= lastUse.advanced(bySeconds: idle)
  }

  /// The provider and the times; neither subject nor claim.
  public var description: String {
    "a session at \(provider) from \(begun.rfc3339) to \(end.rfc3339)"
  }
}

extension SignedInSession {
  /// The session as JSON in UTF-8, for a store outside of the process; times are exact to a second.
  ///
  /// It holds the claims and the ID token: a store encrypts it, or keeps it where only the service reads.
  public var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("provider", provider)
      json.member("issuer", principal.issuer)
      json.member("subject", principal.subject)
      json.member("format", principal.format.name)
      json.member("idToken", idToken?.revealed)
      json.member("refreshToken", renewal?.refreshToken.revealed)
      json.member("index", principal.issuerSession.index)
      if let name = principal.issuerSession.name {
        json.member("name", name.text)
        json.member("nameFormat", name.format)
        json.member("nameQualifier", name.nameQualifier)
        json.member("spNameQualifier", name.spNameQualifier)
      }
      for (name, instant) in [
        ("begun", begun), ("end", end), ("lastUse", lastUse),
        ("issuerEnd", principal.issuerSession.end), ("renewalDue", renewal?.due),
      ] {
        guard let instant else { continue }
        json.name(text: name)
        json.integer(Int(instant.seconds))
      }
      if let asked {
        json.name("asked")
        asked.write(to: &json)
      }
      if isRehearsal {
        json.name("rehearsal")
        json.bool(true)
      }
      json.name("warnings")
      json.array { json in for warning in principal.warnings { json.string(warning) } }
      json.name("claims")
      json.array { json in
        for claim in principal.claims {
          Self.write(claim, to: &json)
        }
      }
    }
    return json.bytes
  }

  /// The session that ``json`` wrote; nil for anything else.
  public init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets) else { return nil }
    self.init(json)
  }

  /// The session that ``json`` wrote, as a part of something else.
  package init?(_ json: JSONValue) {
    guard let provider = json["provider"]?.string, let issuer = json["issuer"]?.string,
      let subject = json["subject"]?.string,
      let format = json["format"]?.string.flatMap({ TokenFormat($0) }),
      let begun = Self.instant(json["begun"]), let end = Self.instant(json["end"]),
      let lastUse = Self.instant(json["lastUse"]), let claims = json["claims"]?.array
    else { return nil }
    let name = json["name"]?.string.map {
      SubjectName(
        $0, format: json["nameFormat"]?.string, nameQualifier: json["nameQualifier"]?.string,
        spNameQualifier: json["spNameQualifier"]?.string)
    }
    self.init(
      principal: FederatedPrincipal(
        issuer: issuer, subject: subject, claims: ClaimSet(claims.compactMap(Self.claim)),
        format: format,
        issuerSession: IssuerSession(
          index: json["index"]?.string, name: name, end: Self.instant(json["issuerEnd"])),
        warnings: json["warnings"]?.array?.compactMap(\.string) ?? []),
      provider: provider, begun: begun, end: end, lastUse: lastUse,
      idToken: json["idToken"]?.string.map(Secret.init),
      renewal: json["refreshToken"]?.string.flatMap { token in
        Self.instant(json["renewalDue"]).map { SessionRenewal(Secret(token), due: $0) }
      })
    asked = AskedAuthentication(json["asked"])
    isRehearsal = json["rehearsal"]?.bool == true
  }

  private static func instant(_ json: JSONValue?) -> Instant? {
    json?.integer.map { Instant(secondsSinceEpoch: Int64($0)) }
  }

  private static func write(_ claim: Claim, to json: inout JSONWriter) {
    json.object { json in
      for (name, text) in [
        ("type", claim.type.name), ("value", claim.value), ("issuer", claim.issuer),
        ("valueType", claim.valueType), ("originalIssuer", claim.originalIssuer),
        ("originalName", claim.originalName),
      ] {
        json.member(named: name, text)
      }
      guard !claim.properties.isEmpty else { return }
      json.name("properties")
      json.object { json in
        for (name, value) in claim.properties {
          json.member(named: name, value)
        }
      }
    }
  }

  private static func claim(_ json: JSONValue) -> Claim? {
    guard let type = json["type"]?.string, let value = json["value"]?.string,
      let issuer = json["issuer"]?.string, let valueType = json["valueType"]?.string
    else { return nil }
    var properties: [String: String] = [:]
    for (name, value) in json["properties"]?.members ?? [] { properties[name] = value.string }
    return Claim(
      ClaimType(type), value, issuer: issuer, valueType: valueType,
      originalIssuer: json["originalIssuer"]?.string,
      originalName: json["originalName"]?.string, properties: properties)
  }
}

/// The identifier of a session: 256 random bits in the browser's cookie. A store knows its SHA-256 alone, so
/// that a copy of the store opens no session.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
  /// The SHA-256 of the identifier.
  public let digest: [UInt8]

  private init(hashed digest: [UInt8]) { self.digest = digest }

  /// The identifier that a store has; nil for what is no SHA-256. It finds a session and opens none: its
  /// cookie cannot be computed from it.
  public init?(digest: [UInt8]) {
    guard digest.count == 32 else { return nil }
    self.init(hashed: digest)
  }

  /// A new identifier, with the value of its cookie.
  public static func make(_ random: RandomSource = RandomSource()) -> (id: Self, cookie: Secret) {
    let text = Base64.encode(random.octets(32), .url)
    return (Self(hashed: digest(of: text, "session")), Secret(text))
  }

  /// The identifier that a cookie has; nil for what cannot be one.
  public init?(_ cookie: Secret) {
    guard cookie.revealed.utf8.count == 43 else { return nil }
    self.init(hashed: Self.digest(of: cookie.revealed, "session"))
  }

  /// A text that a page of ours sends back with a form, which another site cannot know.
  public static func formToken(_ cookie: Secret) -> String {
    Hex.encode(digest(of: cookie.revealed, "form"))
  }

  /// Eight digits of the digest: enough to find the session in a log.
  public var description: String { "session " + Hex.encode(Array(digest.prefix(4))) }

  private static func digest(of text: String, _ purpose: String) -> [UInt8] {
    let octets = Array("\(purpose):\(text)".utf8)
    return DigestAlgorithm.sha256.digest(of: octets) ?? octets
  }
}
