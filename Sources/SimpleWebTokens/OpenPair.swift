import Octets

/// The pair that is being read, up to its end.
struct OpenPair: BitwiseCopyable {
  /// Where it begins, as received and decoded.
  let start: Int
  let decodedStart: Int
  /// Its first `=`; before that comes, -1.
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

  /// Notes an escape of no printable ASCII, or a `%` that begins none.
  @inline(__always)
  mutating func noteEscape(isBroken: Bool) {
    oddities.insert(isBroken ? .brokenEscape : equals < 0 ? .name : .value)
  }

  /// Whether there is a name and a `=` behind it.
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

  /// Where the value of the MAC stands, which ends before `end`; nil where an escape is none.
  func mac(before end: Int, decoded: Int) -> MACValue.Place? {
    guard !oddities.contains(.brokenEscape) else { return nil }
    return MACValue.Place(received: equals + 1..<end, decoded: decodedEquals + 1..<decoded)
  }
}
