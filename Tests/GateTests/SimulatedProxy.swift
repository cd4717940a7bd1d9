import Foundation
import GateService

/// A proxy in the way of the documented configurations, with one mistake or none, before a real gate and an
/// application that answers with what arrived.
struct SimulatedProxy: WiringProbe {
  enum Mistake: CaseIterable {
    case none, isDown, losesGatePages, exposesCheck, namesNoTarget, leavesAPathOut, keepsRefusals
    case redirectsScripts, decodesPath, dropsQuery, believesClient, redirectsForbidden, dropsCookie
    case judgesGETAlone, addsHeaders, passesForwarding, forgetsAHeader, passesCookie,
      cachesVerdicts, stripsPrefix
    case obeysConnection, opensOnFailure, signsInOnFailure, passesProbes, believesMethod
    case believesOverride, decodesPathSignedIn, asksNobody, passesUpgrades, dropsWebSockets
    case passesConnection, passesASecondCookie, dropsEveryCookie, acceptsTwoHosts
    case ownPages, smallBuffers, refusesUpgrades, asksWithUpgrades, hidesOverride
    case leavesWebSocketsOut, showsVerdicts, upgradesHEAD, upgradesUnnamed
    case passesConnectionOfWebSockets, takesCookieFromGatePages
    /// No mistake: it takes no request with a header of another proxy.
    case refusesForwarding
  }

  final class Cache: @unchecked Sendable {
    private let lock = NSLock()
    private var verdicts: [String: HTTPResponse] = [:]

    func verdict(
      _ key: String, or make: () async -> HTTPResponse
    ) async -> HTTPResponse {
      if let kept = lock.withLock({ verdicts[key] }) { return kept }
      let made = await make()
      lock.withLock { verdicts[key] = made }
      return made
    }
  }

  let gate: Gate
  let mistake: Mistake
  private let cache = Cache()

  init(_ gate: Gate, _ mistake: Mistake) {
    self.gate = gate
    self.mistake = mistake
  }

  func answer(to request: WiringRequest) async throws(TokenError) -> HTTPResponse {
    if mistake == .isDown { throw TokenError(.transportNoConnection) }
    let path = String(request.target.prefix { $0 != "?" })
    if path == "/.gate/check", mistake != .exposesCheck { return HTTPResponse(status: 404) }
    if path.hasPrefix("/.gate/"), mistake != .losesGatePages {
      var request = request
      if mistake == .takesCookieFromGatePages { request.fields.remove("Cookie") }
      return await gate.respond(to: asked(request, request.target), from: "127.0.0.1")
    }
    if request.fields.values("Host").count + 1 > 1, mistake != .acceptsTwoHosts {
      return HTTPResponse(status: 400)
    }
    if mistake == .refusesUpgrades, !isWebSocket(request), request.fields["Upgrade"] != nil {
      return HTTPResponse(status: 400)
    }
    if mistake == .leavesAPathOut, path.hasSuffix(".css") { return arrival(request, []) }
    if mistake == .asksNobody { return arrival(request, []) }
    if mistake == .leavesWebSocketsOut, isWebSocket(request) { return arrival(request, []) }
    if mistake == .passesProbes, request.fields["User-Agent"]?.hasPrefix("kube-") == true {
      return arrival(request, [])
    }
    if mistake == .refusesForwarding,
      PassageTable.forwardingNames.contains(where: { !request.fields.values($0).isEmpty })
    {
      return HTTPResponse(status: 400)
    }
    if mistake == .judgesGETAlone, request.method == "POST" { return arrival(request, []) }
    let verdict = try await verdict(request)
    switch verdict.status {
    case 200 where mistake == .showsVerdicts: return verdict
    case 200:
      let set = verdict.fields.list.filter { $0.name.hasPrefix("X-Remote") }
      return arrival(request, set.map { ($0.name, $0.value) })
    case 401: return try signIn(verdict)
    case 403 where mistake == .redirectsForbidden:
      return HTTPResponse(status: 302, fields: try HTTPFields([("Location", "/.gate/sign-in")]))
    case 403: return mistake == .ownPages ? HTTPResponse(status: 403) : verdict
    case 503 where mistake == .opensOnFailure: return arrival(request, [])
    case 503 where mistake == .signsInOnFailure:
      return HTTPResponse(status: 302, fields: try HTTPFields([("Location", "/.gate/sign-in")]))
    default: return HTTPResponse(status: 500)
    }
  }

  private func signIn(_ verdict: HTTPResponse) throws(TokenError) -> HTTPResponse {
    if mistake == .keepsRefusals { return HTTPResponse(status: 401) }
    guard let location = verdict.fields["Location"] else {
      if mistake == .redirectsScripts { return HTTPResponse(status: 302) }
      return mistake == .ownPages ? HTTPResponse(status: 401) : verdict
    }
    return HTTPResponse(status: 302, fields: try HTTPFields([("Location", location)]))
  }

  private func verdict(_ request: WiringRequest) async throws(TokenError) -> HTTPResponse {
    var fields = request.fields
    let own = fields["X-Original-URI"]
    var target = request.target
    switch mistake {
    case .decodesPath, .decodesPathSignedIn:
      guard mistake == .decodesPath || !fields.values("Cookie").isEmpty else { break }
      let path = target.removingPercentEncoding ?? target
      target = (path as NSString).standardizingPath
    case .dropsQuery: target = String(target.prefix { $0 != "?" })
    case .believesClient where own?.hasPrefix("/") == true: target = own ?? target
    case .stripsPrefix where target.hasPrefix("/admin"): target = String(target.dropFirst(6))
    case .dropsCookie: fields.remove("Cookie")
    case .hidesOverride, .believesOverride:
      PassageTable.methodOverrideNames.forEach { fields.remove($0) }
    default: break
    }
    // nginx asks without them, whatever it hands on to the application.
    if mistake != .asksWithUpgrades { PassageTable.upgradeNames.forEach { fields.remove($0) } }
    fields.remove("X-Original-URI")
    fields.remove("X-Original-Method")
    if mistake != .namesNoTarget {
      // What is no field value is no request that a server would read.
      guard (try? fields.append("X-Original-URI", target)) != nil else {
        return HTTPResponse(status: 400)
      }
    }
    let claimed: String? =
      switch mistake {
      case .believesMethod: request.fields["X-Original-Method"]
      case .believesOverride: request.fields["X-HTTP-Method-Override"]
      default: nil
      }
    let method = claimed.flatMap { $0.hasPrefix("/") ? nil : $0 } ?? request.method
    try fields.append("X-Original-Method", method)
    let question = WebRequest(method: "GET", path: "/.gate/check", fields: fields)
    guard mistake == .cachesVerdicts else {
      return await gate.respond(to: question, from: "127.0.0.1")
    }
    return await cache.verdict(target) { await gate.respond(to: question, from: "127.0.0.1") }
  }

  private func asked(_ request: WiringRequest, _ target: String) -> WebRequest {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return WebRequest(
      method: request.method, path: parts.first ?? "/", query: parts.count == 2 ? parts[1] : nil,
      fields: request.fields)
  }

  private func isWebSocket(_ request: WiringRequest) -> Bool {
    (request.method == "GET" || mistake == .upgradesHEAD && request.method == "HEAD")
      && request.fields.values("Upgrade").map { $0.lowercased() } == ["websocket"]
      && (mistake == .upgradesUnnamed
        || request.fields.values("Connection").contains { $0.lowercased().contains("upgrade") })
  }

  private func arrival(_ request: WiringRequest, _ set: [(String, String)]) -> HTTPResponse {
    var fields = HTTPFields()
    for (name, value) in request.fields.list {
      let folded = String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
      if folded.hasPrefix("x-remote"), mistake != .addsHeaders { continue }
      if mistake != .passesForwarding,
        PassageTable.forwardingNames.contains(where: { $0.lowercased() == folded })
      {
        continue
      }
      switch name {
      case "Cookie":
        guard let kept = cookies(value) else { continue }
        try? fields.append(name, kept)
      case "Upgrade", "HTTP2-Settings":
        guard mistake == .passesUpgrades || name == "Upgrade" && isWebSocket(request),
          mistake != .dropsWebSockets
        else { continue }
        try? fields.append(name, value)
      case "Connection" where mistake == .passesConnection: try? fields.append(name, value)
      case "Connection" where mistake == .passesConnectionOfWebSockets && isWebSocket(request):
        try? fields.append(name, value)
      case "Connection": if isWebSocket(request) { try? fields.append(name, "Upgrade") }
      default: try? fields.append(name, value)
      }
    }
    let dropped =
      mistake == .obeysConnection
      ? request.fields.values("Connection").joined(separator: ",").lowercased() : ""
    for (name, value) in set where mistake != .forgetsAHeader || name != "X-Remote-Role" {
      if dropped.contains(name.lowercased()) { continue }
      try? fields.append(name, value)
    }
    if mistake == .smallBuffers, set.contains(where: { $0.1.utf8.count > 1_000 }) {
      return HTTPResponse(status: 502)
    }
    return ArrivedRequest(method: request.method, target: request.target, fields: fields).response
  }

  /// The cookies that reach the application; nil for none.
  private func cookies(_ value: String) -> String? {
    if mistake == .passesCookie { return value }
    if mistake == .dropsEveryCookie { return nil }
    var isFirst = true
    let kept = value.split(separator: ";").map { $0.drop { $0 == " " } }.filter { pair in
      let name = pair.prefix { $0 != "=" }
      let names = ["session", "session-end"].map { "__Host-" + $0 }
      let isOfGate =
        names.contains(String(name)) || name.hasPrefix("__Host-signin-")
        || name.hasPrefix("__Host-app-signin-")
      defer { if isOfGate { isFirst = false } }
      return !isOfGate || mistake == .passesASecondCookie && !isFirst
    }
    return kept.isEmpty ? nil : kept.joined(separator: "; ")
  }
}
