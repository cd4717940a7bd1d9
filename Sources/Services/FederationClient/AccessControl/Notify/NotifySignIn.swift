public import Federation
public import HTTPExchange
import Octets
import TokenBasics

/// Sign-in for a program with a web view, whose page passes the token to a script object
/// (`javascriptnotify`).
///
/// The JSON members around the token are not signed. They can only cause a rejection: when context or
/// realm differ from this sign-in's.
public struct NotifySignIn: Sendable {
  /// The namespace and realm to sign in at.
  public let service: AccessControlService
  /// Issuers and keys for verification of the token.
  public let trust: Trust
  /// 40 random hexadecimal digits that tie the message to this sign-in (`context` of the provider list).
  public let context: String
  private let time: any TimeSource

  /// Begins a sign-in with a new random ``context``.
  public init(
    _ service: AccessControlService, trust: Trust, time: any TimeSource,
    random: RandomSource = RandomSource()
  ) {
    self.service = service
    self.trust = trust
    self.time = time
    context = random.hex(20)
  }

  /// The request for the provider list with this sign-in's ``context``.
  public var listRequest: ProviderListRequest {
    ProviderListRequest(.javascriptNotify, context: context)
  }

  /// JavaScript that the web view must run before any page. It defines the object that pages call, which
  /// navigates to `acs://settoken?token=…` with the message percent-encoded.
  public static let bridgeScript =
    "(function(){var n=function(s){location.href='acs://settoken?token='+encodeURIComponent(s)};"
    + "window.external={Notify:n,notify:n}})();"

  /// Verifies the message that a page passed to the script object.
  /// - Throws: `client.state`, `client.parameter`; `input.*`, `xml.*`, `response.*` and errors of
  ///   verification.
  public func receive(message: String) throws(TokenError) -> AccessControlToken {
    let octets = Array(message.utf8)
    guard octets.count <= trust.limits.bytes else {
      throw TokenError(.inputTooLarge, expected: "at most \(trust.limits.bytes) bytes")
    }
    let json = try JSONParser.parse(octets, limits: trust.limits)
    guard let given = json["context"]?.string, given.hasSameBytes(as: context) else {
      throw TokenError(.clientState)
    }
    guard let realm = json["appliesTo"]?.string, realm.hasSameBytes(as: service.realm) else {
      throw TokenError(.clientParameter, node: "appliesTo", expected: service.realm)
    }
    return try AccessControlToken(octets, service: service, trust: trust, at: time.now)
  }

  /// Verifies the message in the address to which ``bridgeScript`` navigated.
  /// - Throws: `client.parameter` for another address, `input.percent-escape`, `input.not-utf8`, and as
  ///   ``receive(message:)``.
  public func receive(navigation address: String) throws(TokenError) -> AccessControlToken {
    let prefix = "acs://settoken?token="
    guard address.utf8.starts(with: prefix.utf8) else {
      throw TokenError(.clientParameter, node: "token", expected: prefix)
    }
    // A plus sign in this address is literal; base64 needs it.
    let octets = try FormEncoding.decode(
      Array(address.utf8.dropFirst(prefix.utf8.count))[...], plus: .isPlus)
    guard let message = String(validating: octets, as: UTF8.self) else {
      throw TokenError(.notUTF8, node: "token")
    }
    return try receive(message: message)
  }
}
