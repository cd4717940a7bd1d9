/// Text that nobody may see by accident: a password, a session token, a provider's access token.
///
/// Neither its description nor its mirror shows the text, and it is not `Codable`. The one way to the
/// text is ``revealed``, so that a search of the sources finds every use.
public struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
  /// The text itself.
  public let revealed: String

  public init(_ text: String) { revealed = text }

  public var description: String { "(secret)" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
