import HTTPExchange
import Octets

extension GateDoctor {
  /// How a request fared, as far as its answer tells.
  enum Outcome: Equatable {
    /// The proxy sent the browser to the gate's sign-in, from where it is to return to this encoded target.
    case signIn(return: String)
    /// 401.
    case unauthorized
    /// 403.
    case forbidden
    /// Another status with which proxies refuse what they cannot read: it did not pass, and was not judged.
    case unreadable(Int)
    /// 5xx.
    case failed(Int)
    /// Anything else: something answered.
    case passed(Int)
  }

  /// Sends a request that counts for a check.
  ///
  /// - Returns: nil where nothing answered, which is noted as a finding.
  func send(
    _ request: WiringRequest, for check: inout WiringCheck
  ) async -> HTTPResponse? {
    check.requests += 1
    do throws(TokenError) {
      return try await probe.answer(to: request)
    } catch {
      note(.wiringUnreachable, request, nil, error.description, &check)
      return nil
    }
  }

  /// A request, with the header fields of a browser that follows a link.
  func page(
    _ target: String, _ method: String = "GET", as session: Session? = nil,
    adding more: [(String, String)] = []
  ) -> WiringRequest {
    var pairs = [("Accept", "text/html"), ("Sec-Fetch-Mode", "navigate")]
    if let session { pairs.append(("Cookie", session.cookie)) }
    return WiringRequest(method, target, (try? HTTPFields(pairs + more)) ?? HTTPFields())
  }

  /// What became of a request.
  func outcome(_ response: HTTPResponse) -> Outcome {
    // The doctor's stand-in answers 400 to a handshake of websocket. Of another status it may be the page of a refusal alone.
    if response.status == 400, ArrivedRequest(response) != nil { return .passed(400) }
    if response.isRedirect, let location = response.fields["Location"] {
      for base in [configuration.origin.description, ""] {
        let address = base + configuration.prefix + "sign-in"
        if location.hasSameBytes(as: address) { return .signIn(return: "") }
        if location.hasPrefix(address + "?return=") {
          return .signIn(return: String(location.dropFirst(address.count + 8)))
        }
      }
      return .passed(response.status)
    }
    switch response.status {
    case 401: return .unauthorized
    case 403: return .forbidden
    case 400, 405, 414, 421, 431, 501: return .unreadable(response.status)
    case 500...599: return .failed(response.status)
    default: return .passed(response.status)
    }
  }

  /// Notes a finding, with the request in the words of an access log.
  func note(
    _ code: TokenError.Code, _ request: WiringRequest, _ expected: String?, _ found: String,
    _ check: inout WiringCheck
  ) {
    let error = TokenError(
      code, node: "\(request.method) \(request.target)", expected: expected, found: found)
    // One finding a cause: a hole in one location shows in many requests.
    guard check.findings.filter({ $0.code == code }).count < 3 else { return }
    check.findings.append(error)
  }

  /// Notes a proxy's own error. Returns whether there was one.
  func noteFailure(
    _ outcome: Outcome, _ request: WiringRequest, _ check: inout WiringCheck
  ) -> Bool {
    guard case .failed(let status) = outcome else { return false }
    note(.wiringCheckFailed, request, "a verdict", "status \(status)", &check)
    return true
  }

  /// The path of a rule as a browser asks for it.
  func target(_ rule: GateRule, _ below: String = "") -> String {
    let segments = rule.path.segments.map(HTTPURL.percentEncoded)
    let path = "/" + segments.joined(separator: "/")
    guard !below.isEmpty else { return path }
    return path + (path.hasSuffix("/") ? "" : "/") + below
  }

  /// Whether a browser that asks for a page without a session is sent to sign in.
  func needsSignIn(_ target: String) -> Bool {
    guard !isOpen(target) else { return false }
    let verdict = configuration.rules.decide(target, method: "GET", subject: nil).verdict
    return if case .signIn = verdict { true } else { false }
  }

  /// Whether a path is open on purpose, by the command line or a rule, or the gate's own.
  func isOpen(_ target: String, _ method: String = "GET") -> Bool {
    let path = target.prefix { $0 != "?" }
    return path.hasPrefix(configuration.prefix)
      || open.contains { path == $0 || ($0.hasSuffix("/") && path.hasPrefix($0)) }
      || configuration.rules.isPublic(target, method: method)
  }
}
