/// Octets from the system's generator.
package enum SystemRandom {
  /// So many octets that nobody can guess, fit for keys.
  package static func octets(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() as UInt8 }
  }
}
