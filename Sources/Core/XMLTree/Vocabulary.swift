import Octets

/// The strings and names of a document, each kept once.
///
/// An *atom* is a prefix, a local name or a namespace URI; the empty one represents "no prefix" and "no
/// namespace". A *name* is a qualified name together with its namespace. Equal
/// names have equal numbers within one vocabulary.
struct Vocabulary: Sendable {
  struct Name: Sendable {
    /// Where `<prefix:local></prefix:local> prefix:local="` begins: the name in each way in which
    /// canonical octets have it, so that each is one copy.
    var start: UInt32
    /// Bytes of `prefix:local`.
    var count: UInt32
    var prefix: AtomIndex
    var local: AtomIndex
    var uri: AtomIndex
    /// See ``ExpandedName``.
    var fingerprint: UInt64
    /// The number of the ``ExpandedName``.
    var known: ExpandedName.Number
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
  /// The octets of each atom, the empty one first.
  var atoms = [OctetRange.empty]
  var names: [Name] = []
  /// The atom `xml`, if a document used it.
  private(set) var xmlAtom: AtomIndex?

  @inline(__always)
  subscript(name: NameIndex) -> Name { names[Int(name.position)] }

  /// The octets of an atom in ``bytes``.
  @inline(__always)
  subscript(atom: AtomIndex) -> Range<Int> { atoms[Int(atom.position)].range }

  mutating func addAtom(_ text: [UInt8]) -> AtomIndex {
    let atom = AtomIndex(atoms.count)
    atoms.append(OctetRange(bytes.count..<bytes.count + text.count))
    bytes += text
    if text.elementsEqual("xml".utf8) { xmlAtom = atom }
    return atom
  }

  mutating func addName(
    local: AtomIndex, prefix: AtomIndex, uri: AtomIndex
  ) -> NameIndex {
    let start = UInt32(bytes.count)
    let localBytes = Array(bytes[self[local]])
    var qualified = localBytes
    if prefix != .empty {
      qualified = bytes[self[prefix]] + [UInt8(ascii: ":")] + localBytes
    }
    for (before, after) in [("<", ">"), ("</", ">"), (" ", "=\"")] {
      bytes += Array(before.utf8) + qualified + Array(after.utf8)
    }
    let uriBytes = Array(bytes[self[uri]])
    let name = NameIndex(names.count)
    names.append(
      Name(
        start: start, count: UInt32(qualified.count), prefix: prefix, local: local, uri: uri,
        fingerprint: ExpandedName.fingerprint(uri: uriBytes, local: localBytes),
        known: NameRegistry.number(uri: uriBytes, local: localBytes),
        isIdentifier: Self.isIdentifier(uri: uriBytes, local: localBytes)))
    return name
  }

  func text(_ atom: AtomIndex) -> String {
    String(decoding: bytes[self[atom]], as: UTF8.self)
  }

  /// Whether the name is exactly that namespace and local name.
  ///
  /// - Parameter known: The number that the program has for the name.
  @inline(__always)
  func isNamed(_ name: NameIndex, known: ExpandedName.Number, _ expected: ExpandedName) -> Bool {
    known == expected.number || (known == .unknown && hasBytes(name, of: expected))
  }

  /// Whether the name is one of these.
  func isNamed(_ name: NameIndex, known: ExpandedName.Number, oneOf names: [ExpandedName]) -> Bool {
    // An iterator would retain the array at every element of a document.
    for index in names.indices where isNamed(name, known: known, names[index]) { return true }
    return false
  }

  /// As ``isNamed(_:known:_:)``.
  func isNamed(_ name: NameIndex, _ expected: ExpandedName) -> Bool {
    isNamed(name, known: self[name].known, expected)
  }

  private func hasBytes(_ name: NameIndex, of expected: ExpandedName) -> Bool {
    let name = self[name]
    return name.fingerprint == expected.fingerprint
      && bytes[self[name.local]].elementsEqual(expected.local)
      && bytes[self[name.uri]].elementsEqual(expected.uri)
  }

  /// The atom of exactly these bytes, if there is one.
  func atom(of text: String) -> AtomIndex? {
    let text = Array(text.utf8)
    return atoms.firstIndex {
      $0.count == text.count && bytes[$0.range].elementsEqual(text)
    }.map(AtomIndex.init)
  }

  /// Whether one atom's bytes come before the other's.
  func precedes(_ left: AtomIndex, _ right: AtomIndex) -> Bool {
    bytes[self[left]].lexicographicallyPrecedes(bytes[self[right]])
  }

  /// Whether two names have the same prefix in the same namespace.
  @inline(__always)
  func isInSameNamespace(_ left: NameIndex, _ right: NameIndex) -> Bool {
    self[left].prefix == self[right].prefix
      && self[left].uri == self[right].uri
  }

  /// Whether two names are one expanded name, whatever their prefixes.
  func isSame(_ left: NameIndex, _ right: NameIndex) -> Bool {
    let left = self[left]
    let right = self[right]
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

extension Vocabulary {
  /// Whether an attribute of one name precedes one of another: by namespace URI, then by local
  /// name (Canonical XML 1.0, 2.2).
  @inline(__always)
  func isAttribute(_ left: NameIndex, before right: NameIndex) -> Bool {
    let left = self[left]
    let right = self[right]
    return left.uri == right.uri
      ? isAtom(left.local, before: right.local) : isAtom(left.uri, before: right.uri)
  }

  /// Whether the attributes of an element, which are at `range`, are in that order.
  @inline(__always)
  func isInOrder(_ attributes: borrowing GrowableBuffer<Document.Attribute>, _ range: Range<Int>)
    -> Bool
  {
    var position = range.lowerBound &+ 1
    while position < range.upperBound {
      let name = attributes[position].name
      if isAttribute(name, before: attributes[position &- 1].name) { return false }
      position &+= 1
    }
    return true
  }

  /// Whether the UTF-8 of one atom precedes that of another; the order of UTF-8 is the order of
  /// the characters' numbers.
  @inline(__always)
  func isAtom(_ left: AtomIndex, before right: AtomIndex) -> Bool {
    let left = bytes.span.extracting(self[left])
    let right = bytes.span.extracting(self[right])
    let shared = min(left.count, right.count)
    var index = 0
    while index < shared {
      if left[index] != right[index] { return left[index] < right[index] }
      index &+= 1
    }
    return left.count < right.count
  }
}
