import Foundation
public import HTTPExchange
import Octets
package import TokenBasics

/// A request as received by a server.
public struct ServerRequest: Sendable {
  public var method: String
  /// Percent-encoded, as received.
  public var path: String
  /// Percent-encoded, without the `?`.
  public var query: String?
  /// The header fields as received.
  public var fields: HTTPFields
  public var body: [UInt8]

  public init(
    method: String, path: String, query: String?, fields: HTTPFields, body: [UInt8]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }

  /// The value of a field that occurs once.
  public subscript(field: String) -> String? { fields[field] }

  /// The parameters of the query.
  /// - Throws: ``Refusal`` for a repeated name or an invalid escape.
  public func parameters() throws(Refusal) -> [String: String] {
    try Self.pairs(query ?? "")
  }

  /// The fields of a form body of the one content type that forms have.
  public func form() throws(Refusal) -> [String: String] {
    guard fields["Content-Type"] == "application/x-www-form-urlencoded" else {
      throw Refusal(415, "a form is wanted, not \(fields["Content-Type"] ?? "nothing")")
    }
    return try Self.pairs(String(decoding: body, as: UTF8.self))
  }

  /// The body as JSON, of its content type.
  package func json() throws(Refusal) -> JSONValue {
    let types = ["application/json", "application/json; charset=utf-8"]
    guard let type = fields["Content-Type"], types.contains(type) else {
      throw Refusal(415, "JSON is wanted, not \(fields["Content-Type"] ?? "nothing")")
    }
    guard let json = try? JSONParser.parse(body) else { throw Refusal(400, "no JSON") }
    return json
  }

  /// Pairs, form-decoded once: a plus is a space. Anything that a strict server would reject is
  /// rejected: bare reserved characters, bad escapes, repeated names, pairs without a name.
  public static func pairs(_ text: String) throws(Refusal) -> [String: String] {
    var pairs: [String: String] = [:]
    guard !text.isEmpty else { return pairs }
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Refusal(400, "not a pair of name and value")
      }
      let name = try decoded(parts[0])
      guard pairs.updateValue(try decoded(parts[1]), forKey: name) == nil else {
        throw Refusal(400, "\(name) twice")
      }
    }
    return pairs
  }

  private static func decoded(_ text: Substring) throws(Refusal) -> String {
    let isPlain = text.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~*!'()%+".utf8.contains($0)
    }
    guard isPlain,
      let decoded = text.replacing("+", with: " ").removingPercentEncoding
    else { throw Refusal(400, "not form-encoded") }
    return decoded
  }
}
