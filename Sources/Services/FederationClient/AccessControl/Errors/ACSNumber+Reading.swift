import Federation
import Octets
import TokenErrors

extension ACSNumber {
  /// The error code of the client for this number; nil for an undocumented one. It selects the message only; whether a
  /// retry makes sense depends on the HTTP status.
  var code: TokenError.Code? {
    switch cause {
    case .request: .clientRequestRefused
    case .relyingParty: .clientRelyingParty
    case .credentials: .clientCredentials
    case .person: .sessionCancelled
    case .provider: .clientProviderFailed
    case .rules: .clientNoClaims
    case .keys: .clientServiceKey
    case .load: .clientServiceBusy
    case .service: .clientServiceFailed
    case nil: nil
    }
  }

  /// The numbers in a text, in order: `ACS` and exactly five digits, each once.
  static func all(in text: String) -> [Self] {
    var numbers: [Self] = []
    let octets = Array(text.utf8)
    for start in octets.indices.dropLast(7) where octets[start...].starts(with: "ACS".utf8) {
      let digits = octets[(start + 3)..<(start + 8)]
      let next = start + 8 < octets.count ? octets[start + 8] : 0
      guard digits.allSatisfy(ASCII.isDigit), !ASCII.isDigit(next) else { continue }
      let number = Self(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }
}
