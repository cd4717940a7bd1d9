import SimulatedService
import TokenBasics

/// The context that a provider must return to the service: a form string in .NET's URL token encoding,
/// base64 with `-` and `_`, and the number of the `=` that were removed.
enum ContextToken {
  static func encode(_ pairs: [(String, String)]) -> String {
    let form = pairs.map { FormEncoding.encode($0.0) + "=" + FormEncoding.encode($0.1) }
      .joined(separator: "&")
    let base64 = Base64.encode(Array(form.utf8), .url)
    let padding = (4 - base64.utf8.count % 4) % 4
    return base64 + "\(padding)"
  }

  static func decode(_ text: String) throws(Refusal) -> [String: String] {
    guard let padding = text.utf8.last.map({ Int($0) - 48 }), (0...2).contains(padding),
      let octets = try? Base64.decode(Array(text.utf8.dropLast()), .url)
    else { throw Refusal(400, "not a context token") }
    return try ServerRequest.pairs(String(decoding: octets, as: UTF8.self))
  }
}
