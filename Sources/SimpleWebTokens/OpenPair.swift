import Octets

/// The pair that is being read.
struct OpenPair: BitwiseCopyable {
  /// Its start, as received and decoded.
  let start: Int
  let decodedStart: Int
  /// The position of its first `=`; -1 until it is found.
  private(set) var equals = -1
  private(set) var decodedEquals = -1
  private(set) var oddities: PairFlags = []

  @inline(__always)
  init(at start: Int, decoded: Int) {
    self.start = start
    decodedStart = decoded
  }

  @inline(__always)
  mutating func noteEquals(at place: Int, decoded: Int) {
    guard equals < 0 else { return }
    equals = place
    decodedEquals = decoded
  }

  /// Records an escape of no printable ASCII, or a `%` that begins no escape.
  @inline(__always)
  mutating func noteEscape(isBroken: Bool) {
    oddities.insert(isBroken ? .brokenEscape : equals < 0 ? .name : .value)
  }

  /// Whether there is a name and a `=` after it.
  @inline(__always)
  var hasName: Bool { start < equals }

  /// Whether the name as received is the one of the MAC.
  @inline(__always)
  func isMAC(in token: Span<UInt8>) -> Bool {
    hasName && Self.isMAC(token, start..<equals)
  }

  @inline(__always)
  static func isMAC(_ token: Span<UInt8>, _ name: Range<Int>) -> Bool {
    // The length first: most names are not as long.
    name.count == ReservedName.longest && token.extracting(name).hasPrefix(ReservedName.macName)
  }

  /// The position of the MAC's value, which ends before `end`; nil for a broken escape.
  func mac(before end: Int, decoded: Int) -> MACValue.Place? {
    guard !oddities.contains(.brokenEscape) else { return nil }
    return MACValue.Place(received: equals + 1..<end, decoded: decodedEquals + 1..<decoded)
  }
}
