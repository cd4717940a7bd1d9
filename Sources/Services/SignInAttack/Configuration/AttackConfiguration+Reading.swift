import Octets

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
    let authorized = file.text(json["authorized"])
    guard let name, let listen, let origin, let start, let probe, let person, let attacker else {
      return nil
    }
    var configuration = AttackConfiguration(
      name, listen: listen, origin: origin, start: start, probe: probe, person: person,
      attacker: attacker)
    configuration.authorized = authorized
    readService(json, &configuration)
    readLimits(json, &configuration)
    checkConsent(json, configuration)
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

  private mutating func readService(
    _ json: JSONValue, _ configuration: inout AttackConfiguration
  ) {
    configuration.entity = file.text(json["entity"])
    configuration.consumer = json["consumer"].flatMap { address($0) }
    configuration.logout = json["logout"].flatMap { address($0) }
    configuration.frontChannelLogout = json["frontChannelLogout"].flatMap { address($0) }
    configuration.second = json["second"].flatMap { address($0) }
    configuration.rereading = readRereading(json["reread"])
    for (name, url) in [
      ("consumer", configuration.consumer), ("logout", configuration.logout),
      ("frontChannelLogout", configuration.frontChannelLogout), ("second", configuration.second),
    ] {
      guard let url, let value = json[name] else { continue }
      if !configuration.serviceOrigins.contains(url.origin) {
        file.refuse(value, "an address of the origin of start or of probe")
      }
    }
    if let value = json["token"] {
      switch file.text(value) {
      case "saml11": configuration.tokenVersion = .v1
      case "saml20": configuration.tokenVersion = .v2
      default: file.refuse(value, "saml11 or saml20")
      }
    }
    configuration.login = texts(json["login"])
    if json["canaries"] != nil { configuration.usesCanaries = file.flag(json["canaries"]) }
    if let keys = file.text(json["keys"]) { configuration.keys = keys }
    configuration.skipped = file.texts(json["skip"])
  }

  private mutating func readRereading(
    _ json: JSONValue?
  ) -> AttackConfiguration.Rereading? {
    guard let json else { return nil }
    file.members(json, ["url", "seconds"])
    let seconds = number(json["seconds"], 30, AttackConfiguration.rereadingRange)
    return AttackConfiguration.Rereading(json["url"].flatMap { address($0) }, seconds: seconds)
  }

  private mutating func readLimits(
    _ json: JSONValue, _ configuration: inout AttackConfiguration
  ) {
    configuration.timeout = file.seconds(
      json["timeout"], configuration.timeout, AttackConfiguration.timeoutRange)
    guard let limits = json["signIns"] else { return }
    file.members(limits, ["most", "perSecond"])
    configuration.mostSignIns = number(
      limits["most"], configuration.mostSignIns, AttackConfiguration.signInRange)
    configuration.perSecond = number(
      limits["perSecond"], configuration.perSecond, AttackConfiguration.rateRange)
  }

  /// A name is judged when it is connected to; an address that is not this machine's needs no connection to be judged.
  private mutating func checkConsent(_ json: JSONValue, _ configuration: AttackConfiguration) {
    guard configuration.authorized == nil else { return }
    for (name, host) in [
      ("start", configuration.start.origin.place), ("probe", configuration.probe.url.origin.place),
      ("listen", configuration.listen),
    ] + (configuration.rereading?.url.map { [("reread", $0.origin.place)] } ?? [])
    where IPAddress(host.host[...]) != nil && !host.isLoopback {
      file.add(
        TokenError(
          .attackConsent, node: file.place(json[name] ?? json), expected: "authorized",
          found: host.description))
    }
  }

  // MARK: Values

  private mutating func address(_ json: JSONValue?) -> HTTPURL? {
    guard let json, let text = file.text(json) else { return nil }
    do throws(TokenError) {
      return try HTTPURL(text)
    } catch {
      file.refuse(json, error.expected ?? "an address")
      return nil
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
