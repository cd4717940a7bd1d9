import Octets

/// A host and a port, such as `127.0.0.1:4180`, `[::1]:4180` or `localhost:4180`: where something listens, or where to
/// connect.
public struct HostPort: Hashable, Sendable, CustomStringConvertible {
  /// Why a text is no host and port.
  public enum Refusal: Error, Hashable, Sendable {
    /// No port, and none that is usual.
    case portMissing
    /// A port that is not written as a decimal number, or out of range.
    case port
    /// An IPv6 address without brackets: a reader cannot tell where its port begins (RFC 3986, 3.2.2).
    case bareIPv6
    /// Brackets around anything but an IPv6 address.
    case brackets
    /// Neither a name in ASCII nor an address.
    case host

    /// What is expected instead.
    public var expected: String {
      switch self {
      case .portMissing: "host:port, such as 127.0.0.1:4180 or [::1]:4180"
      case .port: "a port of 1 to 65535"
      case .bareIPv6: "an IPv6 address in brackets, such as [::1]:4180"
      case .brackets: "an IPv6 address between the brackets, such as [::1]:4180"
      case .host: "a host name or an IP address, in ASCII"
      }
    }
  }

  /// The name or the address; one of IPv6 without its brackets.
  public let host: String
  /// The port, 0 to 65,535. 0 stands for one that the system chooses, and is never read from a text.
  public let port: Int

  /// The path of the Unix socket to listen at instead of a host and a port; nil for those. Then ``host`` is empty and
  /// ``port`` is 0.
  public private(set) var socket: String?

  /// The address of a Unix socket.
  package init(socket path: String) {
    socket = path
    host = ""
    port = 0
  }

  /// A host and a port that are known to be such; an IPv6 address is without brackets.
  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Reads `host:port`.
  ///
  /// - Parameters:
  ///   - text: The text, such as `[::1]:4180`.
  ///   - usual: The port of a text that has none; nil where it has to be written out.
  /// - Throws: what is wrong, for a message of the caller's.
  public init(_ text: some StringProtocol, usualPort usual: Int? = nil) throws(Refusal) {
    let text = Substring(text)
    let isBracketed = text.utf8.first == UInt8(ascii: "[")
    let host: Substring
    let rest: Substring
    if isBracketed {
      guard let end = text.firstIndex(of: "]") else { throw .brackets }
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
      guard Self.isIPv6(host) else { throw .brackets }
    } else {
      // An address that stands alone has more than one colon, and so has one before a port.
      let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
      guard colons < 2 || !Self.looksLikeIPv6(text) else { throw .bareIPv6 }
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
      guard Self.isName(host) else { throw .host }
    }
    self.host = Self.lowercased(host)
    if rest.isEmpty {
      guard let usual else { throw .portMissing }
      port = usual
    } else {
      guard rest.utf8.first == UInt8(ascii: ":") else { throw isBracketed ? .port : .host }
      port = try Self.port(rest.dropFirst())
    }
  }

  /// Whether only this machine reaches it: `localhost`, 127.0.0.0/8 or ::1, or a Unix socket.
  public var isLoopback: Bool {
    socket != nil
      || HTTPOrigin(scheme: "http", host: shownHost, port: port).isLoopback
  }

  /// As it is written: an IPv6 address in brackets, `unix:` before the path of a socket.
  public var description: String { socket.map { "unix:\($0)" } ?? "\(shownHost):\(port)" }

  /// The host as addresses have it: an IPv6 address in brackets.
  var shownHost: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

  // MARK: Parts

  /// Names and addresses are alike in either case; a zone is the system's own word.
  private static func lowercased(_ host: Substring) -> String {
    let address = host.prefix { $0 != "%" }
    return String(address).lowercasedASCII + host[address.endIndex...]
  }

  private static func port(_ digits: Substring) throws(Refusal) -> Int {
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(ASCII.isDigit),
      let number = Int(digits), (1...65_535).contains(number)
    else { throw .port }
    return number
  }

  /// An IPv6 address, perhaps with a zone (RFC 4007, 11).
  private static func isIPv6(_ text: Substring) -> Bool {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, address.utf8.contains(UInt8(ascii: ":")),
      IPAddress(address) != nil
    else { return false }
    return parts.count == 1 || !parts[1].isEmpty && parts[1].utf8.allSatisfy(isOfNames)
  }

  /// Whether a text with several colons is likely an address: hexadecimal digits and colons, and perhaps a port.
  private static func looksLikeIPv6(_ text: Substring) -> Bool {
    text.prefix { $0 != "%" }.utf8.allSatisfy { octet in
      ASCII.isDigit(octet) || (0x61...0x66).contains(ASCII.lowercased(octet))
        || octet == UInt8(ascii: ":") || octet == UInt8(ascii: ".")
    }
  }

  /// A name that resolvers take, or an IPv4 address. Services of Docker have an underscore; international names have
  /// to be `xn--` already.
  private static func isName(_ text: Substring) -> Bool {
    guard (1...253).contains(text.utf8.count), let first = text.utf8.first else { return false }
    return first != UInt8(ascii: ".") && first != UInt8(ascii: "-") && !text.contains("..")
      && text.utf8.allSatisfy(isOfNames)
  }

  private static func isOfNames(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || "-._".utf8.contains(octet)
  }
}

/// An address of the Internet Protocol, of version 4 or 6 (RFC 4291, 2.2).
package struct IPAddress: Hashable, Sendable {
  /// 4 or 16 octets; an IPv4 address that is written as one of IPv6 (`::ffff:…`) has 4.
  package let octets: [UInt8]

  /// Reads an address; nil for anything else, such as a name, a zone or a number with a leading zero.
  package init?(_ text: Substring) {
    guard let octets = Self.version4(text) ?? Self.version6(text) else { return nil }
    let mapped =
      octets.count == 16 && octets.prefix(10).allSatisfy { $0 == 0 }
      && octets[10] == 0xFF && octets[11] == 0xFF
    self.octets = mapped ? Array(octets.suffix(4)) : octets
  }

  private static func version4(_ text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var octets: [UInt8] = []
    for part in parts {
      guard part.utf8.allSatisfy(ASCII.isDigit), let octet = UInt8(part),
        part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0")
      else { return nil }
      octets.append(octet)
    }
    return octets
  }

  private static func version6(_ text: Substring) -> [UInt8]? {
    guard let gap = text.firstRange(of: "::") else {
      return groups(text, hasTail: true).flatMap { $0.count == 16 ? $0 : nil }
    }
    guard let before = groups(text[..<gap.lowerBound], hasTail: false),
      let behind = groups(text[gap.upperBound...], hasTail: true),
      before.count + behind.count <= 14
    else { return nil }
    return before + Array(repeating: 0, count: 16 - before.count - behind.count) + behind
  }

  /// Groups of up to four hexadecimal digits, of which the last may be an IPv4 address.
  private static func groups(_ text: Substring, hasTail: Bool) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var octets: [UInt8] = []
    for (number, part) in parts.enumerated() {
      if hasTail, number == parts.count - 1, let tail = version4(part) {
        octets += tail
        continue
      }
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(Hex.isDigit),
        let group = UInt16(part, radix: 16)
      else { return nil }
      octets += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return octets.count <= 16 ? octets : nil
  }
}

extension IPAddress {
  /// Whether machines of the internet have it: not this machine, a network of its own, a link, several at once, or none (the
  /// registries of special addresses of RFC 6890). An address of IPv6 that has one of IPv4 in it is as that one is.
  package var isPublic: Bool {
    guard octets.count == 16 else { return !Self.isSpecial4(octets) }
    // NAT64 (RFC 6052) and 6to4 (RFC 3056).
    if octets.starts(with: [0, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8)) {
      return !Self.isSpecial4(Array(octets.suffix(4)))
    }
    if octets.starts(with: [0x20, 0x02]) { return !Self.isSpecial4(Array(octets[2..<6])) }
    // Of 2000::/3, which is all that is given out, not what protocols and examples have.
    return octets[0] & 0xE0 == 0x20 && !Self.special6.contains { octets.has($0) }
  }

  private typealias Block = (octets: [UInt8], bits: Int)

  private static func isSpecial4(_ octets: [UInt8]) -> Bool {
    special4.contains { octets.has($0) }
  }

  private static let special4: [Block] = [
    ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
    ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15),
    ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
  ]

  private static let special6: [Block] = [
    ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x3F, 0xFF, 0x00], 20),
  ]
}

extension [UInt8] {
  /// Whether it begins with so many bits of these octets.
  fileprivate func has(_ range: (octets: [UInt8], bits: Int)) -> Bool {
    zip(self, range.octets).enumerated().allSatisfy { place, pair in
      let bits = Swift.min(8, range.bits - 8 * place)
      return (pair.0 ^ pair.1) >> UInt8(8 - bits) == 0
    }
  }
}
