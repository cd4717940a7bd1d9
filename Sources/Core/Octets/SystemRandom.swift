/// Octets from the system's generator.
package enum SystemRandom {
  /// `count` octets of the system's generator, fit for keys.
  package static func octets(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() as UInt8 }
  }
}
