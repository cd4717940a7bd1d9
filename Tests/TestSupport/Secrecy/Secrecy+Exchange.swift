import Foundation
public import HTTPExchange

extension Secrecy {
  /// Names of parameters, form fields and JSON members that have secret values in some protocol here.
  private static let names: Set = [
    "wrap_password", "wrap_assertion", "wrap_access_token", "access_token", "refresh_token",
    "client_secret", "code", "code_verifier", "authorization_code", "assertion",
    "client_assertion", "password", "pin", "securitytoken", "wresult", "token", "id_token",
    "authenticationtoken", "mobileserviceauthenticationtoken", "accessjwt", "refreshjwt",
    "appsecret_proof", "authenticationtokensecret",
  ]
  private static let fields: Set = ["x-zumo-auth", "x-zumo-application", "x-zumo-master"]

  /// Records the secrets of a request, and its descriptions.
  public static func see(_ request: HTTPRequest) {
    guard isOn else { return }
    see(request as Any)
    harvest(request.fields.list, query: request.url.query, body: request.body)
  }

  /// Records the secrets of a response, and its descriptions.
  public static func see(_ answer: HTTPResponse) {
    guard isOn else { return }
    see(answer as Any)
    harvest(answer.fields.list, query: nil, body: answer.body)
  }

  /// Records the secrets of a message's parts.
  public static func harvest(
    _ fields: [(name: String, value: String)], query: String?, body: [UInt8]
  ) {
    guard isOn else { return }
    for (name, value) in fields { harvest(field: name.lowercased(), value) }
    harvest(pairs: query ?? "")
    let text = String(decoding: body, as: UTF8.self)
    if let json = try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) {
      harvest(json: json, isSecret: false)
    } else if !text.contains("<"), !text.contains("\r\n") {
      harvest(pairs: text)
    }
  }

  private static func harvest(field name: String, _ value: String) {
    switch name {
    case "authorization":
      let credential = String(value.drop { $0 != " " }.dropFirst())
      if value.hasPrefix("Basic "), let data = Data(base64Encoded: credential) {
        hide(String(decoding: data, as: UTF8.self).components(separatedBy: ":").last ?? "")
      }
      hide(
        token: credential.split(separator: "\"").dropFirst().first.map(String.init) ?? credential)
    case "location":
      let end =
        value.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? value
      harvest(pairs: end)
      if let fragment = value.range(of: "#token=") {
        harvest(
          [], query: nil,
          body: Array(
            (String(value[fragment.upperBound...])
              .removingPercentEncoding ?? "").utf8))
      }
    case "set-cookie", "cookie":
      if let pair = value.split(separator: ";").first {
        hide(String(pair.drop { $0 != "=" }.dropFirst()))
      }
    default:
      if fields.contains(name) { hide(token: value) }
    }
  }

  private static func harvest(pairs text: String) {
    for pair in text.split(whereSeparator: { $0 == "&" || $0 == "#" }) {
      let parts = pair.split(separator: "=", maxSplits: 1).map {
        $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String($0)
      }
      guard parts.count == 2 else { continue }
      if names.contains(parts[0].lowercased()) { hide(token: parts[1]) }
    }
  }

  private static func harvest(json: Any, isSecret: Bool) {
    switch json {
    case let object as [String: Any]:
      for (name, value) in object {
        harvest(
          json: value,
          // Errors have codes, too, which are no secrets.
          isSecret: names.contains(name.lowercased()) && name != "code"
            || isSecret && name != "username")
      }
    case let list as [Any]: list.forEach { harvest(json: $0, isSecret: isSecret) }
    case let text as String where isSecret:
      hide(
        token: text.replacingOccurrences(of: "&lt;", with: "<")
          .replacingOccurrences(of: "&quot;", with: "\"")
          .replacingOccurrences(of: "&amp;", with: "&"))
      hide(text)
    default: break
    }
  }
}
