import SimulatedService
import Synchronization

/// The images that were uploaded to a simulated service, in a post or not.
public final class ImageShelf: Sendable {
  /// One of them.
  public struct Image: Sendable {
    public let id: String
    public let type: String
    public let octets: [UInt8]
    public var description: String
    /// Nil while it is announced but not uploaded.
    var isThere: Bool { !octets.isEmpty }
    /// The number of polls until it is processed.
    var looks: Int
    var isShown = false
  }

  private struct State {
    var images: [String: Image] = [:]
    var count = 0
    var limit = 1_000_000
    var looks = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// The images in posts, in the order of their uploads.
  public var shown: [Image] { all.filter(\.isShown) }
  /// Everything that was uploaded, in order.
  public var all: [Image] {
    state.withLock { $0.images.values.sorted { $0.id < $1.id } }
  }

  /// The maximum size: 1,000,000 bytes.
  public func limit(bytes: Int) { state.withLock { $0.limit = bytes } }
  /// Sets the number of polls until the next images are processed.
  public func process(looks: Int) { state.withLock { $0.looks = looks } }

  func isTooLarge(_ octets: [UInt8]) -> Bool { state.withLock { octets.count > $0.limit } }

  /// A name for an announced image.
  func announce() -> String {
    state.withLock { state in
      state.count += 1
      let id = "\(4000 + state.count)"
      state.images[id] = Image(id: id, type: "", octets: [], description: "", looks: 0)
      return id
    }
  }

  /// Stores the octets of an announced image; false for any other.
  func fill(_ id: String, _ type: String, _ octets: [UInt8]) -> Bool {
    state.withLock { state in
      guard let image = state.images[id], !image.isThere else { return false }
      state.images[id] = Image(
        id: id, type: type, octets: octets, description: "", looks: state.looks)
      return true
    }
  }

  func put(_ type: String, _ octets: [UInt8], describedAs description: String = "") -> String {
    let id = announce()
    _ = fill(id, type, octets)
    _ = describe(id, description)
    return id
  }

  func describe(_ id: String, _ description: String) -> Bool {
    state.withLock { state in
      guard state.images[id] != nil else { return false }
      state.images[id]?.description = description
      return true
    }
  }

  /// Counts a poll; whether the image is processed, nil for an unknown one.
  func look(at id: String) -> Bool? {
    state.withLock { state in
      guard let image = state.images[id], image.isThere else { return nil }
      state.images[id]?.looks = max(0, image.looks - 1)
      return image.looks == 0
    }
  }

  /// Whether a post may contain it: it is uploaded, processed, and in no other post.
  func canShow(_ id: String) -> Bool {
    state.withLock { state in
      guard let image = state.images[id] else { return false }
      return image.isThere && image.looks == 0 && !image.isShown
    }
  }

  func show(_ id: String?) {
    guard let id else { return }
    state.withLock { $0.images[id]?.isShown = true }
  }

  /// The type by the first octets; nil for anything but an image.
  static func type(of octets: [UInt8]) -> String? {
    if octets.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if octets.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if octets.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    if octets.starts(with: Array("RIFF".utf8)), octets.dropFirst(8).starts(with: "WEBP".utf8) {
      return "image/webp"
    }
    return nil
  }
}
