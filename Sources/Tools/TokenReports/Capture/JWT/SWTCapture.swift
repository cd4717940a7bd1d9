import Octets
import SecurityKeys
import TokenBasics

/// Captures a Simple Web Token.
struct SWTCapture {
  private let session: CaptureSession

  init(_ session: CaptureSession) { self.session = session }

  func capture(_ octets: [UInt8]) -> [UInt8] {
    let pairs = octets.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    var made: [[UInt8]] = []
    var length = 0
    for (place, pair) in pairs.enumerated() {
      let isMAC = pair.starts(with: Self.name) && place > 0
      let end = length - 1
      made.append(
        isMAC
          ? Self.name + mac(pair.dropFirst(Self.name.count), octets[..<max(0, end)], made)
          : scrubbed(pair))
      length += pair.count + 1
    }
    let result = Array(made.joined(separator: [UInt8(ascii: "&")]))
    session.surfaces.append(ReversibleText(percent: result[...]).decoded)
    return result
  }

  private static let name = Array("HMACSHA256=".utf8)
  /// Reserved names, which are refused in any other case.
  private static let reserved: [StaticString] = [
    "Issuer", "Audience", "ExpiresOn", "HMACSHA256",
  ]

  private func scrubbed(_ pair: ArraySlice<UInt8>) -> [UInt8] {
    let equals = pair.firstIndex(of: ASCII.equals) ?? pair.endIndex
    let name = ReversibleText(percent: pair[..<equals])
    let nameText = String(decoding: name.decoded, as: UTF8.self)
    let isKept =
      ClaimTypeText.uris.contains(nameText)
      || Self.reserved.contains { name.decoded.span.equalsIgnoringCase($0) }
    let newName =
      isKept
      ? Array(pair[..<equals])
      : name.encoding(session.replacer.value(name.decoded, "name", keeping: .names))
    if isKept { session.replacer.kept.insert(nameText) }
    guard equals < pair.endIndex else { return newName }
    let value = ReversibleText(percent: pair[(equals + 1)...])
    if nameText == "ExpiresOn" {
      let core = PublicText.trimmed(value.decoded)
      let made = session.replacer.time(TimeText.seconds(core)) ?? []
      return newName + [ASCII.equals]
        + value.encoding(
          value.decoded[..<core.startIndex] + made + value.decoded[core.endIndex...])
    }
    let place = isKept ? nameText : "value of another name"
    return newName + [ASCII.equals] + value.encoding(session.replacer.value(value.decoded, place))
  }

  private func mac(
    _ source: ArraySlice<UInt8>, _ message: ArraySlice<UInt8>, _ made: [[UInt8]]
  ) -> [UInt8] {
    let text = ReversibleText(percent: source)
    let layout = Base64Layout(text.decoded[...])
    session.replacer.count("HMACSHA256", original: text.decoded)
    let newMessage = Array(made.joined(separator: [UInt8(ascii: "&")]))
    if let value = layout.octets,
      let signer = session.signer(of: value, over: Array(message), .hmacSHA256),
      let mac = session.sign(newMessage, .hmacSHA256, signer)
    {
      return escaped(layout.encoding(mac), source)
    }
    session.note("a MAC that no key at hand made is random octets of the same length")
    let random = layout.withOtherOctets()
    return layout.octets == nil ? text.encoding(random) : escaped(random, source)
  }

  /// Escapes what base 64 has beside letters and digits, if the original does.
  private func escaped(_ base64: [UInt8], _ source: ArraySlice<UInt8>) -> [UInt8] {
    guard source.contains(ASCII.percent) else { return base64 }
    session.note("the MAC has as many escapes as its digits need, which may be others than before")
    return PercentEscapes(of: source).encoding(base64)
  }
}
