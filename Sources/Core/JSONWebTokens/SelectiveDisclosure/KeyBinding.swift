import Claims
import Octets
import SecurityKeys
import TokenBasics

/// The key-binding JWT of an SD-JWT (RFC 9901, 4.3), with which the holder proves to have the private key to which the
/// issuer bound the token.
struct KeyBinding {
  private let signed: JSONWebSignature
  private let payload: JSONValue
  /// The digest of what is presented, by the algorithm that the issuer named.
  private let digest: [UInt8]

  /// - Parameters:
  ///   - presented: Token and disclosures up to the last `~`, as received.
  ///   - algorithm: That of the disclosures.
  /// - Throws: `binding.malformed`.
  init(
    _ octets: [UInt8], over presented: ArraySlice<UInt8>, _ algorithm: DigestAlgorithm,
    _ limits: Limits
  ) throws(TokenError) {
    do throws(TokenError) {
      signed = try JSONWebSignature(parsing: octets, limits: limits)
      payload = try JSONParser.parse(signed.payload, limits: limits)
      guard payload.members != nil else {
        throw TokenError(.jsonMember, expected: "an object", found: payload.kindName)
      }
    } catch {
      throw TokenError(
        .malformedBinding, node: error.node, expected: "a compact JSON Web Token",
        found: "\(error.code)")
    }
    digest = algorithm.digest(of: Array(presented)) ?? []
  }

  /// Checks type, signature, audience, nonce, instant and what it covers.
  ///
  /// - Parameter payload: The issuer's, disclosures in their place.
  /// - Throws: `binding.*`.
  func check(
    _ demand: KeyBindingDemand, boundTo issued: JSONDocument, at now: Instant, skew: Int64
  ) throws(TokenError) {
    guard let type = signed.header.type, JOSEHeader.isType(type, "kb+jwt") else {
      throw TokenError(
        .malformedBinding, node: "binding header.typ", expected: "kb+jwt",
        found: signed.header.type.map { TokenError.excerpt($0) } ?? "nothing")
    }
    try checkSignature(issued, at: now)
    // One text: who could list audiences could present one binding at each of them.
    guard let audience = payload["aud"]?.string, audience.hasSameBytes(as: demand.audience) else {
      throw TokenError(
        .bindingAudience, node: "binding aud", expected: TokenError.excerpt(demand.audience),
        found: found("aud"))
    }
    if let nonce = demand.nonce {
      guard let own = payload["nonce"]?.string, own.hasSameBytes(as: nonce) else {
        throw TokenError(
          .bindingNonce, node: "binding nonce", expected: TokenError.excerpt(nonce),
          found: found("nonce"))
      }
    } else {
      guard payload["nonce"]?.string?.isEmpty == false else {
        throw TokenError(
          .bindingNonce, node: "binding nonce", expected: "a nonce", found: found("nonce"))
      }
    }
    try checkInstant(at: now, skew: skew)
    guard let text = payload["sd_hash"]?.string,
      let hash = try? Base64.decode(Array(text.utf8).span, .url),
      !digest.isEmpty, ConstantTime.areEqual(hash, digest)
    else {
      throw TokenError(
        .bindingHash, node: "binding sd_hash",
        expected: "the digest of the token and its disclosures as presented",
        found: payload["sd_hash"]?.kindName ?? "nothing")
    }
  }

  private func found(_ name: String) -> String {
    payload[name].map { value in
      value.string.map { TokenError.excerpt($0) } ?? value.kindName
    } ?? "nothing"
  }

  /// The key is that of `cnf.jwk` alone (RFC 7800, 3.2); whatever else the header names is ignored.
  private func checkSignature(_ issued: JSONDocument, at now: Instant) throws(TokenError) {
    let confirmation = JSONValue(issued)["cnf"]?["jwk"]
    guard let confirmation else {
      throw TokenError(
        .bindingKey, node: "cnf.jwk", expected: "the holder's key", found: "nothing")
    }
    let key: TrustedKey
    do throws(TokenError) {
      guard var read = try JSONWebKey(confirmation, allowsSecrets: false).key else {
        throw TokenError(.unsupportedKey, found: "a key for another use")
      }
      // The issuer named this key, so a name in the header neither chooses nor excludes it.
      read.keyID = nil
      key = read
    } catch {
      throw TokenError(
        .bindingKey, node: "cnf.jwk", expected: "a public key that signs",
        found: "\(error.code)")
    }
    guard signed.header.signatureAlgorithm?.family != .hmac else {
      throw TokenError(
        .bindingSignature, node: "binding header.alg", expected: "a signature of a private key",
        found: signed.header.algorithm)
    }
    do throws(TokenError) {
      _ = try signed.match(KeyRing([key]), at: now)
    } catch {
      throw TokenError(
        .bindingSignature, node: "binding signature",
        expected: "a signature by \(key.key.fingerprint)", found: "\(error.code)")
    }
  }

  /// Seconds: a presentation is made for the moment.
  private static let lifetime: Int64 = 300

  private func checkInstant(at now: Instant, skew: Int64) throws(TokenError) {
    guard let value = payload["iat"], let issued = NumericDate.instant(value) else {
      throw TokenError(
        .bindingTime, node: "binding iat", expected: "seconds since 1970", found: found("iat"))
    }
    let latest = issued.advanced(bySeconds: Self.lifetime + skew)
    guard issued.advanced(bySeconds: -skew) <= now, now < latest else {
      throw TokenError(
        .bindingTime, node: "binding iat",
        expected: "made within \(Self.lifetime) s before \(now.rfc3339)", found: issued.rfc3339)
    }
    for (name, isEnd) in [("exp", true), ("nbf", false)] {
      guard let value = payload[name] else { continue }
      guard let instant = NumericDate.instant(value),
        isEnd
          ? now < instant.advanced(bySeconds: skew) : instant.advanced(bySeconds: -skew) <= now
      else {
        throw TokenError(
          .bindingTime, node: "binding \(name)", expected: "a time that fits \(now.rfc3339)",
          found: found(name))
      }
    }
  }
}
