import Foundation
import GateService
import IdentityProviderTesting
import Testing

/// A browser before a gate with several hosts: it keeps the cookies of each host apart, and the proxy says which host a
/// request is for.
final class ApplicationBrowser {
  private var cookies: [String: [String: String]] = [:]
  let gate: Gate
  let idp: IdentityProviderSimulator
  let clock: any TimeSource

  init(_ gate: Gate, _ idp: IdentityProviderSimulator, _ clock: any TimeSource) {
    self.gate = gate
    self.idp = idp
    self.clock = clock
  }

  /// The cookies of a host.
  func cookies(_ host: String) -> [String: String] { cookies[host] ?? [:] }

  func setCookie(_ name: String, _ value: String?, at host: String) {
    cookies[host, default: [:]][name] = value
  }

  private func fields(_ host: String) -> [(String, String)] {
    let pairs = cookies(host).map { "\($0.key)=\($0.value)" }.sorted()
    return [("X-Original-Proto", "https"), ("X-Original-Host", host)]
      + (pairs.isEmpty ? [] : [("Cookie", pairs.joined(separator: "; "))])
  }

  private func keep(_ response: HTTPResponse, _ host: String) {
    for cookie in response.fields.values("Set-Cookie") {
      let pair = cookie.prefix { $0 != ";" }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isRemoved = cookie.contains("Max-Age=0")
      setCookie(String(pair[0]), isRemoved ? nil : String(pair[1]), at: host)
    }
  }

  /// Opens an address of a page below the prefix.
  func open(_ address: String, method: String = "GET") async throws -> HTTPResponse {
    let url = try HTTPURL(address)
    let response = await gate.respond(
      to: WebRequest(
        method: method, path: url.path, query: url.query,
        fields: try HTTPFields(fields(url.origin.host))), from: "127.0.0.1")
    keep(response, url.origin.host)
    return response
  }

  /// The gate's verdict on an address of an application.
  func check(_ address: String, _ more: [(String, String)] = []) async throws -> HTTPResponse {
    let url = try HTTPURL(address)
    return await gate.respond(
      to: WebRequest(
        method: "GET", path: "/.gate/check", query: "redirect",
        fields: try HTTPFields(
          fields(url.origin.host) + [
            ("X-Original-URI", url.target), ("X-Original-Method", "GET"), ("Accept", "text/html"),
          ] + more)), from: "127.0.0.1")
  }

  /// Answers the sign-in that a response of the site began, as `subject` until `end`, and keeps what comes.
  func signIn(
    _ begun: HTTPResponse, _ subject: String = "ada", method: String? = nil,
    until end: Instant? = nil
  ) async throws -> HTTPResponse {
    let response = try await idp.finish(
      begun, at: gate,
      fields: [("X-Original-Proto", "https"), ("X-Original-Host", "app.example")]
    ) { request in
      var answer = IdentityProviderSimulator.Answer(
        inResponseTo: request, method: method, at: clock.now)
      answer.subject = subject
      answer.sessionEnd = end
      return answer
    }
    keep(response, "app.example")
    return response
  }

  /// Opens a page of an application as a person does, and returns the last answer: the page's verdict, or what is no
  /// redirect.
  func visit(
    _ address: String, as subject: String = "ada", method: String? = nil
  ) async throws -> HTTPResponse {
    var origin = try HTTPURL(address).origin
    var response = try await check(address)
    for _ in 0..<8 {
      guard let location = response.fields["Location"] else { return response }
      if location.hasPrefix("https://idp.example/") {
        origin = try HTTPURL("https://app.example/").origin
        response = try await signIn(response, subject, method: method)
        continue
      }
      let url = try HTTPURL(location.hasPrefix("/") ? "\(origin)\(location)" : location)
      origin = url.origin
      let isOwn = url.path.hasPrefix("/.gate/")
      response = isOwn ? try await open(url.text) : try await check(url.text)
    }
    return response
  }
}
