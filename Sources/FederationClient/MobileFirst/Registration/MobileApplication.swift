/// The application as it is registered at a Mobile Foundation server.
public struct MobileApplication: Hashable, Sendable {
  /// The bundle or package name, such as `org.example.talks`.
  public var id: String
  /// The platform as registered: `ios`, `android`, `web`…
  public var platform: String
  /// The application's version as registered.
  public var version: String

  /// An application with these values.
  public init(id: String, platform: String, version: String) {
    self.id = id
    self.platform = platform
    self.version = version
  }
}
