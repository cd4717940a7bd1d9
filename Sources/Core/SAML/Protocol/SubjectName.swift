import Octets

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
