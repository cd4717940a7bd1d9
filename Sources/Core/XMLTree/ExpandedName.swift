import Synchronization

/// A namespace URI and a local name (Namespaces in XML 1.0, 2.1): what an element or attribute is,
/// whatever its prefix.
///
/// Programs write names, tokens do not make any: each is kept once for the life of the process, so that
/// two are compared by their numbers.
public struct ExpandedName: Hashable, Sendable, CustomStringConvertible {
  /// Numbers the names that the program knows.
  struct Number: BitwiseCopyable, Hashable, Sendable {
    let rawValue: UInt32

    /// Of a name in a document that the program did not know when it was parsed.
    static let unknown = Number(rawValue: 0)
  }

  /// Equal names have equal numbers.
  let number: Number
  /// A hash of both parts that rules a name out in one comparison; never enough to rule one in.
  let fingerprint: UInt64

  package init(_ local: String, in uri: String = "") {
    self = NameRegistry.name(uri: Array(uri.utf8), local: Array(local.utf8))
  }

  init(number: Number, fingerprint: UInt64) {
    self.number = number
    self.fingerprint = fingerprint
  }

  /// The name of `{uri}local`, or of `local` in no namespace.
  package init(clarkNotation text: String) {
    guard text.utf8.first == UInt8(ascii: "{"),
      let close = text.utf8.firstIndex(of: UInt8(ascii: "}"))
    else {
      self.init(text)
      return
    }
    self.init(
      String(text[text.index(after: close)...]),
      in: String(text[text.index(after: text.startIndex)..<close]))
  }

  var uri: [UInt8] { NameRegistry.parts(of: self).uri }
  var local: [UInt8] { NameRegistry.parts(of: self).local }

  /// The local part.
  public var description: String { String(decoding: local, as: UTF8.self) }

  /// Whether namespace and local part are the same.
  public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  /// Hashes the number of the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// FNV-1a over both parts.
  static func fingerprint(uri: [UInt8], local: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in local { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ 0x100) &* 0x100_0000_01B3
    for byte in uri { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  package static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
  package static let wsuNamespace =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
}

/// The names that the program knows, each with its number.
enum NameRegistry {
  struct Parts: Hashable {
    let uri: [UInt8]
    let local: [UInt8]
  }

  private struct Names {
    var parts: [Parts] = []
    var numbers: [Parts: ExpandedName.Number] = [:]
  }

  private static let names = Mutex(Names())

  /// The name of these parts, the same each time.
  static func name(uri: [UInt8], local: [UInt8]) -> ExpandedName {
    let parts = Parts(uri: uri, local: local)
    let number = names.withLock { names in
      if let known = names.numbers[parts] { return known }
      names.parts.append(parts)
      // From 1, because 0 is the number of unknown names.
      let number = ExpandedName.Number(rawValue: UInt32(names.parts.count))
      names.numbers[parts] = number
      return number
    }
    return ExpandedName(
      number: number, fingerprint: ExpandedName.fingerprint(uri: uri, local: local))
  }

  /// The number of the name that a document has.
  static func number(uri: [UInt8], local: [UInt8]) -> ExpandedName.Number {
    names.withLock { $0.numbers[Parts(uri: uri, local: local)] ?? .unknown }
  }

  static func parts(of name: ExpandedName) -> Parts {
    names.withLock { $0.parts[Int(name.number.rawValue) - 1] }
  }

  /// How many names there are; a table that was made with fewer knows some of them by their bytes only.
  static var count: Int { names.withLock { $0.parts.count } }
}
