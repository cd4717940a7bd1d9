import Federation
import Octets
import TokenBasics

/// Captures the token inside of its wire form, and keeps the form.
struct WireCapture {
  private let session: CaptureSession
  private let pinned: PinnedFormat?

  init(_ session: CaptureSession, _ pinned: PinnedFormat?) {
    self.session = session
    self.pinned = pinned
  }

  func capture(_ token: [UInt8]) throws(TokenError) -> [UInt8] {
    if let wide = UTF16Text(token) {
      let made = try capture(wide.utf8)
      session.surfaces.append(made)
      return wide.encoding(made)
    }
    let start = token.first { !ASCII.isWhiteSpace($0) && $0 < 0x80 }
    if start == UInt8(ascii: "{"), pinned != .swt, pinned != .jwt {
      return try NotifyCapture(session).capture(token)
    }
    guard let packaging = try? WirePackaging(token, pinned: pinned) else {
      return try unreadable(token, isXML: start == ASCII.lessThan)
    }
    switch packaging.content {
    case .pairs: return SWTCapture(session).capture(token)
    case .compactJWS:
      if let made = try EncryptedJWTCapture(session).capture(token) { return made }
      return try JWTCapture(session).capture(token)
    case .xml: break
    }
    let xml = try XMLCapture(session).capture(packaging.octets)
    switch packaging.encoding {
    case .none:
      return xml
    case .base64, .base64URL:
      return Base64Layout(token[...]).encoding(try compressed(xml, packaging))
    case .percentEncodedBase64:
      session.note("escapes of base64 stand where its digits need them, which is elsewhere now")
      let text = ReversibleText(percent: token[...]).decoded
      let base64 = Base64Layout(text[...]).encoding(try compressed(xml, packaging))
      return PercentEscapes(of: token[...]).encoding(base64)
    }
  }

  private func compressed(
    _ xml: [UInt8], _ packaging: WirePackaging
  ) throws(TokenError) -> [UInt8] {
    guard packaging.isDeflated else { return xml }
    session.note("other text has another length in DEFLATE")
    guard let stream = Deflate.deflate(xml) else { throw TokenError(.malformedDeflate) }
    return stream
  }

  /// What has no wire form that can be taken off.
  private func unreadable(_ token: [UInt8], isXML: Bool) throws(TokenError) -> [UInt8] {
    if isXML { return try XMLCapture(session).capture(token) }
    if let damaged = DamagedBase64(token),
      (try? WirePackaging(damaged.mended, pinned: pinned)) != nil,
      let made = damaged.damaging(try capture(damaged.mended))
    {
      return made
    }
    session.note("the wire form cannot be read: letters and digits are random ones")
    session.replacer.count("unreadable input", original: token)
    if let made = insideBase64(token) { return made }
    // What a person sees it is no token by, before the first value.
    let known = Self.beginnings.first { token.starts(with: $0) } ?? Self.xmlDigits(token)
    return known + ShapedText.random(Array(token.dropFirst(known.count)))
  }

  /// Random text inside of the base64, where it is well-formed and has text in it.
  private func insideBase64(_ token: [UInt8]) -> [UInt8]? {
    let layout = Base64Layout(token[...])
    guard let octets = layout.octets, layout.encoding(octets) == token else { return nil }
    let limit = session.trust.limits.inflatedBytes
    if let inflated = try? Inflate.inflate(octets, limit: limit),
      let stream = Deflate.deflate(ShapedText.random(inflated))
    {
      return layout.encoding(stream)
    }
    guard String(validating: octets, as: UTF8.self) != nil else { return nil }
    return layout.encoding(ShapedText.random(octets))
  }

  /// The two digits by which base64 of XML is recognised.
  private static func xmlDigits(_ token: [UInt8]) -> [UInt8] {
    guard token.count > 2, token[0] == UInt8(ascii: "P"),
      (UInt8(ascii: "C")...UInt8(ascii: "H")).contains(token[1])
    else { return [] }
    return Array(token.prefix(2))
  }

  /// An authorization header and gzip (RFC 1952, 2.3.1).
  private static let beginnings = [
    Array("Bearer ".utf8), Array("bearer ".utf8), Array("Authorization: Bearer ".utf8),
    [0x1F, 0x8B, 0x08],
  ]
}

/// Base64 whose plus signs became spaces or whose padding is wrong: mended for the capture, which is damaged
/// in the same way.
struct DamagedBase64 {
  let mended: [UInt8]
  private let hasSpaces: Bool
  /// How many equals signs there are more than belong; negative where they are missing.
  private let excess: Int

  /// Nil for a text that is not damaged, or in another way.
  init?(_ source: [UInt8]) {
    hasSpaces = source.contains(ASCII.space) && !source.contains(ASCII.plus)
    let hasSpaces = hasSpaces
    let digits = source.filter { $0 != ASCII.equals }.map {
      hasSpaces && $0 == ASCII.space ? ASCII.plus : $0
    }
    let count = digits.count { !ASCII.isWhiteSpace($0) }
    guard count % 4 != 1, digits.allSatisfy({ Self.isDigit($0) || ASCII.isWhiteSpace($0) }) else {
      return nil
    }
    let padding = (4 - count % 4) % 4
    excess = source.count - digits.count - padding
    mended = digits + [UInt8](repeating: ASCII.equals, count: padding)
    guard mended != source else { return nil }
  }

  /// Nil for base64 that has nothing to damage.
  func damaging(_ base64: [UInt8]) -> [UInt8]? {
    let made = hasSpaces ? base64.map { $0 == ASCII.plus ? ASCII.space : $0 } : base64
    let damaged =
      excess < 0
      ? made.filter { $0 != ASCII.equals }
      : made + [UInt8](repeating: ASCII.equals, count: excess)
    return damaged == base64 ? nil : damaged
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == UInt8(ascii: "/")
  }
}

/// How a text escapes the digits of base 64 that are neither letters nor figures.
struct PercentEscapes {
  private let letters: Hex.Letters

  init(of source: ArraySlice<UInt8>) {
    let isLower = source.indices.contains { place in
      source[place] == ASCII.percent
        && source[place...].prefix(3).contains { (0x61...0x66).contains($0) }
    }
    letters = isLower ? .lowercase : .uppercase
  }

  func encoding(_ octets: [UInt8]) -> [UInt8] {
    PercentEncoding.encode(octets, letters) { byte in
      ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
    }
  }
}
