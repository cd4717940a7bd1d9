import Claims
import Octets
package import SecurityKeys
package import TokenBasics
import XMLSecurity
package import XMLTree

/// A `LogoutRequest` or `LogoutResponse` as it was read, by itself not verified.
package struct LogoutMessage: Sendable {
  /// What the message is.
  package enum Content: Sendable {
    /// The subject and the sessions of it that end; no index for all.
    case request(name: SubjectName, sessionIndexes: [String], notOnOrAfter: Instant?)
    /// The request that is answered, and the failure or partial success; nil when all is done.
    case response(inResponseTo: String?, failure: String?)
  }

  package let id: String
  package let issuer: String
  package let issueInstant: Instant
  package let destination: String?
  package let content: Content
  /// The element that was read.
  package let element: Element

  /// Reads a message in the order of its schema (SAML Core 3.7.1, 3.7.2).
  ///
  /// - Parameter decryptionKeys: Decrypt an `EncryptedID`.
  /// - Throws: `xml.*`, `response.version`, `issuer.*`, `time.malformed`, `subject.*`, `encryption.*`.
  package init(
    reading message: Element, decryptionKeys: [PrivateKey], _ limits: Limits
  ) throws(TokenError) {
    let isRequest = message.isNamed(ProtocolName.logoutRequest)
    guard isRequest || message.isNamed(ProtocolName.logoutResponse) else {
      throw TokenError(
        .unexpectedRoot, node: message.path, expected: "LogoutRequest or LogoutResponse",
        found: TokenError.excerpt(message.localName))
    }
    guard message.hasAttribute(AttributeName.version, of: "2.0") else {
      throw TokenError(.messageVersion, node: message.path, expected: "2.0")
    }
    element = message
    id = try message.requiredAttribute(AttributeName.id)
    issueInstant = try message.requiredInstant(AttributeName.issueInstant)
    destination = message.collapsedAttribute(AttributeName.destination)
    var children = try ChildReader(message)
    let issuer = try children.require(SAML2Name.issuer)
    try SAML2AssertionReader.checkIssuer(issuer)
    self.issuer = try issuer.text()
    var isSigned = false
    try SignatureName.take(&children, unless: &isSigned)
    _ = try children.takeOne(SAML2Name.extensions)
    try SignatureName.take(&children, unless: &isSigned)
    content =
      try isRequest
      ? Self.request(message, &children, decryptionKeys, limits)
      : Self.response(message, &children)
    try children.finish()
  }

  private static func request(
    _ message: Element, _ children: inout ChildReader, _ keys: [PrivateKey], _ limits: Limits
  ) throws(TokenError) -> Content {
    let name: SubjectName
    if let encrypted = try children.takeOne(SAML2Name.encryptedID) {
      var decryption = Decryption(
        Decryptor(keys: keys, exceptions: [], limits: limits), limits)
      name = try decryption.read(inside: encrypted, named: SAML2Name.nameID) {
        (element, _, _) throws(TokenError) in try subjectName(element)
      }
    } else {
      name = try subjectName(try children.require(SAML2Name.nameID))
    }
    var indexes: [String] = []
    for index in children.takeAll(ProtocolName.sessionIndex) {
      indexes.append(try index.collapsedText())
    }
    return .request(
      name: name, sessionIndexes: indexes,
      notOnOrAfter: try message.instant(AttributeName.notOnOrAfter))
  }

  private static func subjectName(_ name: Element) throws(TokenError) -> SubjectName {
    let text = try name.text()
    guard !text.isEmpty else { throw TokenError(.emptyNameIdentifier, node: name.path) }
    return SubjectName(
      text, format: name.attribute(AttributeName.format),
      nameQualifier: name.attribute(AttributeName.nameQualifier),
      spNameQualifier: name.attribute(AttributeName.spNameQualifier))
  }

  private static func response(
    _ message: Element, _ children: inout ChildReader
  ) throws(TokenError) -> Content {
    let status = try children.require(SAML2Name.status)
    var failure = try SAML2ResponseReader.failure(status)
    // A success inside which another code stands is a partial one (SAML Core 3.7.3.2).
    if failure == nil, let code = try status.children().first, code.hasChildElements {
      failure = "PartialLogout"
    }
    return .response(
      inResponseTo: message.attribute(AttributeName.inResponseTo), failure: failure)
  }
}

/// How a logout request was carried out (SAML Core 3.2.2.2, 3.7.3).
public enum LogoutOutcome: Hashable, Sendable {
  /// Every session that the request names has ended here.
  case done
  /// The session has ended here, but not everywhere.
  case partial
  /// No session of ours is the one that the request names.
  case noSession
  /// Nothing ended.
  case refused

  /// The outer and the inner status code.
  var codes: (String, String?) {
    let prefix = "urn:oasis:names:tc:SAML:2.0:status:"
    return switch self {
    case .done: (prefix + "Success", nil)
    case .partial: (prefix + "Success", prefix + "PartialLogout")
    case .noSession: (prefix + "Requester", prefix + "UnknownPrincipal")
    case .refused: (prefix + "Requester", prefix + "RequestDenied")
    }
  }
}

/// A SAML name identifier (SAML Core 2.2.3). Two are the same when all parts are, byte for byte; no format is
/// the same as the one that says unspecified (2.2.2).
public struct SubjectName: Hashable, Sendable {
  /// The name.
  public var text: String
  /// The URI of its format; nil for unspecified.
  public var format: String?
  /// The domain that qualifies it; nil for none.
  public var nameQualifier: String?
  /// The service provider that qualifies it; nil for none.
  public var spNameQualifier: String?

  /// A name with these parts.
  public init(
    _ text: String, format: String? = nil, nameQualifier: String? = nil,
    spNameQualifier: String? = nil
  ) {
    self.text = text
    self.format = format
    self.nameQualifier = nameQualifier
    self.spNameQualifier = spNameQualifier
  }

  /// Whether all parts are the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameBytes(as: right.text) && left.kind.hasSameBytes(as: right.kind)
      && left.nameQualifier.hasSameBytes(as: right.nameQualifier)
      && left.spNameQualifier.hasSameBytes(as: right.spNameQualifier)
  }

  /// Whether both identify one subject of the same issuer. A qualifier that one of them leaves out is the
  /// default that the other spells out (SAML Core 2.2.2).
  public func isSubject(of other: Self) -> Bool {
    func agree(_ left: String?, _ right: String?) -> Bool {
      left == nil || right == nil || left.hasSameBytes(as: right)
    }
    return text.hasSameBytes(as: other.text) && kind.hasSameBytes(as: other.kind)
      && agree(nameQualifier, other.nameQualifier)
      && agree(spNameQualifier, other.spNameQualifier)
  }

  /// The format, written or meant.
  private var kind: String { format ?? Self.unspecified }

  private static let unspecified = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
