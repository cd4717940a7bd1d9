public import Federation
import Octets
import StrictJSON

/// The sign-in of a program around a web view: a page hands the token over by script
/// (`javascriptnotify`).
///
/// The members around the token are not signed. They can only refuse: a context or a realm that is not
/// this sign-in's.
public struct NotifySignIn: Sendable {
  public let service: AccessControlService
  public let trust: Trust
  /// What goes to the provider list as `context`.
  public let context: String
  private let time: any TimeSource

  public init(
    _ service: AccessControlService, trust: Trust, time: any TimeSource,
    random: RandomOctets = RandomOctets()
  ) {
    self.service = service
    self.trust = trust
    self.time = time
    context = random.hex(20)
  }

  /// What to ask of the provider list.
  public var listRequest: ProviderListRequest {
    ProviderListRequest(.javascriptNotify, context: context)
  }

  /// What the web view runs before any page: the object that pages call, which goes to
  /// `acs://settoken?token=…` with the message percent-encoded.
  public static let bridgeScript =
    "(function(){var n=function(s){location.href='acs://settoken?token='+encodeURIComponent(s)};"
    + "window.external={Notify:n,notify:n}})();"

  /// Judges the message that a page handed over.
  /// - Throws: `client.state`, `client.parameter`; `input.*`, `xml.*`, `response.*` and what
  ///   verification throws.
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

  /// Judges the address to which ``bridgeScript`` went.
  /// - Throws: `client.parameter` for another address, `input.percent-escape`, `input.not-utf8`, and as
  ///   ``receive(message:)``.
  public func receive(navigation address: String) throws(TokenError) -> AccessControlToken {
    let prefix = "acs://settoken?token="
    guard address.utf8.starts(with: prefix.utf8) else {
      throw TokenError(.clientParameter, node: "token", expected: prefix)
    }
    // In an address a plus sign is one: base64 needs it.
    let octets = try FormEncoding.decode(
      Array(address.utf8.dropFirst(prefix.utf8.count))[...], plus: .isPlus)
    guard let message = String(validating: octets, as: UTF8.self) else {
      throw TokenError(.notUTF8, node: "token")
    }
    return try receive(message: message)
  }
}
