import HTTPExchange
import Octets

extension GateDoctor {
  /// A page that a rule opens to everybody; nil for none.
  var openPage: String? {
    configuration.rules.rules.first { $0.isPublic && ($0.method ?? "GET") == "GET" }.map {
      target($0)
    }
  }

  /// Where rules name methods, a client cannot name another method to the application than to the gate.
  func methodOverrides() async -> WiringCheck {
    var check = WiringCheck("headers that override the method")
    guard configuration.rules.hasMethods else {
      check.omission = "no rule of gate.json has a method"
      return check
    }
    check.omission = deafness
    guard check.omission == nil, let entitled else { return check }
    let target = "/gate-doctor/override"
    // What happens without such a header is the business of another check.
    guard let plain = await send(page(target, "POST", as: entitled), for: &check) else {
      return check
    }
    guard ArrivedRequest(plain) != nil else {
      check.omission = "the request does not arrive where the doctor listens for the application"
      return check
    }
    let names = PassageTable.methodOverrideNames
    for name in names + names.map({ HeaderSpelling.spelled($0, with: "_") }) {
      let request = page(target, "POST", as: entitled, adding: [(name, "DELETE")])
      guard let response = await send(request, for: &check) else { return check }
      // A proxy that knows no such name drops it, and the application cannot be misled.
      guard let arrived = ArrivedRequest(response),
        arrived.fields.list.contains(where: { HeaderSpelling.areAlike($0.name, name) })
      else { continue }
      note(
        .wiringMethodOverride, request, "403, as the gate refuses \(name)",
        "status \(response.status)", &check)
    }
    return check
  }

  /// A request with two hosts is refused: two readers take two of them (RFC 9112, 3.2).
  func twoHosts() async -> WiringCheck {
    var check = WiringCheck("two Host headers")
    let other = "other.\(configuration.origin.authority)"
    for hosts in [(configuration.origin.authority, other), (other, configuration.origin.authority)]
    {
      var request = page("/gate-doctor/hosts", as: entitled, adding: [("Host", hosts.1)])
      request.host = hosts.0
      guard let response = await send(request, for: &check) else { return check }
      if case .unreadable = outcome(response) { continue }
      note(.wiringTwoHosts, request, "status 400", "status \(response.status)", &check)
    }
    return check
  }

  /// A target in absolute form is judged as the one in origin form is (RFC 9112, 3.2.2).
  func absoluteTargets() async -> WiringCheck {
    var check = WiringCheck("targets in absolute form")
    let origin = configuration.origin.description
    for target in ["/gate-doctor"] + configuration.rules.rules.map({ target($0) })
    where !isOpen(target) {
      let request = page(origin + target)
      guard let response = await send(request, for: &check) else { return check }
      guard case .passed(let status) = outcome(response) else { continue }
      note(
        .wiringUnprotected, request, "401, or a redirect to sign in", "status \(status)", &check)
    }
    return check
  }

  /// CONNECT opens no tunnel to the application, in which nothing would be judged (RFC 9110, 9.3.6).
  func tunnels() async -> WiringCheck {
    var check = WiringCheck("CONNECT")
    check.omission = deafness
    guard check.omission == nil else { return check }
    let origin = configuration.origin.description
    let path = openPage ?? "/gate-doctor"
    for target in [configuration.origin.authority, path, origin + path] {
      let request = page(target, "CONNECT", as: entitled)
      guard let response = await send(request, for: &check) else { return check }
      // Caddy answers 200 and Envoy 404 where no site has the host that they read.
      guard ArrivedRequest(response) != nil else { continue }
      note(.wiringUpgrade, request, "status 405", "status \(response.status)", &check)
    }
    return check
  }

  /// The cookies of the gate are removed, each copy of each; those of the application arrive.
  func cookies() async -> WiringCheck {
    var check = WiringCheck("the gate's cookies among others")
    check.omission = deafness
    guard check.omission == nil, let entitled else { return check }
    let prefix = sessionCookie.dropLast("session".utf8.count)
    let secret = "gate-doctor-" + random.hex(6)
    let names = GateCookies.names + GateCookies.beginnings.map { $0 + "x" }
    // Elsewhere the gate may take a request with two sessions for one with none.
    let open = openPage
    for name in names.map({ prefix + $0 }) {
      let own = ["first=1", "my" + name + "=2", "last=3"]
      let pair = name + "=" + secret
      let lines = [
        [own[0], entitled.cookie, pair, pair, own[1]].joined(separator: "; "),
        [pair, own[2], pair].joined(separator: ";"),
      ]
      let request = page(open ?? "/gate-doctor/cookies", adding: lines.map { ("Cookie", $0) })
      guard let response = await send(request, for: &check) else { return check }
      // Of two sessions the gate may take the other one.
      guard let arrived = ArrivedRequest(response) else { continue }
      let cookies = arrived.fields.values("Cookie").joined(separator: "; ")
      if cookies.contains(secret) || cookies.contains(entitled.cookie) {
        note(.wiringCredential, request, "no \(name)", "it", &check)
      }
      for pair in own where !cookies.contains(pair) {
        note(.wiringCookie, request, "Cookie: \(pair)", "none", &check)
      }
    }
    return check
  }
}

extension GateRules.Decision {
  /// Whether the request passes.
  var allows: Bool { if case .allow = verdict { true } else { false } }
}
