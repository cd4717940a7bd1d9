/// One part of a form with files (RFC 7578).
public struct FormPart: Sendable {
  /// Nil for a plain value.
  public let fileName: String?
  public let type: String?
  public let body: [UInt8]

  public init(fileName: String?, type: String?, body: [UInt8]) {
    self.fileName = fileName
    self.type = type
    self.body = body
  }

  public var text: String { String(decoding: body, as: UTF8.self) }
}
