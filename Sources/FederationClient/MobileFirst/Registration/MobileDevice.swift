/// What a client tells about the machine it runs on. Send what there is.
public struct MobileDevice: Hashable, Sendable {
  public var id: String
  public var platform: String
  public var model: String?
  public var systemVersion: String?
  public var displayName: String?

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
