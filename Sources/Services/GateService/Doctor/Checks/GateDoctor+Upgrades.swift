import HTTPExchange
import Octets

extension GateDoctor {
  /// The values of `Upgrade` that no application may see: cleartext HTTP/2, whose requests nobody judges, other protocols, and
  /// lists.
  private static let otherUpgrades = [
    "h2c", "H2C", "h2c, websocket", "websocket, h2c", "TLS/1.0", "TLS/1.0, websocket",
  ]

  /// No upgrade but that to websocket reaches an application, at no path, and none costs the request itself (RFC 9110, 7.8).
  func upgrades() async -> WiringCheck {
    var check = WiringCheck("upgrades to other protocols")
    let open = openPage
    let place = "/gate-doctor/upgrade"
    var pages: [(target: String, session: Session?)] = [(place, nil)]
    if let open { pages.append((open, nil)) }
    if let entitled { pages.append((place, entitled)) }
    for page in pages where page.session != nil || page.target == open || !isOpen(page.target) {
      for upgrade in Self.otherUpgrades {
        await expectNoUpgrade(page.target, "GET", upgrade, page.session, &check)
      }
      for (method, upgrade) in [("HEAD", "h2c"), ("HEAD", "websocket"), ("POST", "websocket")] {
        await expectNoUpgrade(page.target, method, upgrade, page.session, &check)
      }
      // An upgrade that `Connection` does not name is none.
      await expectNoUpgrade(
        page.target, "GET", "websocket", page.session, options: "HTTP2-Settings", &check)
    }
    return check
  }

  private func expectNoUpgrade(
    _ target: String, _ method: String, _ upgrade: String, _ session: Session?,
    options: String = "Upgrade, HTTP2-Settings", _ check: inout WiringCheck
  ) async {
    var settings = [("HTTP2-Settings", "AAMAAABkAAQAAP__"), ("Connection", options)]
    // Otherwise it has a body in chunks, of none.
    if method == "POST" { settings.append(("Content-Length", "0")) }
    let request = page(
      target, method, as: session, adding: [("Upgrade", upgrade)] + settings + Self.handshake)
    guard let response = await send(request, for: &check) else { return }
    if response.status == 101 {
      note(.wiringUpgrade, request, "no switch to \(upgrade)", "status 101", &check)
      return
    }
    guard let arrived = ArrivedRequest(response) else {
      // A request that passes without the offer is answered as without it: neither the proxy refuses it, nor the gate
      // to which the proxy handed the offer on.
      let outcome = outcome(response)
      let isRefused = if case .unreadable = outcome { true } else { outcome == .forbidden }
      if let session, standsIn, isRefused,
        configuration.rules.decide(target, method: method, subject: session.subject).allows
      {
        note(.wiringUpgrade, request, "the page", "status \(response.status)", &check)
      }
      return
    }
    let upgrades = arrived.fields.values("Upgrade")
    let mayUpgrade = method == "GET" && options.hasPrefix("Upgrade")
    if !upgrades.isEmpty, !mayUpgrade || upgrades.map(\.lowercasedASCII) != ["websocket"] {
      note(
        .wiringUpgrade, request, "no Upgrade", "Upgrade: \(upgrades.joined(separator: ", "))",
        &check)
    }
    if !arrived.fields.values("HTTP2-Settings").isEmpty {
      note(.wiringUpgrade, request, "no HTTP2-Settings", "the client's", &check)
    }
    let list = arrived.fields.values("Connection").joined(separator: ", ")
    if list.lowercasedASCII.contains("http2-settings") {
      note(.wiringConnection, request, "Connection of the proxy's own", list, &check)
    }
  }

  /// What a client of websocket sends beside (RFC 6455, 4.1).
  private static let handshake = [
    ("Sec-WebSocket-Key", "Z2F0ZS1kb2N0b3ItMDEyMw=="), ("Sec-WebSocket-Version", "13"),
  ]

  /// A websocket arrives as one, with the headers that say who asks (RFC 6455, 4.2.1).
  func webSockets() async -> WiringCheck {
    var check = WiringCheck("websockets")
    check.omission = deafness
    guard check.omission == nil, let entitled,
      let expected = try? IdentityHeaders(configuration.headers).fields(entitled.subject)
    else { return check }
    // What stands behind the proxy would remove a header that `Connection` names.
    let named = expected.list.first.map { "Upgrade, \($0.name)" }
    for connection in ["Upgrade", "keep-alive, Upgrade"] + [named].compactMap(\.self) {
      let request = page(
        "/gate-doctor/websocket", as: entitled,
        adding: [("Upgrade", "websocket"), ("Connection", connection)] + Self.handshake)
      guard let response = await send(request, for: &check) else { return check }
      guard let arrived = ArrivedRequest(response) else {
        note(
          .wiringWebSocket, request, "the request at the application",
          "status \(response.status)", &check)
        continue
      }
      let isUpgrade = arrived.fields.values("Upgrade").map(\.lowercasedASCII) == ["websocket"]
      let options = arrived.fields.values("Connection").joined(separator: ",").lowercasedASCII
      if !isUpgrade || !options.contains("upgrade") {
        note(
          .wiringWebSocket, request, "Upgrade: websocket and Connection: Upgrade",
          isUpgrade ? "no Connection: Upgrade" : "no Upgrade", &check)
      } else if let (name, _) = expected.list.first, options.contains(name.lowercasedASCII) {
        note(.wiringConnection, request, "Connection of the proxy's own", options, &check)
      }
      if arrived.fields.values("Cookie").contains(where: { $0.contains(sessionCookie + "=") }) {
        note(.wiringCredential, request, "no \(sessionCookie)", sessionCookie, &check)
      }
      if let (name, _) = expected.list.first(where: { arrived.fields.values($0.name) != [$0.value] }
      ) {
        note(.wiringHeader, request, "\(name) with the gate's value", "another value", &check)
      }
    }
    return check
  }
}
