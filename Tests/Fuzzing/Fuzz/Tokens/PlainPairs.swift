import Foundation

/// A Simple Web Token read by the simplest decoder of form encoding, for comparison.
struct PlainPairs {
  /// By bytes: two strings may be equal and not the same.
  private(set) var pairs: [(name: [UInt8], value: [UInt8])] = []
  let signed: [UInt8]
  let mac: [UInt8]

  init?(_ octets: [UInt8]) {
    let text = String(decoding: octets, as: UTF8.self)
    guard let mark = text.range(of: "HMACSHA256=", options: .backwards) else { return nil }
    let before = text[..<mark.lowerBound]
    guard before.isEmpty || before.last == "&" else { return nil }
    signed = Array(before.dropLast().utf8)
    guard let value = String(text[mark.upperBound...]).removingPercentEncoding,
      let data = Data(base64Encoded: value)
    else { return nil }
    mac = Array(data)
    for pair in before.dropLast().split(separator: "&", omittingEmptySubsequences: false) {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = Self.decode(halves[0]),
        let value = Self.decode(halves[1]), self[name] == nil
      else { return nil }
      pairs.append((name, value))
    }
  }

  /// The value of that name.
  subscript(name: [UInt8]) -> [UInt8]? { pairs.first { $0.name == name }?.value }

  /// Not by Foundation, which drops a byte order mark.
  private static func decode(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.replacingOccurrences(of: "+", with: " ").utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes
  }
}
