import HTTPExchange
import Octets
import TokenBasics

/// One entry of a namespace's list of identity providers.
public struct IdentityProvider: Sendable, CustomStringConvertible {
  /// The text of the button. Not stable: compare it only with an earlier choice of the person.
  public let name: String
  /// The address of the provider's sign-in page (`LoginUrl`). Open it unchanged.
  public let loginAddress: String
  /// The address of the provider's sign-out page (`LogoutUrl`); nil if it has none.
  public let logoutAddress: String?
  /// The address of an image for the button (`ImageUrl`).
  public let imageAddress: String?
  /// E-mail domains of the provider (`EmailAddressSuffixes`), by which a typed address selects it.
  public let emailSuffixes: [String]

  /// The same as ``name``.
  public var description: String { name }

  /// The host of ``loginAddress``, which distinguishes the big providers.
  public var host: String { (try? HTTPURL(loginAddress).origin.host) ?? "" }

  /// The scopes that the application requests (`scope` of ``loginAddress``), such as `email` and
  /// `publish_stream`.
  public var requestedScopes: [String] {
    (parameter("scope") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// The application's identifier at the provider (`client_id` of ``loginAddress``).
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

  /// An https address as written; nil for an empty string or null, which mean none.
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

  /// Whether ``emailSuffixes`` contains the domain, compared without case.
  func serves(domain: ArraySlice<UInt8>) -> Bool {
    emailSuffixes.contains { suffix in
      suffix.utf8.lazy.map(ASCII.lowercased).elementsEqual(domain.lazy.map(ASCII.lowercased))
    }
  }
}
