public import Federation
import HTTPExchange
import Octets
public import TokenBasics

/// An error reported by Access Control Service.
///
/// It is unauthenticated: show it as plain text, never as HTML, and base no decision on it. Texts are
/// shortened and contain no control characters.
public struct AccessControlFailure: Hashable, Sendable {
  /// The HTTP status of the response, or `httpReturnCode` of `ErrorDetails`.
  public var status: Int?
  /// `error` of the OAuth endpoint, such as `invalid_client`.
  public var oauthError: String?
  /// The ACS codes in order of appearance, each once per text.
  public var codes: [ACSNumber] = []
  /// The service's messages for people, one line each.
  public var messages: [String] = []
  /// The provider of the failed sign-in (`identityProvider` of `ErrorDetails`).
  public var identityProvider: String?
  /// The service's trace ID, for its support.
  public var traceID: String?
  /// The correlation ID of the OAuth endpoint.
  public var correlationID: String?
  /// The service's time of the error, as text.
  public var timeStamp: String?
  /// The relying party's own state (`context`), returned by the service.
  public var context: String?

  /// Whether the person closed the provider's page or denied access, which is an outcome, not an error.
  public var isCancelled: Bool { codes.contains(.cancelled) || oauthError == "access_denied" }

  /// The error for the first documented code, else for ``oauthError``, else for the status.
  public var error: TokenError {
    let known = codes.first { $0.code != nil }
    var found = known?.meaning ?? messages.first ?? oauthError ?? "no explanation"
    if let status { found += ", status \(status)" }
    if let traceID { found += ", trace \(traceID)" }
    return TokenError(
      isCancelled ? .sessionCancelled : known?.code ?? causeOfStatus,
      node: (known ?? codes.first)?.description, found: found)
  }

  private var causeOfStatus: TokenError.Code {
    if let oauthError {
      let credentials = ["invalid_client", "invalid_grant", "unauthorized_client"]
      return credentials.contains(oauthError) ? .clientCredentials : .clientRequestRefused
    }
    return switch status ?? 0 {
    case 401, 403: .clientCredentials
    case 429, 503: .clientServiceBusy
    case 504: .clientProviderFailed
    case 500...: .clientServiceFailed
    default: .clientRequestRefused
    }
  }
}

extension AccessControlFailure {
  /// Reads an error response of a token endpoint or of the provider list: OAuth's JSON, or text that may
  /// contain codes. Never fails: an unreadable body leaves the status alone.
  init(_ response: HTTPResponse, hiding secrets: Redaction) {
    status = response.status
    let head = Array(response.body.prefix(16_384))
    if let json = try? JSONParser.parse(response.body), let error = json["error"]?.string {
      oauthError = Self.shown(error, secrets)
      read(description: json["error_description"]?.string ?? "", hiding: secrets)
    } else {
      // The layout of WRAP errors is not documented, so only codes are searched for.
      codes = ACSNumber.all(in: String(decoding: head, as: UTF8.self))
    }
  }

  /// `ACS50012: Authentication failed.` followed by one line each for trace ID, correlation ID and time.
  private mutating func read(description: String, hiding secrets: Redaction) {
    codes = ACSNumber.all(in: description)
    let lines = description.utf8.split { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
    for line in lines.prefix(8).map({ String(decoding: $0, as: UTF8.self) }) {
      if let value = Self.value(of: "Trace ID: ", in: line) {
        traceID = Self.shown(value, secrets)
      } else if let value = Self.value(of: "Correlation ID: ", in: line) {
        correlationID = Self.shown(value, secrets)
      } else if let value = Self.value(of: "Timestamp: ", in: line) {
        timeStamp = Self.shown(value, secrets)
      } else {
        messages.append(Self.shown(line, secrets))
      }
    }
  }

  /// The `ErrorDetails` that ACS sends to a relying party's error URL.
  /// - Throws: `input.json-*`.
  public init(errorDetails: String) throws(TokenError) {
    let json = try JSONParser.parse(Array(errorDetails.utf8))
    guard json.members != nil, let errors = json["errors"]?.array else {
      throw TokenError(.jsonMember, node: "errors", expected: "an array")
    }
    let none = Redaction([])
    status = json["httpReturnCode"]?.integer
    context = json["context"]?.string
    identityProvider = json["identityProvider"]?.string.map { Self.shown($0, none) }
    traceID = json["traceId"]?.string.map { Self.shown($0, none) }
    timeStamp = json["timeStamp"]?.string.map { Self.shown($0, none) }
    for error in errors.prefix(32) {
      guard let code = error["errorCode"]?.string else {
        throw TokenError(.jsonMember, node: "errors.errorCode", expected: "a string")
      }
      codes += ACSNumber.all(in: code)
      if let message = error["errorMessage"]?.string { messages.append(Self.shown(message, none)) }
    }
  }

  private static func value(of prefix: String, in line: String) -> String? {
    line.utf8.starts(with: prefix.utf8) ? String(line.dropFirst(prefix.count)) : nil
  }

  /// The text redacted and shortened for an error message, without quotation marks.
  private static func shown(_ text: String, _ secrets: Redaction) -> String {
    let excerpt = secrets.excerpt(text)
    return excerpt.hasSuffix("\"") ? String(excerpt.dropFirst().dropLast()) : excerpt
  }
}

extension ACSNumber {
  /// The error code of the client for this number; nil for an undocumented one. It selects the message only; whether a
  /// retry makes sense depends on the HTTP status.
  var code: TokenError.Code? {
    switch cause {
    case .request: .clientRequestRefused
    case .relyingParty: .clientRelyingParty
    case .credentials: .clientCredentials
    case .person: .sessionCancelled
    case .provider: .clientProviderFailed
    case .rules: .clientNoClaims
    case .keys: .clientServiceKey
    case .load: .clientServiceBusy
    case .service: .clientServiceFailed
    case nil: nil
    }
  }

  /// The numbers in a text, in order: `ACS` and exactly five digits, each once.
  static func all(in text: String) -> [Self] {
    var numbers: [Self] = []
    let octets = Array(text.utf8)
    for start in octets.indices.dropLast(7) where octets[start...].starts(with: "ACS".utf8) {
      let digits = octets[(start + 3)..<(start + 8)]
      let next = start + 8 < octets.count ? octets[start + 8] : 0
      guard digits.allSatisfy(ASCII.isDigit), !ASCII.isDigit(next) else { continue }
      let number = Self(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }
}
