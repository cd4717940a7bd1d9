import HTTPExchange
import TokenBasics

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

/// The device data that a client sends at registration; nil leaves a member out.
public struct MobileDevice: Hashable, Sendable {
  /// A stable identifier of the device.
  public var id: String
  /// The operating system, such as `ios`.
  public var platform: String
  /// The model of the device.
  public var model: String?
  /// The version of the operating system (`osVersion`).
  public var systemVersion: String?
  /// The name of the device for display (`deviceDisplayName`).
  public var displayName: String?

  /// A device with these values.
  public init(
    id: String, platform: String, model: String? = nil, systemVersion: String? = nil,
    displayName: String? = nil
  ) {
    self.id = id
    self.platform = platform
    self.model = model
    self.systemVersion = systemVersion
    self.displayName = displayName
  }
}

/// The header fields that the server's own clients send.
enum MobileFields {
  static func json(_ application: MobileApplication) throws(TokenError) -> HTTPFields {
    try HTTPFields(list(application) + [("Content-Type", "application/json")])
  }

  static func list(_ application: MobileApplication) -> [(String, String)] {
    [
      ("X-Requested-With", "XMLHttpRequest"), ("x-wl-app-version", application.version),
      ("Accept", "application/json"),
    ]
  }
}
