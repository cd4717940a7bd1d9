import Foundation
import Synchronization

/// The mutated input in progress; libFuzzer, where it runs, stores its own.
enum LastInput {
  private static let last = Mutex<(number: UInt64, octets: [UInt8])?>(nil)

  static func note(_ number: UInt64, _ octets: [UInt8]) { last.withLock { $0 = (number, octets) } }

  /// The seed that makes it and the input itself, in base64.
  static var text: String? {
    last.withLock { $0 }.map { "seed \($0.number): \(Data($0.octets).base64EncodedString())" }
  }
}
