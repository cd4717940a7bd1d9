import HTTPExchange
import Octets
public import TokenErrors

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
