/// Text that must not be displayed by accident: a password, a session token, a provider's access token.
///
/// Neither its description nor its mirror contains the text, and it is not `Codable`. Only ``revealed``
/// returns it, so that a search of the sources finds every use.
public struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
  /// The text itself.
  public let revealed: String

  /// A secret with that text.
  public init(_ text: String) { revealed = text }

  /// Always `(secret)`.
  public var description: String { "(secret)" }

  /// Has no children, so that a dump does not show the text.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
