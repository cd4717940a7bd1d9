import Octets
import SecurityKeys
import TokenBasics

/// One disclosure of an SD-JWT (RFC 9901, 4.2): a member of an object, or an element of an array, with its salt.
struct Disclosure {
  /// The name of a member; nil for an element of an array.
  let name: String?
  let value: JSONValue
  /// The decoded text, in which ``value`` has its places.
  let source: [UInt8]
  /// The digest of the text as received, which is how the signed payload refers to it.
  let digest: [UInt8]

  /// - Parameter place: Its place among the disclosures, from 1.
  /// - Throws: `disclosure.malformed`, `disclosure.name`.
  init(
    _ text: ArraySlice<UInt8>, _ algorithm: DigestAlgorithm, _ limits: Limits, place: Int
  ) throws(TokenError) {
    func failed(
      _ code: TokenError.Code, expected: String? = nil, found: String? = nil
    ) -> TokenError {
      TokenError(code, node: "disclosure \(place)", expected: expected, found: found)
    }
    let decoded: [UInt8]
    let parsed: JSONValue
    do throws(TokenError) {
      decoded = try Base64.decode(text.span, .url)
      parsed = try JSONParser.parse(decoded, limits: limits)
    } catch {
      throw failed(
        .malformedDisclosure, expected: "a JSON array in base64url", found: "\(error.code)")
    }
    guard let parts = parsed.array, parts.count == 2 || parts.count == 3, parts[0].string != nil
    else {
      throw failed(
        .malformedDisclosure, expected: "[salt, value] or [salt, name, value]",
        found: parsed.array.map { "\($0.count) elements" } ?? parsed.kindName)
    }
    if parts.count == 3 {
      guard let name = parts[1].string else {
        throw failed(
          .malformedDisclosure, expected: "a name that is a string", found: parts[1].kindName)
      }
      guard !Self.isReserved(name) else {
        throw failed(.disclosureName, found: TokenError.excerpt(name))
      }
      self.name = name
    } else {
      name = nil
    }
    guard let value = parts.last, let digest = algorithm.value(of: text.span) else {
      throw failed(.malformedDisclosure)
    }
    self.value = value
    self.digest = digest.bytes
    source = decoded
  }

  /// Names that mean digests and nothing else (RFC 9901, 4.1).
  static func isReserved(_ name: String) -> Bool {
    name.hasSameBytes(as: digests) || name.hasSameBytes(as: element)
  }

  /// The member with the digests of an object's members.
  static let digests = "_sd"
  /// The member with the digest of an array's element.
  static let element = "..."
}

/// Where a claim of an SD-JWT comes from.
public enum ClaimOrigin: String, Hashable, Sendable {
  /// The signed payload shows it to whoever has the token.
  case visible
  /// The holder chose to disclose it.
  case disclosed
  /// It is JSON of which the payload shows a part, and the holder disclosed others.
  case partlyDisclosed = "partly disclosed"
}
