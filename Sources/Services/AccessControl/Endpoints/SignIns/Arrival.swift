import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

/// The answer of a real provider that came to this browser and whose sign-in is not finished: the session that the answer
/// began, tied to that sign-in. The cookie of each is named after the sign-in.
struct Arrival {
  /// The name of the cookie.
  let name: String
  /// The value of the session's cookie.
  let session: Secret
  private let value: String

  /// The arrival of a sign-in, at its begin.
  ///
  /// - Parameter context: The sign-in, as it travels.
  init(_ session: Secret, for context: String, _ service: IssuingService) {
    let begun = String(service.clock.now.seconds)
    name = Self.name(of: context, service)
    self.session = session
    value = [
      begun, session.revealed, Self.proof(begun, session.revealed, context, service),
    ].joined(separator: ".")
  }

  /// The arrival that a browser brings for a sign-in; nil for none, and for one of another sign-in.
  init?(_ request: WebRequest, for context: String, _ service: IssuingService) {
    let name = Self.name(of: context, service)
    guard let cookie = request.cookies[name]?.revealed else { return nil }
    let parts = cookie.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3,
      ConstantTime.areEqual(
        Array(parts[2].utf8), Array(Self.proof(parts[0], parts[1], context, service).utf8))
    else { return nil }
    self.name = name
    session = Secret(parts[1])
    value = cookie
  }

  func cookie(for lifetime: Int64) -> SetCookie {
    SetCookie(name: name, value: Secret(value), maximumAge: lifetime, sameSite: .lax)
  }

  /// The sessions of all sign-ins that a browser has not finished, each with the name of its cookie.
  static func all(
    in cookies: CookieJar, _ service: IssuingService
  ) -> [(name: String, session: SessionID?)] {
    cookies.names.filter { isName($0, service) }.map { name in
      let parts = (cookies[name]?.revealed ?? "").split(separator: ".")
      return (name, parts.count == 3 ? SessionID(Secret(String(parts[1]))) : nil)
    }
  }

  /// The names of the cookies that have to go before another one is set: the oldest beyond the last
  /// ``SignInSealer/mostPending`` - 1.
  static func surplus(in cookies: CookieJar, _ service: IssuingService) -> [String] {
    let known = cookies.names.filter { isName($0, service) }.map { name in
      (name: name, begun: Int64((cookies[name]?.revealed ?? "").prefix { $0 != "." }) ?? 0)
    }
    return known.sorted { $0.begun > $1.begun }.dropFirst(SignInSealer.mostPending - 1)
      .map(\.name)
  }

  private static func isName(_ name: String, _ service: IssuingService) -> Bool {
    name.hasPrefix(service.cookieName(beginning))
  }

  private static let beginning = "arrived-"

  private static func name(of context: String, _ service: IssuingService) -> String {
    service.cookieName(
      beginning + Hex.encode(Array(service.key.code(for: "arrived:" + context).prefix(4))))
  }

  private static func proof(
    _ begun: String, _ session: String, _ context: String, _ service: IssuingService
  ) -> String {
    Base64.encode(service.key.code(for: "arrival:\(begun):\(session):\(context)"), .url)
  }
}
