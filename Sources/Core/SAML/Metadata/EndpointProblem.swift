import Octets

/// Why an address of metadata is not used. Browsers and requests are sent there, so only plain `https`
/// addresses are accepted.
public enum EndpointProblem: String, Hashable, Sendable {
  /// The address is empty.
  case empty
  /// It is longer than 2048 bytes.
  case tooLong = "too-long"
  /// It has a character that RFC 3986 does not allow.
  case characters
  /// It has no scheme.
  case relative
  /// Its scheme is neither `https` nor `http`.
  case scheme
  /// Its scheme is `http`.
  case notEncrypted = "not-https"
  /// It names no host.
  case noHost = "no-host"
  /// It has a user name or password.
  case userInformation = "user-information"
  /// Its port is neither 443, 80 nor 1024 or above.
  case port

  /// The first problem of `location`; nil for none.
  init?(of location: String) {
    let bytes = Array(location.utf8)
    guard let problem = Self.problem(bytes[...]) else { return nil }
    self = problem
  }

  private static func problem(_ bytes: ArraySlice<UInt8>) -> Self? {
    if bytes.isEmpty { return .empty }
    if bytes.count > 2048 { return .tooLong }
    // RFC 3986 has no other characters; a backslash is a slash to some browsers.
    if bytes.contains(where: { $0 <= 0x20 || $0 >= 0x7F || "\"<>\\^`{|}".utf8.contains($0) }) {
      return .characters
    }
    guard let scheme = scheme(of: bytes) else { return .relative }
    let isPlain = scheme.equalsIgnoringCase("http")
    guard isPlain || scheme.equalsIgnoringCase("https") else { return .scheme }
    let rest = bytes[(scheme.endIndex + 1)...]
    guard rest.starts(with: Array("//".utf8)) else { return .noHost }
    let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    if authority.contains(UInt8(ascii: "@")) { return .userInformation }
    guard let host = host(of: authority) else { return .noHost }
    let port = authority.dropFirst(host.count)
    if !port.isEmpty, !isUsable(port: port.dropFirst()) { return .port }
    return isPlain ? .notEncrypted : nil
  }

  /// What is before the first colon, if that is a scheme (RFC 3986, 3.1).
  private static func scheme(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first,
      ASCII.isLetter(first),
      bytes[..<colon].allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
      })
    else { return nil }
    return bytes[..<colon]
  }

  /// The host with the brackets of an IPv6 address; nil when there is none.
  private static func host(of authority: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let host: ArraySlice<UInt8>
    if authority.first == UInt8(ascii: "[") {
      guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = authority[...close]
      guard host.count > 2 else { return nil }
    } else {
      host = authority.prefix { $0 != UInt8(ascii: ":") }
    }
    let rest = authority[host.endIndex...]
    return host.isEmpty || (rest.first.map { $0 != UInt8(ascii: ":") } ?? false) ? nil : host
  }

  /// The ports of the web, and those that need no privilege: no mail or shell server.
  private static func isUsable(port: ArraySlice<UInt8>) -> Bool {
    guard let number = Int(String(decoding: port, as: UTF8.self)), port.allSatisfy(ASCII.isDigit)
    else { return false }
    return number == 443 || number == 80 || (1024...65_535).contains(number)
  }
}
