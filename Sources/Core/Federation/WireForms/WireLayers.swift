import Octets
package import TokenBasics
package import XMLTree

/// The encoding layers of a token, the outermost first, for a person to see: each as it is removed by the reader
/// of tokens, up to the first that cannot be.
package struct WireLayers: Sendable {
  package enum Kind: Sendable {
    case percentEncoding
    case base64
    case deflate
    /// The JSON that Access Control Service passes to a native application.
    case notifyMessage
    case xml
    /// A Simple Web Token.
    case pairs
    /// A JSON Web Token.
    case compactJWS
    case unknown
  }

  package struct Layer: Sendable {
    package let kind: Kind
    package let octets: [UInt8]
  }

  package private(set) var layers: [Layer] = []
  /// The XML, where there is any and it can be parsed.
  package private(set) var document: Document?
  /// Why the layers end here.
  package private(set) var error: TokenError?

  /// Removes the layers. Nothing beyond ``Limits/bytes`` is looked into.
  package init(_ octets: [UInt8], as pinned: PinnedFormat?, limits: Limits) {
    let reader = WireReader(limits: limits, pinned: pinned)
    do throws(TokenError) {
      guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
        layers.append(Layer(kind: .unknown, octets: octets))
        throw TokenError(.inputTooLarge)
      }
      switch reader.form(of: octets[...]) {
      case .xml:
        try addXML(octets, limits)
      case .json:
        layers.append(Layer(kind: .notifyMessage, octets: octets))
        try addXML(NotifyMessage.tokenXML(octets, limits: limits), limits)
      case .base64:
        try addBase64(octets, reader)
      case .percentEncodedBase64:
        layers.append(Layer(kind: .percentEncoding, octets: octets))
        try addBase64(FormEncoding.decode(octets[...], plus: .isPlus), reader)
      case .pairs:
        layers.append(Layer(kind: .pairs, octets: octets))
      case .compactJWS:
        layers.append(Layer(kind: .compactJWS, octets: octets))
      case .unknown:
        layers.append(Layer(kind: .unknown, octets: octets))
      }
    } catch {
      self.error = error
    }
  }

  private mutating func addBase64(
    _ octets: [UInt8], _ reader: WireReader
  ) throws(TokenError) {
    layers.append(Layer(kind: .base64, octets: octets))
    let (content, wasDeflated) = try reader.unpacked(octets[...])
    if wasDeflated, let stream = Self.decoded(octets) {
      layers.append(Layer(kind: .deflate, octets: stream))
    }
    try addXML(content, reader.limits)
  }

  private static func decoded(_ text: [UInt8]) -> [UInt8]? {
    if let octets = try? Base64.decode(text.span, whiteSpace: .skipped) { return octets }
    let digits = text.filter { !ASCII.isWhiteSpace($0) && $0 != ASCII.equals }
    return try? Base64.decode(digits.span, .url)
  }

  /// XML, and the token that it holds in base64, if it is an envelope of one.
  private mutating func addXML(_ octets: [UInt8], _ limits: Limits) throws(TokenError) {
    layers.append(Layer(kind: .xml, octets: octets))
    let document = try Document(parsing: octets, limits: limits)
    self.document = document
    let content = (try? SOAPMessage(reading: document.root))?.content ?? document.root
    guard let response = try? WSTrustResponse(reading: content),
      response.token.isNamed(WSSName.binarySecurityToken)
    else { return }
    let text = Array(try response.token.textBytes())
    layers.append(Layer(kind: .base64, octets: text))
    let token = try Base64.decode(text.span, whiteSpace: .skipped)
    switch WireForm.recognise(token[...]) {
    case .pairs: layers.append(Layer(kind: .pairs, octets: token))
    case .compactJWS: layers.append(Layer(kind: .compactJWS, octets: token))
    default: layers.append(Layer(kind: .unknown, octets: token))
    }
  }

  /// The Simple Web Token or JSON Web Token inside, if there is one.
  package var innermost: Layer? { layers.last }
}
