import ClientScript
import Foundation
import HTTPExchange
import Testing

@testable import FederationClient

@Suite("Secrets")
struct SecretTests {
  @Test("RP-9 Only `revealed` returns a secret")
  func redacts() {
    let secret = Secret("sesame")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped] {
      #expect(!text.contains("sesame"))
    }
    #expect(secret.revealed == "sesame")
  }

  static let odd = "p|+/w=&<'\">\u{E9}-4711-sesame"

  static func replacing(_ text: String, _ pairs: (String, String)...) -> String {
    pairs.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  static func hexadecimal(_ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Encodings of a secret in a page, a message or a log of a server.
  static func spellings(_ text: String) throws -> [String: String] {
    let octets = Array(text.utf8)
    let scalars = text.unicodeScalars.map(\.value)
    let hex = octets.map { hexadecimal(UInt32($0), 2) }
    let named = replacing(
      text, ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"))
    var spellings: [String: String] = [:]
    spellings["as it is"] = text
    spellings["names"] = replacing(named, ("'", "&apos;"))
    spellings["names and a decimal number"] = replacing(named, ("'", "&#39;"))
    spellings["names and a padded number"] = replacing(named, ("'", "&#039;"))
    spellings["names and a hexadecimal number"] = replacing(named, ("'", "&#x27;"))
    spellings["numbers"] = scalars.map { (scalar: UInt32) in "&#\(scalar);" }.joined()
    spellings["hexadecimal numbers"] =
      scalars.map { (scalar: UInt32) in "&#X" + hexadecimal(scalar, 1) + ";" }.joined()
    spellings["percent, some"] = replacing(text, ("+", "%2B"), ("|", "%7c"))
    spellings["percent, letters too"] = replacing(text, ("w", "%77"))
    spellings["percent, all"] = hex.map { (digits: String) in "%" + digits }.joined()
    spellings["percent twice"] = HTTPURL.percentEncoded(HTTPURL.percentEncoded(text))
    spellings["names in percent"] = HTTPURL.percentEncoded(named)
    spellings["JSON, letters"] =
      scalars.map { (scalar: UInt32) in "\\u" + hexadecimal(scalar, 4) }.joined()
    spellings["JSON, slash"] = replacing(text, ("\"", "\\\""), ("/", "\\/"))
    spellings["hexadecimal"] = hex.joined()
    for (name, before) in [("alone", ""), ("after one", "a"), ("after two", "ab")] {
      let base64 = Data((before + text + (before.isEmpty ? "" : ":behind")).utf8)
        .base64EncodedString()
      spellings["base64 " + name] = base64
      spellings["base64url " + name] = base64.replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
    return spellings
  }

  @Test("RP-9 A server's message is shown without secrets, however it encodes them")
  func spelled() throws {
    for text in [Self.odd, "user-token_4711", "0123456789abcdef0123456789abcdef"] {
      let redaction = Redaction([Secret(text)])
      for (name, spelling) in try Self.spellings(text) {
        let shown = redaction.mask("before " + spelling + " behind")
        #expect(shown.hasPrefix("before ") && shown.hasSuffix(" behind"), "\(name): \(shown)")
        // In base64 of a longer text, digits that also depend on other octets may stay.
        let most = name.contains("after") ? 16 : 0
        #expect(shown.utf8.count <= 17 + most && shown.contains("***"), "\(name): \(shown)")
      }
    }
  }

  @Test("RP-9 A reference with many zeros before its number hides no secret")
  func zeros() {
    let spelled = "user-token_4711".utf8.map { "&#00000000\($0);" }.joined()
    #expect(Redaction([Secret("user-token_4711")]).mask("a \(spelled) b") == "a *** b")
  }

  @Test("Text that only begins like a secret, or has escapes of its own, is unchanged")
  func others() {
    let redaction = Redaction([Secret(Self.odd), Secret("user-token_4711")])
    for text in [
      "user-token_471", "AT&amp;T says 100% &lt;no&gt; at %2F, &#x27;really&#x27;", "&", "%", "%4",
      "&#;", "&#x;", "&#99999999999;", "&unknown;", "\\u12", "\\", "dXNlcg==", "",
    ] {
      #expect(redaction.mask(text) == text)
    }
  }

  @Test("RP-9 Dumps of header fields and of a waiting sign-in contain no secret")
  func dumps() throws {
    let fields = try HTTPFields([("Authorization", "Bearer sesame"), ("Cookie", "s=sesame")])
    let exchange = LoopbackExchange(
      address: try HTTPURL("http://127.0.0.1:8080/signin"), state: "sesame", delivery: .form,
      deadline: StillTime().now)
    var dumped = "\(fields) \(exchange) \(String(reflecting: fields))"
    dumped += String(reflecting: exchange)
    dump(fields, to: &dumped)
    dump(exchange, to: &dumped)
    dump([HTTPRequest(.get, try HTTPURL("https://a.example/"), fields: fields)], to: &dumped)
    #expect(!dumped.contains("sesame"))
    #expect(dumped.contains("Authorization"))
    #expect(dumped.contains("http://127.0.0.1:8080/signin"))
  }
}
