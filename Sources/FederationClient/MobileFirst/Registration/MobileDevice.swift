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
