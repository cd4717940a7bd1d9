/// Octets from the system's generator.
package enum SystemRandom {
  /// `count` octets of the system's generator, fit for keys.
  package static func octets(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var octets: [UInt8] = []
    octets.reserveCapacity(count)
    // Each number is a call of the system: eight octets of each are used.
    var number: UInt64 = 0
    for place in 0..<count {
      number = place % 8 == 0 ? generator.next() : number >> 8
      octets.append(UInt8(truncatingIfNeeded: number))
    }
    return octets
  }
}
