import HTTPExchange
import SimulatedService
import TokenBasics

/// An error of the service, by its number.
struct ServiceFault: Error {
  let number: Int
  let text: String
  let status: Int

  init(_ number: Int, _ status: Int, _ text: String) {
    self.number = number
    self.status = status
    self.text = text
  }

  static let unknownRealm = Self(50_001, 400, "The relying party is unknown.")
  static let replyAddress = Self(50_011, 400, "The reply address does not match.")
  static let credentials = Self(50_012, 401, "Authentication failed.")
  static let cancelled = Self(50_019, 401, "The person cancelled.")
  static let noClaims = Self(60_001, 401, "No output claims.")
  static let noSymmetricKey = Self(50_003, 500, "No primary symmetric signing key.")
  static let noCertificate = Self(50_004, 500, "No primary signing certificate.")
  static let grant = Self(70_008, 400, "The grant has expired or was revoked.")
  static let grantType = Self(70_003, 400, "The grant type is not supported.")

  static func missing(_ field: String) -> Self { Self(90_011, 400, "Field \(field) is missing.") }

  private static let trace = "0a0a0a0a-1111-2222-3333-444444444444"

  /// The error response of the OAuth endpoint.
  var oauth: HTTPResponse {
    let error =
      switch number {
      case 50_012: "invalid_client"
      case 70_008: "invalid_grant"
      case 70_003: "unsupported_grant_type"
      case 50_001: "invalid_scope"
      default: "invalid_request"
      }
    var json = JSONWriter()
    json.object { json in
      json.name("error")
      json.string(error)
      json.name("error_description")
      json.string(
        "ACS\(number): \(text)\r\nTrace ID: \(Self.trace)\r\nCorrelation ID: 0b0b\r\n"
          + "Timestamp: 2030-01-01 12:00:00Z")
    }
    return .json(String(decoding: json.bytes, as: UTF8.self), status: status)
  }

  /// The error response of the WRAP endpoint.
  var wrap: HTTPResponse {
    .answer(
      status, [("Content-Type", "text/plain; charset=us-ascii")],
      "Error:Code:\(status):SubCode:T0:Detail:ACS\(number): \(text):TraceID:\(Self.trace)"
        + ":TimeStamp:2030-01-01 12:00:00Z")
  }

  var page: HTTPResponse {
    .html("<html><body><p>ACS\(number): \(text)</p></body></html>", status: status)
  }

  /// The `ErrorDetails` for an error URL.
  func details(context: String?, provider: String?) -> String {
    var json = JSONWriter()
    json.object { json in
      json.name("context")
      if let context { json.string(context) } else { json.null() }
      json.name("httpReturnCode")
      json.integer(status)
      json.name("identityProvider")
      if let provider { json.string(provider) } else { json.null() }
      json.name("timeStamp")
      json.string("2030-01-01 12:00:00Z")
      json.name("traceId")
      json.string(Self.trace)
      json.name("errors")
      json.array { json in
        json.object { json in
          json.name("errorCode")
          json.string("ACS\(number)")
          json.name("errorMessage")
          json.string(text)
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
