import Octets
import SecurityKeys
import TokenBasics

/// Captures a compact JSON Web Token.
struct JWTCapture {
  private let session: CaptureSession

  init(_ session: CaptureSession) { self.session = session }

  func capture(_ octets: [UInt8]) throws(TokenError) -> [UInt8] {
    let parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count > 1 else {
      return Base64Layout(octets[...], hasURLDigits: true).withOtherOctets()
    }
    var made = parts.prefix(2).map(scrubbed)
    let message = Array(parts.prefix(2).joined(separator: [UInt8(ascii: ".")]))
    let newMessage = Array(made.joined(separator: [UInt8(ascii: ".")]))
    for (place, part) in parts.enumerated().dropFirst(2) {
      let layout = Base64Layout(part, hasURLDigits: true)
      if !part.isEmpty { session.replacer.count("signature", original: Array(part)) }
      if place == 2, let value = layout.octets, layout.encoding(value) == Array(part),
        let algorithm = algorithm(parts[0]),
        let signer = session.signer(of: value, over: message, algorithm),
        let signature = session.sign(newMessage, algorithm, signer)
      {
        made.append(layout.encoding(signature))
      } else {
        if !part.isEmpty {
          session.note("a signature that no key at hand made is random octets of the same length")
        }
        made.append(layout.withOtherOctets())
      }
    }
    return Array(made.joined(separator: [UInt8(ascii: ".")]))
  }

  private func scrubbed(_ part: ArraySlice<UInt8>) -> [UInt8] {
    // Binary octets have values that cannot be told from what is between them.
    guard let octets = decoded(part),
      octets.first(where: { !ASCII.isWhiteSpace($0) }) == UInt8(ascii: "{")
        || String(validating: octets, as: UTF8.self) != nil
    else {
      session.replacer.count("part that is no JSON", original: Array(part))
      return Base64Layout(part, hasURLDigits: true).withOtherOctets()
    }
    let made = JSONScrubber(octets, session.replacer).scrub()
    session.surfaces.append(made)
    return encoded(made, isPadded: part.last == ASCII.equals)
  }

  /// The octets of a part, which may have as much padding as its digits need: a key can allow that by name.
  private func decoded(_ part: ArraySlice<UInt8>) -> [UInt8]? {
    let padding = part.count.isMultiple(of: 4) ? part.suffix(2).count { $0 == ASCII.equals } : 0
    let digits = part.dropLast(padding)
    return try? Base64.decode(digits.span, .url)
  }

  private func encoded(_ octets: [UInt8], isPadded: Bool) -> [UInt8] {
    let digits = Array(Base64.encode(octets, .url).utf8)
    let padding = isPadded ? (4 - digits.count % 4) % 4 : 0
    return digits + [UInt8](repeating: ASCII.equals, count: padding)
  }

  private func algorithm(_ header: ArraySlice<UInt8>) -> SignatureAlgorithm? {
    decoded(header).flatMap { try? JSONParser.parse($0) }?["alg"]?.string
      .flatMap { SignatureAlgorithm(named: $0) }
  }
}
