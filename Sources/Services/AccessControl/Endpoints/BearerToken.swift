import HTTPExchange
import Octets
import TokenBasics

/// What addresses that take bearer tokens have in common (RFC 6750).
enum BearerToken {
  /// The token of an `Authorization` field (2.1); nil where that has another scheme.
  static func token(of field: String) -> String? {
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].utf8.map(ASCII.lowercased) == Array("bearer".utf8) else {
      return nil
    }
    return String(parts[1])
  }

  /// The challenge of a 401 or 403 (3): `error`, where a token was there, and the scope that is missing.
  static func challenge(_ error: String? = nil, scope: String? = nil) -> String {
    "Bearer realm=\"acs\"" + (error.map { ", error=\"\($0)\"" } ?? "")
      + (scope.map { ", scope=\"\($0)\"" } ?? "")
  }
}

extension IssuingService {
  /// What a program is told: the error's name in OAuth, what is wrong, and the reference of the line in the log.
  func refusal(
    _ name: OAuthErrorName, _ error: TokenError, _ status: Int, reference: String
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.member("error", name.rawValue)
      json.member(
        "error_description",
        "\(error.code.summary) (\(error.code.rawValue)). Trace ID: \(reference)")
    }
    return responder.response(status, "application/json", json.bytes)
  }
}
