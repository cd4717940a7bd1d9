import Federation
import HTTPExchange
import Octets
import SecurityKeys
import TokenBasics

/// A SAML message in the query of an address (SAML Bindings 3.4), as it was received.
///
/// The signature covers the octets as sent, so they are kept and never encoded again (BIND-4).
package struct RedirectMessage: Sendable {
  /// The inflated message.
  package let octets: [UInt8]
  /// Whether it came as `SAMLRequest`.
  package let isRequest: Bool
  package let relayState: String?
  /// The signed octets, the algorithm's URI and the signature; nil without a signature.
  private let signature: (text: [UInt8], algorithm: String, value: [UInt8])?

  package var isSigned: Bool { signature != nil }

  private static let names = [
    "SAMLRequest", "SAMLResponse", "RelayState", "SigAlg", "Signature", "SAMLEncoding",
  ]
  private static let deflate = "urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE"

  /// Reads a query. Each parameter of the binding occurs at most once, and exactly one of `SAMLRequest`
  /// and `SAMLResponse` (BIND-3). Other parameters are ignored.
  ///
  /// - Throws: `client.duplicate-parameter`, `client.malformed-form`, `client.parameter`,
  ///   `input.*`, `signature.*`.
  package init(query: String, limits: Limits = Limits()) throws(TokenError) {
    let form = try FormReader(query.utf8)
    let raw = Self.rawValues(query)
    guard (form["SAMLRequest"] == nil) != (form["SAMLResponse"] == nil) else {
      throw TokenError(
        .clientParameter, node: "SAMLRequest", expected: "one of SAMLRequest and SAMLResponse")
    }
    // A name in another case, or percent-encoded, is a parameter to some readers (BIND-3).
    guard Self.names.allSatisfy({ form.hasAny(of: [$0]) == (raw[$0] != nil) }) else {
      throw TokenError(.clientParameter, node: "SAMLRequest", expected: "names as in the binding")
    }
    if let encoding = form["SAMLEncoding"], !encoding.hasSameBytes(as: Self.deflate) {
      throw TokenError(.clientParameter, node: "SAMLEncoding", expected: "DEFLATE")
    }
    isRequest = form["SAMLRequest"] != nil
    let name = isRequest ? "SAMLRequest" : "SAMLResponse"
    let deflated = try Base64.decode(try form.require(name).utf8, whiteSpace: .skipped)
    octets = try Inflate.inflate(deflated, limit: limits.inflatedBytes)
    relayState = form["RelayState"]
    signature = try Self.signature(form, raw, name)
  }

  private static func signature(
    _ form: FormReader, _ raw: [String: Substring], _ name: String
  ) throws(TokenError) -> (text: [UInt8], algorithm: String, value: [UInt8])? {
    guard raw["Signature"] != nil || raw["SigAlg"] != nil else { return nil }
    let algorithm = try form.require("SigAlg")
    let value = try Base64.decode(try form.require("Signature").utf8, whiteSpace: .skipped)
    // SAML Bindings 3.4.4.1: this order, whatever the order on the wire (BIND-5).
    let text = [name, "RelayState", "SigAlg"].compactMap { name in
      raw[name].map { "\(name)=\($0)" }
    }.joined(separator: "&")
    return (Array(text.utf8), algorithm, value)
  }

  /// The values as received, by names as received.
  private static func rawValues(_ query: String) -> [String: Substring] {
    var values: [String: Substring] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[String(parts[0])] = parts[1] }
    }
    return values
  }

  /// Verifies the signature over the octets as received.
  ///
  /// - Throws: `signature.missing`, `algorithm.unknown`, and errors of the key ring.
  package func verify(_ keys: [TrustedKey], at now: Instant) throws(TokenError) {
    guard let signature else { throw TokenError(.signatureMissing, node: "Signature") }
    guard
      let algorithm = SignatureAlgorithm.all.first(where: {
        $0.uri.hasSameBytes(as: signature.algorithm) && $0.family != .hmac
      })
    else {
      throw TokenError(
        .unknownSignatureAlgorithm, node: "SigAlg", found: TokenError.excerpt(signature.algorithm))
    }
    _ = try KeyRing(keys).match(signature.value, over: signature.text.span, algorithm, at: now)
  }
}

/// Writes SAML messages into the query of an address (SAML Bindings 3.4.4.1).
package enum RedirectBinding {
  /// The address with the message, signed if there is a key.
  ///
  /// - Parameters:
  ///   - name: `SAMLRequest` or `SAMLResponse`.
  ///   - octets: The message, without a signature of its own.
  /// - Throws: `policy.mint-signature`, `transport.malformed-address`.
  package static func address(
    _ destination: HTTPURL, _ name: String, _ octets: [UInt8], relayState: String?,
    key: SigningKey?
  ) throws(TokenError) -> HTTPURL {
    guard let deflated = Deflate.deflate(octets) else {
      throw TokenError(.mintSignature, node: name)
    }
    var parameters = [(name, Base64.encode(deflated))]
    if let relayState { parameters.append(("RelayState", relayState)) }
    guard let key else { return destination.adding(parameters) }
    parameters.append(("SigAlg", key.algorithm.uri))
    let text = parameters.map { HTTPURL.percentEncoded($0.0) + "=" + HTTPURL.percentEncoded($0.1) }
      .joined(separator: "&")
    let signature = Base64.encode(try key.sign(Array(text.utf8)))
    return destination.adding(parameters + [("Signature", signature)])
  }
}
