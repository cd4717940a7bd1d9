/// The strings and names of a document, each kept once.
///
/// An *atom* is a prefix, a local name or a namespace URI; atom 0 is the empty string, which represents
/// "no prefix" and "no namespace". A *name* is a qualified name together with its namespace. Equal
/// names have equal numbers within one vocabulary.
struct Vocabulary: Sendable {
  struct Atom: Sendable {
    var start: UInt32
    var count: UInt32
    var range: Range<Int> { Int(start)..<Int(start &+ count) }
  }

  struct Name: Sendable {
    /// Where `<prefix:local></prefix:local> prefix:local="` begins: the name in each way in which
    /// canonical octets have it, so that each is one copy.
    var start: UInt32
    /// Bytes of `prefix:local`.
    var count: UInt32
    var prefix: UInt32
    var local: UInt32
    var uri: UInt32
    /// See ``ExpandedName``.
    var fingerprint: UInt64
    /// The number of the ``ExpandedName``; 0 when the program did not know it yet.
    var known: UInt32
    /// Whether some reader takes an attribute of this name for an identifier.
    var isIdentifier: Bool

    /// `<prefix:local`
    var startTag: Range<Int> { Int(start)..<Int(start) &+ Int(count) &+ 1 }
    /// `<prefix:local>`
    var wholeStartTag: Range<Int> { Int(start)..<Int(start) &+ Int(count) &+ 2 }
    /// `</prefix:local>`
    var endTag: Range<Int> {
      wholeStartTag.upperBound..<wholeStartTag.upperBound &+ Int(count) &+ 3
    }
    /// ` prefix:local="`
    var attribute: Range<Int> { endTag.upperBound..<endTag.upperBound &+ Int(count) &+ 3 }
  }

  var bytes: [UInt8] = []
  var atoms: [Atom] = [Atom(start: 0, count: 0)]
  var names: [Name] = []
  /// The atom `xml`, if a document used it.
  private(set) var xmlAtom: UInt32?

  mutating func addAtom(_ text: [UInt8]) -> UInt32 {
    let atom = Atom(start: UInt32(bytes.count), count: UInt32(text.count))
    bytes += text
    atoms.append(atom)
    let number = UInt32(atoms.count - 1)
    if text.elementsEqual("xml".utf8) { xmlAtom = number }
    return number
  }

  mutating func addName(local: UInt32, prefix: UInt32, uri: UInt32) -> UInt32 {
    let start = UInt32(bytes.count)
    let localBytes = Array(bytes[atoms[Int(local)].range])
    var qualified = localBytes
    if prefix != 0 {
      qualified = bytes[atoms[Int(prefix)].range] + [UInt8(ascii: ":")] + localBytes
    }
    for (before, after) in [("<", ">"), ("</", ">"), (" ", "=\"")] {
      bytes += Array(before.utf8) + qualified + Array(after.utf8)
    }
    let uriBytes = Array(bytes[atoms[Int(uri)].range])
    names.append(
      Name(
        start: start, count: UInt32(qualified.count), prefix: prefix, local: local, uri: uri,
        fingerprint: ExpandedName.fingerprint(uri: uriBytes, local: localBytes),
        known: NameRegistry.number(uri: uriBytes, local: localBytes),
        isIdentifier: Self.isIdentifier(uri: uriBytes, local: localBytes)))
    return UInt32(names.count - 1)
  }

  func text(_ atom: UInt32) -> String {
    String(decoding: bytes[atoms[Int(atom)].range], as: UTF8.self)
  }

  /// Whether the name is exactly that namespace and local name.
  ///
  /// - Parameter known: The number that the program has for the name.
  @inline(__always)
  func isNamed(_ name: UInt32, known: UInt32, _ expected: ExpandedName) -> Bool {
    known == expected.number || (known == 0 && hasBytes(name, of: expected))
  }

  /// Whether the name is one of these.
  func isNamed(_ name: UInt32, known: UInt32, oneOf names: [ExpandedName]) -> Bool {
    // An iterator would retain the array at every element of a document.
    for index in names.indices where isNamed(name, known: known, names[index]) { return true }
    return false
  }

  /// As ``isNamed(_:known:_:)``.
  func isNamed(_ name: UInt32, _ expected: ExpandedName) -> Bool {
    isNamed(name, known: names[Int(name)].known, expected)
  }

  private func hasBytes(_ name: UInt32, of expected: ExpandedName) -> Bool {
    let name = names[Int(name)]
    return name.fingerprint == expected.fingerprint
      && bytes[atoms[Int(name.local)].range].elementsEqual(expected.local)
      && bytes[atoms[Int(name.uri)].range].elementsEqual(expected.uri)
  }

  /// The atom of exactly these bytes, if there is one.
  func atom(of text: String) -> UInt32? {
    let text = Array(text.utf8)
    return atoms.firstIndex {
      $0.count == text.count && bytes[$0.range].elementsEqual(text)
    }.map(UInt32.init(truncatingIfNeeded:))
  }

  /// Whether one atom's bytes come before the other's.
  func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
    bytes[atoms[Int(left)].range].lexicographicallyPrecedes(bytes[atoms[Int(right)].range])
  }

  /// Whether two names have the same prefix in the same namespace.
  @inline(__always)
  func isInSameNamespace(_ left: UInt32, _ right: UInt32) -> Bool {
    names[Int(left)].prefix == names[Int(right)].prefix
      && names[Int(left)].uri == names[Int(right)].uri
  }

  /// Whether two names are one expanded name, whatever their prefixes.
  func isSame(_ left: UInt32, _ right: UInt32) -> Bool {
    let left = names[Int(left)]
    let right = names[Int(right)]
    return left.uri == right.uri && left.local == right.local
  }

  private static func isIdentifier(uri: [UInt8], local: [UInt8]) -> Bool {
    let locals = uri.isEmpty ? plainIdentifiers : foreignIdentifiers
    guard locals.contains(local) else { return false }
    return uri.isEmpty || uri == Array(ExpandedName.xmlNamespace.utf8)
      || uri == Array(ExpandedName.wsuNamespace.utf8)
  }

  private static let plainIdentifiers = Set(
    ["ID", "Id", "id", "AssertionID", "ResponseID", "RequestID"].map { Array($0.utf8) })
  private static let foreignIdentifiers = Set(["id", "Id"].map { Array($0.utf8) })
}
