import TokenBasics

extension AttackConfiguration {
  /// Reads the file. Unknown members are errors, and every error has its line.
  package static func read(_ octets: [UInt8]) -> (configuration: Self?, errors: [TokenError]) {
    do throws(TokenError) {
      let json = try MemberReader.document(octets, orThrow: .attackSyntax)
      var reader = AttackFileReader(octets)
      let configuration = reader.read(json)
      return (reader.errors.isEmpty ? configuration : nil, reader.errors)
    } catch {
      return (nil, [error])
    }
  }
}

/// Reads the file member by member and collects all errors with their place.
private struct AttackFileReader {
  private var file: MemberReader
  var errors: [TokenError] { file.errors }

  init(_ octets: [UInt8]) {
    file = MemberReader(octets, member: .attackMember, value: .attackValue)
  }

  mutating func read(_ json: JSONValue) -> AttackConfiguration? {
    file.fileMembers(
      json,
      [
        "protocol", "listen", "public", "start", "probe", "person", "attacker", "entity",
        "consumer", "logout", "frontChannelLogout", "second", "reread", "token", "authorized",
        "login", "canaries", "keys", "signIns", "timeout", "skip",
      ])
    let name = readProtocol(json)
    let listen = readListen(json)
    let origin = readOrigin(json)
    let start = address(json["start"]) ?? file.required(json, "start")
    let probe = readProbe(json)
    let person = readPerson(json)
    let attacker = readAttacker(json, beside: person)
    let authorized = readAuthorized(json["authorized"])
    // These are read where one of the others is none, too: all errors are told at once.
    let service = readService(json, of: [start, probe?.url].compactMap { $0?.origin })
    let limits = readLimits(json)
    checkConsent(
      json, authorized, listen: listen,
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

  private mutating func readProtocol(_ json: JSONValue) -> AttackConfiguration.SignInProtocol? {
    guard let value = json["protocol"] else { return file.required(json, "protocol") }
    let name = file.text(value).flatMap(AttackConfiguration.SignInProtocol.init(rawValue:))
    if name == nil {
      file.refuse(
        value,
        "one of "
          + AttackConfiguration.SignInProtocol.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return name
  }

  private mutating func readListen(_ json: JSONValue) -> HostPort? {
    guard let value = json["listen"] else { return file.required(json, "listen") }
    guard let text = file.text(value) else { return nil }
    do throws(HostPort.Refusal) {
      return try HostPort(text)
    } catch {
      file.refuse(value, error.expected)
      return nil
    }
  }

  private mutating func readOrigin(_ json: JSONValue) -> HTTPURL? {
    guard let value = json["public"] else { return file.required(json, "public") }
    guard let url = address(value) else { return nil }
    guard url.path == "/", url.query == nil else {
      file.refuse(value, "an origin, such as http://127.0.0.1:9400")
      return nil
    }
    return url
  }

  private mutating func readProbe(_ json: JSONValue) -> AttackConfiguration.Probe? {
    guard let probe = json["probe"] else { return file.required(json, "probe") }
    file.members(probe, ["url", "status", "contains"])
    let url = address(probe["url"]) ?? file.required(probe, "url")
    var status = 200
    if let value = probe["status"] {
      if let number = value.integer, (100...599).contains(number) {
        status = number
      } else {
        file.refuse(value, "a status of HTTP, 100 to 599")
      }
    }
    return url.map {
      AttackConfiguration.Probe($0, status: status, contains: file.text(probe["contains"]))
    }
  }

  private mutating func readPerson(_ json: JSONValue) -> AttackConfiguration.Person? {
    guard let person = json["person"] else { return file.required(json, "person") }
    file.members(person, ["subject", "claims"])
    let subject = file.text(person["subject"]) ?? file.required(person, "subject")
    let claims = texts(person["claims"])
    return subject.map { AttackConfiguration.Person($0, claims: claims) }
  }

  private mutating func readAttacker(
    _ json: JSONValue, beside person: AttackConfiguration.Person?
  ) -> String? {
    guard let attacker = json["attacker"] else { return "admin" }
    file.members(attacker, ["subject"])
    let subject = file.text(attacker["subject"]) ?? file.required(attacker, "subject")
    if let subject, subject == person?.subject {
      file.refuse(attacker, "another subject than that of person")
    }
    return subject
  }

  /// A name that no person sees is that of no one.
  private mutating func readAuthorized(_ json: JSONValue?) -> String? {
    guard let json, let text = file.text(json) else { return nil }
    guard text.unicodeScalars.contains(where: { $0 != " " && !$0.isHidden }) else {
      file.refuse(json, "the name of the person who allowed the test")
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

  /// - Parameter origins: Those of the service.
  private mutating func readService(
    _ json: JSONValue, of origins: [HTTPOrigin]
  ) -> ServiceMembers {
    var service = ServiceMembers()
    service.entity = file.text(json["entity"])
    service.consumer = ownAddress(json["consumer"], origins)
    service.logout = ownAddress(json["logout"], origins)
    service.frontChannelLogout = ownAddress(json["frontChannelLogout"], origins)
    service.second = ownAddress(json["second"], origins)
    service.rereading = readRereading(json["reread"])
    if let value = json["token"] {
      switch file.text(value) {
      case "saml11": service.tokenVersion = .v1
      case "saml20": service.tokenVersion = .v2
      default: file.refuse(value, "saml11 or saml20")
      }
    }
    service.login = texts(json["login"])
    if json["canaries"] != nil { service.usesCanaries = file.flag(json["canaries"]) }
    service.keys = file.text(json["keys"])
    service.skipped = file.texts(json["skip"])
    return service
  }

  /// An address of the service; any where it is not known which are.
  private mutating func ownAddress(_ json: JSONValue?, _ origins: [HTTPOrigin]) -> HTTPURL? {
    guard let json, let url = address(json) else { return nil }
    if !origins.isEmpty, !origins.contains(url.origin) {
      file.refuse(json, "an address of the origin of start or of probe")
    }
    return url
  }

  private mutating func readRereading(
    _ json: JSONValue?
  ) -> AttackConfiguration.Rereading? {
    guard let json else { return nil }
    file.members(json, ["url", "seconds"])
    let seconds = number(json["seconds"], 30, AttackConfiguration.rereadingRange)
    return AttackConfiguration.Rereading(json["url"].flatMap { address($0) }, seconds: seconds)
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

  private mutating func readLimits(_ json: JSONValue) -> Limits {
    var limits = Limits()
    if let timeout = json["timeout"] {
      let range = AttackConfiguration.timeoutRange
      limits.timeout = file.seconds(timeout, range.lowerBound, range)
    }
    guard let signIns = json["signIns"] else { return limits }
    file.members(signIns, ["most", "perSecond"])
    limits.mostSignIns = signIns["most"].map {
      number($0, 1, AttackConfiguration.signInRange)
    }
    limits.perSecond = signIns["perSecond"].map { number($0, 1, AttackConfiguration.rateRange) }
    return limits
  }

  /// A name that requests go to is judged when it is connected to; an address that is not this machine's needs no
  /// connection to be judged. The provider listens at the addresses of a name, whichever they are.
  private mutating func checkConsent(
    _ json: JSONValue, _ authorized: String?, listen: HostPort?,
    _ addresses: [(name: String, url: HTTPURL?)]
  ) {
    guard authorized == nil else { return }
    for (name, url) in addresses {
      guard let host = url?.origin.place, IPAddress(host.host[...]) != nil, !host.isLoopback
      else { continue }
      file.add(
        TokenError(
          .attackConsent, node: file.place(json[name] ?? json), expected: "authorized",
          found: host.description))
    }
    guard let listen, !listen.isLoopback else { return }
    file.add(
      TokenError(
        .attackConsent, node: file.place(json["listen"] ?? json),
        expected: "an address of loopback or localhost, or authorized", found: listen.description,
        hint:
          "other machines reach a provider that listens elsewhere; name in \"authorized\" who allowed that"
      ))
  }

  // MARK: Values

  private mutating func address(_ json: JSONValue?) -> HTTPURL? {
    guard let json, let text = file.text(json) else { return nil }
    if let shown = Self.withoutUser(text) {
      file.refuse(json, "an address without user and password", shown)
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

  /// The members of an object of strings, in order; none for no value.
  private mutating func texts(_ json: JSONValue?) -> [(String, String)] {
    guard let json else { return [] }
    guard let members = json.members else {
      file.refuse(json, "an object of strings")
      return []
    }
    return members.compactMap { name, value in file.text(value).map { (name, $0) } }
  }

  private mutating func number(
    _ json: JSONValue?, _ standard: Int, _ range: ClosedRange<Int>
  ) -> Int {
    guard let json else { return standard }
    guard let number = json.integer, range.contains(number) else {
      file.refuse(json, "\(range.lowerBound) to \(range.upperBound)")
      return standard
    }
    return number
  }
}
