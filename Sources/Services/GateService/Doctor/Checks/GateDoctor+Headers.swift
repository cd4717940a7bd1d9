import HTTPExchange
import Octets

extension GateDoctor {
  /// What arrived at the application for a browser, signed in or not.
  private func arrival(
    _ session: Session?, at target: String = "/gate-doctor/headers", _ more: [(String, String)],
    _ check: inout WiringCheck
  ) async -> (request: WiringRequest, arrived: ArrivedRequest)? {
    let request = page(target, as: session, adding: more)
    guard let response = await send(request, for: &check) else { return nil }
    guard let arrived = ArrivedRequest(response) else {
      check.omission = "the request does not arrive where the doctor listens for the application"
      return nil
    }
    return (request, arrived)
  }

  /// Why nothing can be said about what arrives; nil where it can.
  var deafness: String? {
    if !standsIn {
      return "stop the application and name its address with --application to see what arrives"
    }
    return entitled == nil || bare == nil ? "no session can be made" : nil
  }

  /// Every header of the file arrives as the gate sets it.
  func headers() async -> WiringCheck {
    var check = WiringCheck("identity headers at the application")
    check.omission = deafness
    guard check.omission == nil, let entitled,
      let expected = try? IdentityHeaders(configuration.headers).fields(entitled.subject),
      let (request, arrived) = await arrival(entitled, [], &check)
    else { return check }
    for (name, value) in expected.list {
      let values = arrived.fields.values(name)
      guard values != [value] else { continue }
      note(
        .wiringHeader, request, "\(name) once, with the gate's value",
        values.isEmpty ? "none" : "\(values.count), or another value", &check)
    }
    if let token = configuration.identityToken {
      let values = arrived.fields.values(token.header)
      // Each has an identifier of its own, so that its form alone can be compared.
      if values.count != 1 || values.first?.split(separator: ".").count != 3 {
        note(
          .wiringHeader, request, "\(token.header) once, with the gate's token",
          values.isEmpty ? "none" : "\(values.count), or another value", &check)
      }
    }
    return check
  }

  /// A client that names a header in `Connection` does not take the gate's away: proxies remove what is named there
  /// (RFC 9110, 7.6.1; GATE-2).
  func connectionHeaders() async -> WiringCheck {
    var check = WiringCheck("a client's Connection header")
    check.omission = deafness
    guard check.omission == nil, let entitled,
      let expected = try? IdentityHeaders(configuration.headers).fields(entitled.subject),
      let (_, plain) = await arrival(entitled, [], &check)
    else { return check }
    // What does not arrive at all is the business of another check.
    for (name, value) in expected.list where plain.fields.values(name) == [value] {
      for options in ["close, \(name)", "\(Self.spellings(name)[1]), close"] {
        guard let (request, arrived) = await arrival(entitled, [("Connection", options)], &check)
        else { return check }
        let values = arrived.fields.values(name)
        let list = arrived.fields.values("Connection").joined(separator: ",")
        if values != [value] {
          note(
            .wiringConnection, request, "\(name) with the gate's value",
            values.isEmpty ? "none" : "another value", &check)
        } else if list.lowercasedASCII.contains(name.lowercasedASCII) {
          // Whatever stands behind the proxy would remove the header.
          note(.wiringConnection, request, "Connection of the proxy's own", list, &check)
        }
      }
    }
    return check
  }

  /// No header of a client that an application could take for one of ours arrives (GATE-2, GATE-3).
  func clientHeaders() async -> WiringCheck {
    var check = WiringCheck("a client's own identity headers")
    check.omission = deafness
    guard check.omission == nil, let entitled, let bare else { return check }
    for header in configuration.headerNames {
      let spellings = Self.spellings(header)
      for session in [bare, entitled] {
        guard await expectNone(of: spellings, header, session, &check) else { return check }
      }
      // The proxy asks for a public page too: the application believes the headers there as well.
      guard let open = openPage else { continue }
      _ = await expectNone(of: spellings, header, nil, at: open, &check)
      // Files are often public, and a proxy may serve them itself.
      check.omission = nil
    }
    // An application that took one for the address of the request would serve another page than the one that was judged.
    let names = PassageTable.forwardingNames
    _ = await expectNone(
      of: names + names.map { HeaderSpelling.spelled($0, with: "_") },
      "headers that name a request", entitled, &check)
    return check
  }

  /// Sends headers of a client together, ten at a time.
  ///
  /// - Returns: Whether the doctor's stand-in answered.
  private func expectNone(
    of names: [String], _ header: String, _ session: Session?,
    at target: String = "/gate-doctor/headers", _ check: inout WiringCheck
  ) async -> Bool {
    for start in stride(from: 0, to: names.count, by: 10) {
      let some = names[start..<min(start + 10, names.count)]
      // The doctor's own numbers, so that the gate's value is never taken for them.
      let forged = some.map { ($0, "forged-" + random.hex(6)) }
      guard let (request, arrived) = await arrival(session, at: target, forged, &check) else {
        return false
      }
      for (name, value) in forged
      where arrived.fields.list.contains(where: { $0.value.contains(value) }) {
        note(
          .wiringClientHeader, request, "\(header) of the gate alone", "\(name) of the client",
          &check)
      }
    }
    return true
  }

  /// Identity headers of nearly the largest size arrive: the buffers of the proxy hold them.
  func largeHeaders() async -> WiringCheck {
    var check = WiringCheck("large identity headers")
    check.omission = large == nil ? noSession : deafness
    guard check.omission == nil, let large,
      let expected = try? IdentityHeaders(configuration.headers).fields(large.subject)
    else { return check }
    let cookies = large.cookie + "; other=" + String(repeating: "x", count: 6_000)
    let request = page("/gate-doctor/large", adding: [("Cookie", cookies)])
    guard let response = await send(request, for: &check) else { return check }
    let arrived = ArrivedRequest(response)
    let missing = expected.list.first { arrived?.fields.values($0.name) != [$0.value] }
    if let missing {
      note(
        .wiringBuffers, request, "\(missing.name) with \(missing.value.utf8.count) bytes",
        arrived == nil ? "status \(response.status)" : "another value", &check)
    }
    return check
  }

  /// The spellings of a header that CGI, WSGI and others fold into one.
  static func spellings(_ name: String) -> [String] {
    let octets = Array(name.utf8)
    let dashes = octets.indices.filter { octets[$0] == UInt8(ascii: "-") }
    var spellings = [octets, octets.map(ASCII.lowercased)]
    // What a name may have beside letters, digits and the dash (RFC 9110, 5.6.2).
    for odd in "_.!#$%&'*+^`|~".utf8 {
      // At every place, and at each alone.
      for places in [dashes] + dashes.map({ [$0] }) {
        var one = octets
        for place in places { one[place] = odd }
        spellings.append(one)
      }
    }
    var texts: [String] = []
    for text in spellings.map({ String(decoding: $0, as: UTF8.self) }) where !texts.contains(text) {
      texts.append(text)
    }
    return texts
  }

  /// The application does not get what opens a session (GATE-22).
  func credentials() async -> WiringCheck {
    var check = WiringCheck("the gate's cookie at the application")
    check.omission = deafness
    guard check.omission == nil, let entitled,
      let (request, arrived) = await arrival(entitled, [], &check)
    else { return check }
    let cookies = arrived.fields.values("Cookie")
    if cookies.contains(where: { $0.contains(sessionCookie + "=") }) {
      note(.wiringCredential, request, "no \(sessionCookie)", sessionCookie, &check)
    }
    return check
  }

  /// No cache stores a verdict, or an answer for another person.
  func sharedAnswers() async -> WiringCheck {
    var check = WiringCheck("answers for one request alone")
    guard let entitled else {
      check.omission = "no session can be made"
      return check
    }
    let target = "/gate-doctor/shared-" + random.hex(4)
    for _ in 0..<2 {
      guard await send(page(target, as: entitled), for: &check) != nil else { return check }
    }
    let request = page(target)
    guard let response = await send(request, for: &check) else { return check }
    if case .passed(let status) = outcome(response) {
      note(.wiringShared, request, "a redirect to sign in", "status \(status)", &check)
    }
    // And the other way: a refusal that was kept would go on after the sign-in.
    let again = page(target, as: entitled)
    guard let second = await send(again, for: &check) else { return check }
    if case .signIn = outcome(second) {
      note(.wiringShared, again, "the page", "the redirect to sign in of before", &check)
    }
    return check
  }
}
