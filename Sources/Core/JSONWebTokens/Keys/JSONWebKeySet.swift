import Octets
public import SecurityKeys
public import TokenBasics

/// The keys of a JWK set (RFC 7517, 5) that verify signatures.
public struct JSONWebKeySet: Sendable {
  /// The usable keys, in document order, each bound to its `kid` and `alg`. Keys of one `kid` are
  /// told apart by type and algorithm; where two fit a token that names them, it is refused
  /// (`key.duplicate-id`).
  public let keys: [TrustedKey]
  /// Why each other key is passed over, in document order, with its place: the set has keys that
  /// cannot be used (RFC 7517, 5). Keys for another use, such as encryption, are not among them.
  public let passedOver: [TokenError]
  /// What is written in another way than the standards demand and was read all the same, as one
  /// sentence each.
  public let warnings: [String]
  /// Where the keys are, in the same order.
  private let places: [String]

  /// Reads a set, or a single key.
  ///
  /// - Parameters:
  ///   - bytes: A JWK set or a JWK, JSON.
  ///   - allowsSecrets: Whether the set may contain `oct` keys; one from a network must not.
  /// - Throws: `input.json-*`; `key.not-a-set` for other content; when nothing is left, why the
  ///   first key was passed over (`key.private`, `key.weak`, `key.unreadable` and others), or
  ///   `key.empty-set` for a set that has no key for signatures.
  public init(parsing bytes: [UInt8], allowsSecrets: Bool = false) throws(TokenError) {
    let entries = try Self.entries(bytes)
    guard entries.count <= Self.limit else {
      throw TokenError(
        .unreadableKey, expected: "at most \(Self.limit) keys", found: "\(entries.count) keys",
        hint: "no issuer has that many; check where the set comes from")
    }
    var keys: [TrustedKey] = []
    var places: [String] = []
    var passedOver: [TokenError] = []
    var warnings: [String] = []
    for entry in entries {
      do throws(TokenError) {
        let key = try JSONWebKey(entry.json, allowsSecrets: allowsSecrets)
        warnings += key.remarks.map { "\(entry.place): \($0)" }
        if let key = key.key {
          keys.append(key)
          places.append(entry.place)
        }
      } catch {
        var error = error
        error.node = error.node.map { "\(entry.place), \($0)" } ?? entry.place
        passedOver.append(error)
      }
    }
    let secrets = keys.count { $0.key.isSecret }
    guard secrets == 0 || secrets == keys.count else {
      throw TokenError(.privateKey, expected: "public keys or secrets", found: "both")
    }
    guard !keys.isEmpty else { throw Self.nothingLeft(passedOver, of: entries.count) }
    self.keys = Self.toldApart(keys)
    self.passedOver = passedOver
    self.warnings = warnings
    self.places = places
  }

  /// ``passedOver``, and behind them the keys that verify nothing unless another exception than
  /// these is allowed by name: RSA under 2048 bits, for example.
  package func passedOver(allowing exceptions: Set<LegacyException>) -> [TokenError] {
    passedOver
      + zip(keys, places).compactMap { (key, place) -> TokenError? in
        guard let missing = key.key.exceptions.first(where: { !exceptions.contains($0) }) else {
          return nil
        }
        return TokenError(
          missing == .hmacShortKey ? .hmacKeyLength : .weakKey, node: place,
          expected: "a stronger key, or \(missing) allowed by name", found: key.key.kindName)
      }
  }

  /// A key of the set, and where it is.
  struct Entry {
    let json: JSONValue
    let place: String
  }

  /// - Throws: `input.json-*`, `key.not-a-set`.
  static func entries(_ bytes: [UInt8]) throws(TokenError) -> [Entry] {
    let json: JSONValue
    do {
      // Some editors write a byte order mark, which is no part of the text (RFC 8259, 8.1).
      let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
      json = try JSONParser.parse(hasMark ? Array(bytes.dropFirst(3)) : bytes)
    } catch {
      throw notKeySet(bytes, error)
    }
    if let list = json["keys"] {
      guard let array = list.array else {
        throw TokenError(
          .jsonMember, node: "keys", expected: "an array", found: list.kindName,
          hint: TokenError.Code.notKeySet.hint)
      }
      return array.enumerated().map { (number, key) in
        let name = key["kid"]?.string.map { " (kid \(TokenError.excerpt($0)))" } ?? ""
        return Entry(json: key, place: "keys[\(number)]" + name)
      }
    }
    guard json["kty"] != nil else { throw notKeySet(bytes, nil) }
    return [Entry(json: json, place: "the key")]
  }

  /// The error for other content, with what it is.
  private static func notKeySet(_ bytes: [UInt8], _ error: TokenError?) -> TokenError {
    let text = RecognisedText.of(bytes)
    if let error, [.json, .other, .binary, .empty].contains(text.kind) { return error }
    let isArray = bytes.first { !ASCII.isWhiteSpace($0) } == UInt8(ascii: "[")
    let shown = isArray ? RecognisedText(.keyArray) : text
    return TokenError(
      .notKeySet, expected: TextPlace.keySet.expected, found: shown.shown,
      hint: TextAdvice.hint(shown, at: .keySet))
  }

  private static func nothingLeft(_ passedOver: [TokenError], of count: Int) -> TokenError {
    guard var error = passedOver.first else {
      return TokenError(
        .emptyKeySet, expected: "a key that verifies",
        found: count == 0 ? "no key" : "\(count) keys, all for another use")
    }
    if passedOver.count > 1 {
      let others = "and \(passedOver.count - 1) more keys that cannot be used"
      error.found = error.found.map { "\($0), \(others)" } ?? others
    }
    return error
  }

  /// The keys with the algorithms for which another key has the same identifier.
  private static func toldApart(_ keys: [TrustedKey]) -> [TrustedKey] {
    var places: [[UInt8]: [Int]] = [:]
    for (place, key) in keys.enumerated() {
      if let keyID = key.keyID { places[Array(keyID.utf8), default: []].append(place) }
    }
    var toldApart = keys
    for rivals in places.values where rivals.count > 1 {
      for place in rivals {
        let others = rivals.filter {
          !keys[$0].key.fingerprint.hasSameBytes(as: keys[place].key.fingerprint)
        }
        let theirs = others.flatMap { JSONWebKey.algorithms(of: keys[$0]) }
        let own = JSONWebKey.algorithms(of: keys[place])
        toldApart[place].origin?.contested = own.filter(theirs.contains)
      }
    }
    return toldApart
  }

  private static let limit = 1000
}
