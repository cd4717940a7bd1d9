import Octets
package import TokenBasics

/// The pairs of a form or query, parsed so strictly that no two parsers can disagree.
///
/// Names are plain and unique, compared without case; values are decoded exactly once. No `;` between
/// pairs, no pair without `=`, no control character but tabs and line ends, UTF-8 only.
package struct FormReader: Sendable {
  private let pairs: [(name: String, value: String)]
  /// The names and values, in the order of the form.
  package var fields: [(name: String, value: String)] { pairs }

  package static let mediaType = FormBody.mediaType
  /// 4 MiB: more than an XML document of 1 MiB with every octet escaped.
  package static let limit = 4 << 20
  private static let mostPairs = 100

  /// What a reader passes over.
  package enum PassedOver: Hashable, Sendable {
    /// Nothing: every name is plain.
    case nothing
    /// Pairs whose names are not plain, such as `utm[source]`, as long as no parser could take them for a plain one.
    case foreignNames
  }

  /// - Throws: `client.duplicate-parameter`, `client.malformed-form`, `input.too-large`.
  package init(
    _ octets: some Collection<UInt8>, passingOver passed: PassedOver = .nothing
  ) throws(TokenError) {
    guard octets.count <= Self.limit else {
      throw TokenError(.inputTooLarge, expected: "at most \(Self.limit) bytes")
    }
    var names: Set<String> = []
    var foreign: Set<String> = []
    var pairs: [(name: String, value: String)] = []
    let parts =
      octets.isEmpty
      ? [] : Array(octets).split(separator: ASCII.ampersand, omittingEmptySubsequences: false)
    guard parts.count <= Self.mostPairs else { throw TokenError(.clientMalformedForm) }
    for part in parts {
      if passed == .foreignNames, let name = Self.foreignName(part) {
        foreign.insert(name)
        continue
      }
      let (name, value) = try Self.pair(part)
      guard names.insert(String(decoding: name.utf8.map(ASCII.lowercased), as: UTF8.self)).inserted
      else { throw TokenError(.clientDuplicateParameter, node: name) }
      pairs.append((name, value))
    }
    // Some parsers take `a[]` for one of several `a`.
    if let name = names.intersection(foreign).first {
      throw TokenError(.clientDuplicateParameter, node: name)
    }
    self.pairs = pairs
  }

  /// The same without pairs that have no value.
  package var withoutEmptyValues: Self { Self(pairs: pairs.filter { !$0.value.isEmpty }) }

  private init(pairs: [(name: String, value: String)]) { self.pairs = pairs }

  /// The value of that name, compared by octets.
  package subscript(_ name: String) -> String? {
    pairs.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// - Throws: `client.parameter`.
  package func require(_ name: String) throws(TokenError) -> String {
    guard let value = self[name], !value.isEmpty else {
      throw TokenError(.clientParameter, node: name, found: "nothing")
    }
    return value
  }

  /// Whether one of these names is present, compared without case.
  package func hasAny(of names: [String]) -> Bool {
    pairs.contains { pair in names.contains { HTTPFields.isSameName($0, pair.name) } }
  }

  /// Whether a Content-Type is that of a form in UTF-8.
  package static func isForm(_ contentType: String?) -> Bool {
    guard let contentType else { return false }
    if contentType.hasSameBytes(as: mediaType) { return true }
    let parts = contentType.utf8.map(ASCII.lowercased).filter { !ASCII.isWhiteSpace($0) }
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let type = parts.first, type.elementsEqual(mediaType.utf8) else { return false }
    return parts.dropFirst().allSatisfy { parameter in
      // A form is ASCII; these two charsets are compatible with that.
      ["charset=utf-8", "charset=\"utf-8\"", "charset=us-ascii"].contains {
        parameter.elementsEqual($0.utf8)
      }
    }
  }

  /// What another parser makes of a name that is not plain: decoded, up to a bracket, in lower case. Nil for a plain name,
  /// and for what has no name.
  private static func foreignName(_ part: ArraySlice<UInt8>) -> String? {
    let name = part.prefix { $0 != ASCII.equals }
    guard !name.allSatisfy(isPlain), part.allSatisfy(isEncoded),
      let decoded = try? FormEncoding.decode(name)
    else { return nil }
    let base = decoded.prefix { $0 != UInt8(ascii: "[") }
    return String(decoding: base.map(ASCII.lowercased), as: UTF8.self)
  }

  /// Whether a plain name may have it.
  private static func isPlain(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
    default: ASCII.isLetter(octet) || ASCII.isDigit(octet)
    }
  }

  /// Whether an encoded value may have it: a form is long, so no text is searched for each octet.
  private static func isEncoded(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\""), UInt8(ascii: "\\"):
      false
    default: octet > 0x20 && octet < 0x7F
    }
  }

  private static func pair(
    _ part: ArraySlice<UInt8>
  ) throws(TokenError) -> (name: String, value: String) {
    guard let equals = part.firstIndex(of: ASCII.equals) else {
      throw TokenError(.clientMalformedForm, expected: "name=value")
    }
    let name = part[..<equals]
    guard !name.isEmpty, name.allSatisfy(isPlain) else {
      throw TokenError(.clientMalformedForm, expected: "a plain name")
    }
    let raw = part[(equals + 1)...]
    let node = String(decoding: name, as: UTF8.self)
    guard raw.allSatisfy(isEncoded) else {
      throw TokenError(.clientMalformedForm, node: node, expected: "percent-encoded octets")
    }
    guard let decoded = try? FormEncoding.decode(raw),
      let value = String(validating: decoded, as: UTF8.self),
      value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || ASCII.isWhiteSpace($0) })
    else { throw TokenError(.clientMalformedForm, node: node, expected: "UTF-8 text") }
    return (node, value)
  }
}

/// An `application/x-www-form-urlencoded` body. Everything but unreserved characters is escaped, so
/// that every parser reads a `+` or `|` in an old token correctly.
package enum FormBody {
  package static let mediaType = "application/x-www-form-urlencoded"

  package static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
    Array(
      fields.map { HTTPURL.percentEncoded($0.name) + "=" + HTTPURL.percentEncoded($0.value) }
        .joined(separator: "&").utf8)
  }
}

extension HTTPRequest {
  /// A POST of a form.
  /// - Parameter fields: Header fields before `Content-Type`.
  /// - Throws: `transport.malformed-field`.
  package static func form(
    _ form: [(name: String, value: String)], to url: HTTPURL,
    fields: [(String, String)] = [("Accept", "application/json")]
  ) throws(TokenError) -> HTTPRequest {
    HTTPRequest(
      .post, url, fields: try HTTPFields(fields + [("Content-Type", FormBody.mediaType)]),
      body: FormBody.encode(form))
  }
}

/// The parameters of a query received from a browser or in a `Location`, each at most once.
package enum QueryParameters {
  /// - Throws: `client.duplicate-parameter`; `input.percent-escape`, `input.not-utf8`.
  package static func read(
    _ query: String, plus: FormEncoding.Plus = .isSpace
  ) throws(TokenError) -> [String: String] {
    var parameters: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try text(parts[0], plus)
      let value = parts.count == 2 ? try text(parts[1], plus) : ""
      guard parameters.updateValue(value, forKey: name) == nil else {
        throw TokenError(.clientDuplicateParameter, node: TokenError.excerpt(name))
      }
    }
    return parameters
  }

  package static func text(_ encoded: Substring, _ plus: FormEncoding.Plus) throws(TokenError)
    -> String
  {
    let octets = try FormEncoding.decode(Array(encoded.utf8)[...], plus: plus)
    guard let text = String(validating: octets, as: UTF8.self) else { throw TokenError(.notUTF8) }
    return text
  }
}
