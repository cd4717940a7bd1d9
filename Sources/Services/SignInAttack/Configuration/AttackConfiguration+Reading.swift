package import Settings
import TokenBasics

extension AttackConfiguration {
  /// Reads the file. Unknown members are errors, and every error has its line.
  package static func read(_ octets: [UInt8]) -> (configuration: Self?, errors: [TokenError]) {
    do throws(TokenError) {
      let json = try SettingsFile.document(octets, orThrow: .attackSyntax)
      let file = SettingsFile(octets, json, AttackFileReader.codes)
      let configuration = AttackFileReader(file).read()
      let errors = file.finish()
      return (errors.isEmpty ? configuration : nil, errors)
    } catch {
      return (nil, [error])
    }
  }

  /// The members of the file.
  package static var settings: SettingsDescription {
    SettingsFile.description(AttackFileReader.codes) { _ = AttackFileReader($0).read() }
  }
}

/// Reads the file member by member.
private struct AttackFileReader {
  static let codes = SettingsCodes(member: .attackMember, value: .attackValue)

  private let file: SettingsFile

  init(_ file: SettingsFile) { self.file = file }

  func read() -> AttackConfiguration? {
    let root = file.root()
    let name = root.choice(
      "protocol", "protocol of the sign-in", of: AttackConfiguration.SignInProtocol.self,
      required: true)
    let listen = readListen(root)
    let origin = readOrigin(root)
    let start = address(
      root, "start", "address at which a sign-in begins", required: true)
    let probe = readProbe(root)
    let person = readPerson(root)
    let attacker = readAttacker(root, beside: person)
    // All errors are reported at once, also those of members beside a missing one.
    let service = readService(root, of: [start, probe?.url].compactMap { $0?.origin })
    let authorized = readAuthorized(root)
    let limits = readLimits(root)
    checkConsent(
      root, authorized, listen: listen,
      [("start", start), ("probe", probe?.url), ("reread", service.rereading?.url)])
    guard let name, let listen, let origin, let start, let probe, let person, let attacker else {
      return nil
    }
    var configuration = AttackConfiguration(
      name, listen: listen, origin: origin, start: start, probe: probe, person: person,
      attacker: attacker)
    configuration.authorized = authorized
    service.set(in: &configuration)
    limits.set(in: &configuration)
    return configuration
  }

  // MARK: Members

  private func readListen(_ root: SettingsObject) -> HostPort? {
    let value = root.value(
      "listen",
      "where the test provider listens, as `host:port`: an address of loopback or localhost, unless the file has `authorized`",
      .text(), required: true)
    guard let value, let text = file.text(value) else { return nil }
    do throws(HostPort.Refusal) {
      return try HostPort(text)
    } catch {
      file.refuse(value, error.expected)
      return nil
    }
  }

  private func readOrigin(_ root: SettingsObject) -> HTTPURL? {
    let value = root.value(
      "public", "origin of the test provider, which is also its name: `http://127.0.0.1:9400`",
      .text(), required: true)
    guard let value, let url = address(value) else { return nil }
    guard url.path == "/", url.query == nil else {
      file.refuse(value, "an origin, such as http://127.0.0.1:9400")
      return nil
    }
    return url
  }

  private func readProbe(_ root: SettingsObject) -> AttackConfiguration.Probe? {
    let words =
      "page that shows whether a person is signed in. `PERSON` stands for the subject of the answer, which differs in each"
    guard let probe = root.object("probe", words, required: true) else { return nil }
    let url = address(probe, "url", "address of the page", required: true)
    let status = probe.whole(
      "status", "HTTP status of the page for a person who is signed in", 100...599, default: 200)
    let text = probe.text(
      "contains",
      "text of the page for a person who is signed in, such as `Hello PERSON`. With words around `PERSON` the page of a "
        + "person is told from any other, also where all pages have one status")
    return url.map { AttackConfiguration.Probe($0, status: status, contains: text) }
  }

  private func readPerson(_ root: SettingsObject) -> AttackConfiguration.Person? {
    guard let person = root.object("person", "person in the honest answer", required: true) else {
      return nil
    }
    let subject = person.text("subject", "subject of the honest answer", required: true)
    let claims = person.pairs(
      "claims", "claims by type; `PERSON` in a value stands for the subject")
    return subject.map {
      AttackConfiguration.Person($0, claims: claims.map { (type: $0.name, value: $0.value) })
    }
  }

  private func readAttacker(
    _ root: SettingsObject, beside person: AttackConfiguration.Person?
  ) -> String? {
    guard let attacker = root.object("attacker", "person that forged parts name") else {
      return "admin"
    }
    let subject = attacker.text(
      "subject",
      "subject of forged parts, in the answers of all protocols; `admin` without `attacker`. Choose one that is on no page "
        + "of yours, and with `canaries` `false` a person whom the service knows: it refuses anyone else, and a forged part "
        + "that it reads stays unseen", required: true)
    if let subject, subject == person?.subject, let json = attacker.json {
      file.refuse(json, "another subject than that of person")
    }
    return subject
  }

  /// A name that a person cannot see names no one.
  private func readAuthorized(_ root: SettingsObject) -> String? {
    let value = root.value(
      "authorized",
      "who allowed the test of a service beyond loopback, or a provider that listens there",
      .text(pattern: #"\S"#), without: "loopback alone")
    guard let value, let text = file.text(value) else { return nil }
    guard text.unicodeScalars.contains(where: { $0 != " " && !$0.isHidden }) else {
      file.refuse(value, "the name of the person who allowed the test")
      return nil
    }
    return text
  }

  /// What the file says of the service, and of what is played.
  private struct ServiceMembers {
    var entity: String?
    var consumer: HTTPURL?
    var logout: HTTPURL?
    var frontChannelLogout: HTTPURL?
    var second: HTTPURL?
    var rereading: AttackConfiguration.Rereading?
    var tokenVersion = SAMLToken.Version.v1
    var login: [(String, String)] = []
    var usesCanaries = true
    var keys: String?
    var skipped: [String] = []

    func set(in configuration: inout AttackConfiguration) {
      configuration.entity = entity
      configuration.consumer = consumer
      configuration.logout = logout
      configuration.frontChannelLogout = frontChannelLogout
      configuration.second = second
      configuration.rereading = rereading
      configuration.tokenVersion = tokenVersion
      configuration.login = login
      configuration.usesCanaries = usesCanaries
      if let keys { configuration.keys = keys }
      configuration.skipped = skipped
    }
  }

  /// - Parameter origins: The origins of the service.
  private func readService(
    _ root: SettingsObject, of origins: [HTTPOrigin]
  ) -> ServiceMembers {
    var service = ServiceMembers()
    service.entity = root.text(
      "entity", "name of your service at the provider", without: "taken from the request")
    service.consumer = ownAddress(
      root, "consumer", "where answers go when the request names no address", origins)
    service.logout = ownAddress(
      root, "logout",
      "where your service takes SAML requests for logout, or logout tokens of OpenID Connect (the back channel), to test "
        + "forged ones", origins)
    service.frontChannelLogout = ownAddress(
      root, "frontChannelLogout", "`frontchannel_logout_uri` of your service", origins)
    service.second = ownAddress(
      root, "second", "where a sign-in at [the second provider](#two-providers) begins", origins)
    service.rereading = readRereading(root)
    if let token = root.choice(
      "token", "format of the tokens of WS-Federation", of: TokenName.self, without: "`saml11`")
    {
      service.tokenVersion = token == .saml11 ? .v1 : .v2
    }
    service.login = root.pairs(
      "login",
      "fields to fill in on a page of your own in front of the provider, by their names: `{\"organisation\": \"test\"}`"
    )
    service.usesCanaries = root.flag(
      "canaries",
      "`false` where the service signs in known people alone: every variant names `person` then, and forged parts "
        + "`attacker`, whom the service has to know too", default: true)
    service.keys = root.text(
      "keys", "file of the test keys, which the first run makes", without: "`attack.keys`")
    service.skipped = root.texts(
      "skip",
      "variants, or families that end with `/`, that are not played: `[\"unsolicited/no-request\"]`"
    )
    return service
  }

  private enum TokenName: String, CaseIterable { case saml11, saml20 }

  /// An address of the service; any address while the origins of the service are unknown.
  private func ownAddress(
    _ root: SettingsObject, _ name: String, _ words: String, _ origins: [HTTPOrigin]
  ) -> HTTPURL? {
    guard let json = root.value(name, words, .text()), let url = address(json) else { return nil }
    if !origins.isEmpty, !origins.contains(url.origin) {
      file.refuse(json, "an address of the origin of start or of probe")
    }
    return url
  }

  private func readRereading(_ root: SettingsObject) -> AttackConfiguration.Rereading? {
    let words = "how your service [reads the provider's document again](#documents-that-lie)"
    guard let reread = root.object("reread", words) else { return nil }
    let url = address(
      reread, "url", "address that gets a POST when the service shall read the document again")
    let seconds = reread.whole(
      "seconds", "seconds to wait until the service has read it",
      AttackConfiguration.rereadingRange,
      unit: "seconds", default: 30)
    return AttackConfiguration.Rereading(url, seconds: seconds)
  }

  /// How fast and how much is played; nil for what the file does not say.
  private struct Limits {
    var timeout: Int?
    var mostSignIns: Int?
    var perSecond: Int?

    func set(in configuration: inout AttackConfiguration) {
      configuration.timeout = timeout ?? configuration.timeout
      configuration.mostSignIns = mostSignIns ?? configuration.mostSignIns
      configuration.perSecond = perSecond ?? configuration.perSecond
    }
  }

  private func readLimits(_ root: SettingsObject) -> Limits {
    var limits = Limits()
    limits.timeout = root.whole(
      "timeout", "seconds that the service has for a response", AttackConfiguration.timeoutRange,
      unit: "seconds", without: "10")
    guard let signIns = root.object("signIns", "how many sign-ins a run may begin") else {
      return limits
    }
    limits.mostSignIns = signIns.whole(
      "most", "the most sign-ins of one run", AttackConfiguration.signInRange, without: "2,000")
    limits.perSecond = signIns.whole(
      "perSecond", "the most sign-ins that begin in a second", AttackConfiguration.rateRange,
      without: "5")
    return limits
  }

  /// A name that requests go to is judged when it is connected to; an address that is not this machine's needs no
  /// connection to be judged. The provider listens at the addresses of a name, whichever they are.
  private func checkConsent(
    _ root: SettingsObject, _ authorized: String?, listen: HostPort?,
    _ addresses: [(name: String, url: HTTPURL?)]
  ) {
    guard authorized == nil, let json = root.json else { return }
    for (name, url) in addresses {
      guard let host = url?.origin.place, IPAddress(host.host[...]) != nil, !host.isLoopback
      else { continue }
      file.report(
        TokenError(.attackConsent, expected: "authorized", found: host.description),
        at: json[name] ?? json)
    }
    guard let listen, !listen.isLoopback else { return }
    file.report(
      TokenError(
        .attackConsent, expected: "an address of loopback or localhost, or authorized",
        found: listen.description,
        hint:
          "other machines reach a provider that listens elsewhere; name in \"authorized\" who allowed that"
      ), at: json["listen"] ?? json)
  }

  // MARK: Values

  private func address(
    _ object: SettingsObject, _ name: String, _ words: String, required: Bool = false
  ) -> HTTPURL? {
    object.value(name, words, .text(), required: required).flatMap { address($0) }
  }

  private func address(_ json: JSONValue) -> HTTPURL? {
    guard let text = file.text(json) else { return nil }
    if let shown = Self.withoutUser(text) {
      file.refuse(json, "an address without user and password", showing: shown)
      return nil
    }
    do throws(TokenError) {
      return try HTTPURL(text)
    } catch {
      file.refuse(json, error.expected ?? "an address")
      return nil
    }
  }

  /// Scheme and host of an address that has a user, which is not shown; nil for one that has none (RFC 3986, 3.2.1).
  private static func withoutUser(_ text: String) -> String? {
    let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
    let authority = text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return authority.lastIndex(of: "@").map { at in
      String(text[..<start] + authority[at...].dropFirst())
    }
  }
}
