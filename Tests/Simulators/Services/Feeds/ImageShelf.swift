import SimulatedService
import Synchronization

/// The images that were uploaded to a simulated service, until and after a post shows them.
public final class ImageShelf: Sendable {
  /// One of them.
  public struct Image: Sendable {
    public let id: String
    public let type: String
    public let octets: [UInt8]
    public var description: String
    /// Nil where its octets were announced and did not come yet.
    var isThere: Bool { !octets.isEmpty }
    /// How often somebody must still look until it is processed.
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

  /// What posts show, in the order of their uploads.
  public var shown: [Image] { all.filter(\.isShown) }
  /// Everything that was uploaded, in order.
  public var all: [Image] {
    state.withLock { $0.images.values.sorted { $0.id < $1.id } }
  }

  /// Takes no larger ones: 1,000,000 bytes.
  public func limit(bytes: Int) { state.withLock { $0.limit = bytes } }
  /// Has the next ones processed only after so many looks.
  public func process(looks: Int) { state.withLock { $0.looks = looks } }

  func isTooLarge(_ octets: [UInt8]) -> Bool { state.withLock { octets.count > $0.limit } }

  /// A name for an image whose octets are still to come.
  func announce() -> String {
    state.withLock { state in
      state.count += 1
      let id = "\(4000 + state.count)"
      state.images[id] = Image(id: id, type: "", octets: [], description: "", looks: 0)
      return id
    }
  }

  /// The octets of an image that was announced; false for any other.
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

  /// Whether it is processed, with one look less to go; nil for an unknown one.
  func look(at id: String) -> Bool? {
    state.withLock { state in
      guard let image = state.images[id], image.isThere else { return nil }
      state.images[id]?.looks = max(0, image.looks - 1)
      return image.looks == 0
    }
  }

  /// Whether a post may show it: it is there, processed, and in no other post.
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

  /// The type that the first octets say; nil for anything that is no image.
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
