/// A hash for tables in memory, seeded anew in each process so that an attacker cannot choose texts that
/// collide. Its values must not leave the process.
public struct ByteHash: Sendable {
  private let first = UInt64.random(in: .min ... .max)
  private let second = UInt64.random(in: .min ... .max)

  /// The hash of this process. Read it once for many hashes.
  package static let ofProcess = ByteHash()

  package static func hash(_ bytes: Span<UInt8>) -> Int { ofProcess.hash(bytes) }

  /// The length and the last eight bytes, which distinguish a few names. An attacker can choose
  /// others of the same mark, so it is not for tables.
  @inlinable @inline(__always)
  public static func mark(_ bytes: Span<UInt8>) -> Int {
    let count = bytes.count
    var word: UInt64 = 0
    if count >= SWAR.count {
      word = SWAR.word(bytes, at: count &- SWAR.count)
    } else {
      for index in 0..<count { word = word &<< 8 | UInt64(bytes[index]) }
    }
    return Int(truncatingIfNeeded: word) ^ count
  }

  /// Sixteen bytes at a time, the last sixteen perhaps a second time.
  package func hash(_ bytes: Span<UInt8>) -> Int {
    let count = bytes.count
    var hash = first ^ UInt64(truncatingIfNeeded: count)
    guard count >= 16 else {
      var words: (UInt64, UInt64) = (0, 0)
      for index in 0..<count {
        words = (words.0 &<< 8 | words.1 &>> 56, words.1 &<< 8 | UInt64(bytes[index]))
      }
      return Int(truncatingIfNeeded: Self.mixed(hash ^ words.0, second ^ words.1))
    }
    let raw = unsafe bytes.bytes
    var index = 0
    while index < count {
      let start = min(index, count &- 16)
      let one = unsafe raw.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
      let two = unsafe raw.unsafeLoadUnaligned(fromByteOffset: start &+ 8, as: UInt64.self)
      hash = Self.mixed(hash ^ one, second ^ two)
      index &+= 16
    }
    return Int(truncatingIfNeeded: Self.mixed(hash, second))
  }

  /// Both halves of the product, one on the other.
  @inline(__always)
  private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

/// A Bloom filter of 64 bits and one hash over the marks that ``ByteHash/mark(_:)`` computes.
public struct SmallBloomFilter: Sendable {
  @usableFromInline var bits: UInt64 = 0

  /// An empty filter.
  @inlinable public init() {}

  /// Inserts a mark. Returns true where the filter is certain that the mark was not in it.
  @inlinable @inline(__always)
  public mutating func insert(_ mark: Int) -> Bool {
    // The highest bits of the product depend on all of the mark.
    let product = UInt64(truncatingIfNeeded: mark) &* 0x9E37_79B9_7F4A_7C15
    let bit: UInt64 = 1 &<< (product &>> 58)
    defer { bits |= bit }
    return bits & bit == 0
  }
}
