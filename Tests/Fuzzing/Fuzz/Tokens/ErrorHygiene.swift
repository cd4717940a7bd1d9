import Federation
import Foundation

/// P4: an error shows little of the token and nothing that disturbs a log.
enum ErrorHygiene {
  static func check(_ error: TokenError, _ octets: [UInt8]) {
    for part in [error.node, error.found].compactMap({ $0 }) {
      require(part.utf8.count <= 4_096, "\(error.code): \(part.utf8.count) bytes in an error")
      for scalar in part.unicodeScalars
      where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
        fail("\(error.code): control character in an error")
      }
      checkRuns(of: Array(part.utf8), in: octets, error)
    }
  }

  /// No run of the token that is longer than an excerpt may be: 64 characters of at most four bytes, for the codes
  /// and the message of a failed `Status` 512.
  private static func checkRuns(of part: [UInt8], in octets: [UInt8], _ error: TokenError) {
    let isASCII = part.allSatisfy { $0 < 0x80 }
    let characters = error.code == .responseStatus ? 512 : 64
    let length = 8 + characters * (isASCII ? 1 : 4)
    guard part.count >= length, octets.count >= length else { return }
    let token = Data(octets)
    for start in stride(from: 0, through: part.count - length, by: 8) {
      let run = Data(part[start..<start + length])
      require(token.firstRange(of: run) == nil, "\(error.code) shows \(length) bytes of the token")
    }
  }
}
