import HTTPExchange
import Octets
import StrictJSON
import TokenErrors

/// One identity provider of a namespace, as its list names it.
public struct IdentityProvider: Sendable, CustomStringConvertible {
  /// What a person reads on the button. Not stable: match on nothing but a person's choice.
  public let name: String
  /// Where sign-in begins. To be opened exactly as it is.
  public let loginAddress: String
  /// Where the provider's own session ends; nil where it has no such page.
  public let logoutAddress: String?
  /// A picture for the button.
  public let imageAddress: String?
  /// Whose addresses belong to the provider: it is chosen by the address that a person types.
  public let emailSuffixes: [String]

  public var description: String { name }

  /// The host of ``loginAddress``, by which the big providers can be told from each other.
  public var host: String { (try? HTTPURL(loginAddress).origin.host) ?? "" }

  /// What the application asks of the provider (`scope` of ``loginAddress``), such as `email` and
  /// `publish_stream`.
  public var requestedScopes: [String] {
    (parameter("scope") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// The application's number at the provider (`client_id` of ``loginAddress``).
  public var applicationID: String? { parameter("client_id") }

  private func parameter(_ name: String) -> String? {
    guard let query = try? HTTPURL(loginAddress).query,
      let form = try? FormReader(query.utf8)
    else { return nil }
    return form[name]
  }

  /// - Throws: `input.json-member`, `transport.malformed-address`, `transport.insecure-address`.
  init(_ json: JSONValue) throws(TokenError) {
    guard let name = json["Name"]?.string, !name.isEmpty else {
      throw TokenError(.jsonMember, node: "Name", expected: "a string")
    }
    self.name = name
    guard let login = try Self.address("LoginUrl", of: json) else {
      throw TokenError(.jsonMember, node: "LoginUrl", expected: "an address")
    }
    loginAddress = login
    logoutAddress = try Self.address("LogoutUrl", of: json)
    imageAddress = try Self.address("ImageUrl", of: json)
    guard let suffixes = json["EmailAddressSuffixes"]?.array else {
      throw TokenError(.jsonMember, node: "EmailAddressSuffixes", expected: "an array")
    }
    var emailSuffixes: [String] = []
    for suffix in suffixes {
      guard let text = suffix.string, !text.isEmpty else {
        throw TokenError(.jsonMember, node: "EmailAddressSuffixes", expected: "strings")
      }
      emailSuffixes.append(text)
    }
    self.emailSuffixes = emailSuffixes
  }

  /// An https address as it is written; nil for an empty string or null, which stand for none.
  private static func address(
    _ name: String, of json: JSONValue
  ) throws(TokenError) -> String? {
    switch json[name]?.kind {
    case .null: return nil
    case .string(let text) where text.isEmpty: return nil
    case .string(let text):
      do throws(TokenError) {
        _ = try HTTPURL(text)
        return text
      } catch {
        throw error.located(at: name)
      }
    default: throw TokenError(.jsonMember, node: name, expected: "a string")
    }
  }

  /// Whether the provider is for addresses of that domain.
  func serves(domain: ArraySlice<UInt8>) -> Bool {
    emailSuffixes.contains { suffix in
      suffix.utf8.lazy.map(ASCII.lowercased).elementsEqual(domain.lazy.map(ASCII.lowercased))
    }
  }
}
