import CLibXML2
import Octets

/// Numbers the names of one parser context.
///
/// The context keeps each string once, in its dictionary, so equal names arrive as equal pointers: a name is
/// copied the first time only, when it is checked to be the dictionary's, and looked up by address afterwards. The
/// table lives as long as the dictionary does and so serves many documents.
@safe struct NameTable: ~Copyable {
  /// The dictionary of the context.
  let dictionary: xmlDictPtr?
  private(set) var vocabulary = Vocabulary()
  private var nameSlots = GrowableBuffer(repeating: Slot(), count: 256)
  private var atomSlots = GrowableBuffer(repeating: Slot(), count: 256)
  private var namespaceNames = [true]
  private let registeredNames = NameRegistry.count
  /// Odd, and no other code's to know: names lie side by side in the context's dictionary, so whoever
  /// chooses their lengths chooses where.
  private let multiplier = UInt.random(in: .min ... .max) | 1
  /// How many documents the table has served, and how many different names this one has so far:
  /// what a document may have must not depend on those before it.
  private var document: UInt32 = 0
  private(set) var namesOfDocument = 0
  /// Whether libxml2 handed over a string in a way that is not known.
  private(set) var hasForeignStrings = false

  init(_ dictionary: xmlDictPtr?) { unsafe self.dictionary = dictionary }

  struct Slot: BitwiseCopyable {
    var local: UInt = 0
    var prefix: UInt = 0
    var uri: UInt = 0
    /// The position of the name or atom.
    var position: UInt32 = 0
    var known = ExpandedName.Number.unknown
    /// The document that used it last.
    var document: UInt32 = 0
    /// Bytes of `prefix:local`.
    var count: UInt32 = 0
  }

  /// Whether the table (and with it the context's dictionary) has become too large to keep, or was
  /// made before all names of the program were known.
  var shouldDiscard: Bool {
    vocabulary.atoms.count > Self.keptNames || vocabulary.bytes.count > Self.keptOctets
      || registeredNames != NameRegistry.count
  }

  /// What is kept from one document to the next: a few hundred names of the formats that are read, and room for
  /// those of issuers.
  static let keptNames = 2048
  static let keptOctets = 1 << 17

  /// Begins to count the names of the next document.
  mutating func beginDocument() {
    document &+= 1
    namesOfDocument = 0
  }

  /// A name, the number that the program has for it, and the bytes of `prefix:local`.
  mutating func name(
    local: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, uri: UnsafePointer<xmlChar>?
  ) -> (name: NameIndex, known: ExpandedName.Number, count: Int) {
    let key = Slot(
      local: UInt(bitPattern: local), prefix: UInt(bitPattern: prefix), uri: UInt(bitPattern: uri))
    var position = Self.start(key, nameSlots.count, multiplier)
    while nameSlots[position].local != 0 {
      let slot = nameSlots[position]
      if slot.local == key.local, slot.prefix == key.prefix, slot.uri == key.uri {
        if slot.document != document {
          nameSlots[position].document = document
          namesOfDocument &+= 1
        }
        return (NameIndex(position: slot.position), slot.known, Int(slot.count))
      }
      position = (position &+ 1) & (nameSlots.count &- 1)
    }
    var added = key
    let name = unsafe vocabulary.addName(
      local: intern(local), prefix: intern(prefix), uri: intern(uri))
    added.position = name.position
    added.known = vocabulary[name].known
    added.count = vocabulary[name].count
    added.document = document
    namesOfDocument &+= 1
    nameSlots[position] = added
    if vocabulary.names.count > nameSlots.count / 2 { Self.grow(&nameSlots, multiplier) }
    return (name, added.known, Int(added.count))
  }

  /// A prefix or the name of a namespace that is declared, or the target of an instruction.
  mutating func atom(_ text: UnsafePointer<xmlChar>?) -> AtomIndex {
    guard let text = unsafe text, unsafe text[0] != 0 else { return .empty }
    let position = unsafe place(text)
    if atomSlots[position].document != document {
      atomSlots[position].document = document
      namesOfDocument &+= 1
    }
    return AtomIndex(position: atomSlots[position].position)
  }

  /// The atom of a part of a name, which counts as one with it.
  private mutating func intern(_ text: UnsafePointer<xmlChar>?) -> AtomIndex {
    guard let text = unsafe text, unsafe text[0] != 0 else { return .empty }
    return unsafe AtomIndex(position: atomSlots[place(text)].position)
  }

  /// The slot of the atom, which is created when it is new.
  private mutating func place(_ text: UnsafePointer<xmlChar>) -> Int {
    let key = Slot(local: UInt(bitPattern: text))
    var position = Self.start(key, atomSlots.count, multiplier)
    while atomSlots[position].local != 0 {
      if atomSlots[position].local == key.local { return position }
      position = (position &+ 1) & (atomSlots.count &- 1)
    }
    var added = key
    var bytes = unsafe Array(UnsafeBufferPointer(start: text, count: Int(xmlStrlen(text))))
    if unsafe xmlDictOwns(dictionary, text) != 1 { hasForeignStrings = true }
    if AmpersandForm.current?.isReferenceInNamespaces == true {
      if let plain = AmpersandForm.withoutReferences(bytes) {
        bytes = plain
      } else {
        hasForeignStrings = true
      }
    }
    added.position = vocabulary.addAtom(bytes).position
    namespaceNames.append(NamespaceName.isAbsolute(bytes))
    atomSlots[position] = added
    guard vocabulary.atoms.count > atomSlots.count / 2 else { return position }
    Self.grow(&atomSlots, multiplier)
    return unsafe place(text)
  }

  /// Whether an atom may be the name of a namespace: absolute, or empty.
  func isNamespaceName(_ atom: AtomIndex) -> Bool { namespaceNames[Int(atom.position)] }

  func text(_ atom: AtomIndex) -> String { vocabulary.text(atom) }

  @inline(__always)
  private static func start(_ key: Slot, _ count: Int, _ multiplier: UInt) -> Int {
    let joined = key.local ^ (key.prefix << 21 | key.prefix >> 43) ^ (key.uri << 42 | key.uri >> 22)
    return Int(bitPattern: (joined &* multiplier) >> 32) & (count &- 1)
  }

  private static func grow(_ slots: inout GrowableBuffer<Slot>, _ multiplier: UInt) {
    var larger = GrowableBuffer(repeating: Slot(), count: slots.count * 2)
    for index in slots.indices where slots[index].local != 0 {
      let slot = slots[index]
      var position = start(slot, larger.count, multiplier)
      while larger[position].local != 0 { position = (position &+ 1) & (larger.count &- 1) }
      larger[position] = slot
    }
    slots = larger
  }
}

/// What may name a namespace.
enum NamespaceName {
  /// Whether `text` is an absolute URI in RFC 3986's characters.
  ///
  /// Relative names have no canonical form (Canonical XML 1.0, 1.3) and make libxml2 digest nothing.
  static func isAbsolute(_ text: [UInt8]) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first,
      ASCII.isLetter(first),
      text[..<colon].allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
      })
    else { return false }
    return text.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
    }
  }
}
