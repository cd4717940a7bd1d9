import Octets

/// The names of fields in a form body, an address or the body of a request.
enum FormText {
  /// Which names of ``TokenField`` are before a `=`, each at the start or behind `?`, `&`, `#` or white space; none
  /// where one is that of a Simple Web Token's MAC.
  static func fields(_ octets: ArraySlice<UInt8>) -> [String] {
    var there: Set<String> = []
    var index = octets.startIndex
    for _ in 0..<most {
      guard let equals = octets[index...].firstIndex(of: ASCII.equals) else { break }
      index = equals + 1
      var start = equals
      while start > octets.startIndex, equals - start <= longest, isPartOfName(octets[start - 1]) {
        start -= 1
      }
      guard equals - start <= longest,
        start == octets.startIndex || octets[start - 1] != ASCII.equals
      else { continue }
      let name = String(decoding: octets[start..<equals], as: UTF8.self)
      if name == "HMACSHA256" { return [] }
      there.insert(name)
    }
    return TokenField.names.filter(there.contains)
  }

  /// More fields than a form with a token has.
  private static let most = 1_024
  /// The longest name, with some more.
  private static let longest = 32

  private static func isPartOfName(_ octet: UInt8) -> Bool {
    !"?&#= \t\r\n;".utf8.contains(octet)
  }
}
