import CLibXML2
import Octets
import TokenBasics

/// Sorts libxml2's SAX2 events into the parts that ``DocumentStream`` returns.
@safe struct StreamBuilder: ~Copyable {
  private let containers: [ExpandedName]
  private let limits: Limits
  private let keepsEverything: Bool
  /// The dictionary of the parser's context.
  private let dictionary: xmlDictPtr?
  /// Nothing while a part is built with them.
  private var names: NameTable?
  private var copies: OctetWriter?
  /// What the containers that are open declare, outermost first, and how many each.
  private var inherited: [ScopedNamespace] = []
  private var openContainers: [Int] = []
  /// The part that is being built.
  private var part: TreeBuilder?
  private(set) var ready: [DocumentStream.Part] = []
  private(set) var failure: TokenError?
  private(set) var hasRoot = false

  init(
    containers: [ExpandedName], limits: Limits, keepsEverything: Bool, dictionary: xmlDictPtr?
  ) {
    self.keepsEverything = keepsEverything
    self.containers = containers
    self.limits = limits
    unsafe self.dictionary = dictionary
  }

  /// Whether the document element was seen and closed.
  var isComplete: Bool { hasRoot && openContainers.isEmpty && !isInPart }

  private var isInPart: Bool { part != nil }

  /// The parts that are complete since the last call.
  mutating func takeReady() -> [DocumentStream.Part] {
    let parts = ready
    ready = []
    return parts
  }

  /// Returns whether parsing may go on.
  mutating func startElement(
    local: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, uri: UnsafePointer<xmlChar>?,
    namespaceCount: Int, namespaceList: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    attributeCount: Int, attributeList: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) -> Bool {
    hasRoot = true
    let isFirst = !isInPart
    if isFirst { open() }
    guard
      unsafe part?.startElement(
        local: local, prefix: prefix, uri: uri, namespaceCount: namespaceCount,
        namespaceList: namespaceList, attributeCount: attributeCount, attributeList: attributeList,
        cursor: nil)
        == true
    else { return false }
    guard isFirst else { return isWithinSize() }
    part?.declare(inherited)
    guard part?.isInnermost(containers) == true else { return isWithinSize() }
    guard openContainers.count < Self.containerDepth else {
      return fail(TokenError(.xmlDepth, expected: "at most \(Self.containerDepth) containers"))
    }
    if let list = unsafe namespaceList {
      for position in 0..<namespaceCount {
        unsafe inherited.append(
          ScopedNamespace(prefix: list[2 * position], uri: list[2 * position + 1]))
      }
    }
    openContainers.append(namespaceCount)
    part?.endElement()
    close { .containerStart($0) }
    return true
  }

  mutating func endElement() {
    guard isInPart else {
      if let count = openContainers.popLast() {
        inherited.removeLast(count)
        ready.append(.containerEnd)
      }
      return
    }
    part?.endElement()
    if part?.isClosed == true { close { .child($0) } }
  }

  /// Returns whether parsing may go on.
  mutating func text(_ bytes: UnsafeBufferPointer<xmlChar>) -> Bool {
    guard !isInPart else {
      unsafe part?.text(bytes)
      return isWithinSize()
    }
    guard !keepsEverything else {
      unsafe ready.append(.text(Array(bytes)))
      return true
    }
    guard unsafe bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else {
      return fail(TokenError(.unexpectedText, node: "between the elements of an aggregate"))
    }
    return true
  }

  mutating func comment(_ bytes: UnsafeBufferPointer<xmlChar>) -> Bool {
    unsafe part?.comment(bytes)
    return isWithinSize()
  }

  mutating func processingInstruction(
    target: UnsafePointer<xmlChar>, _ data: UnsafeBufferPointer<xmlChar>
  ) -> Bool {
    guard let goesOn = unsafe part?.processingInstruction(target: target, data) else {
      guard keepsEverything else { return true }
      let name = unsafe UnsafeBufferPointer(start: target, count: Int(xmlStrlen(target)))
      unsafe ready.append(.instruction(target: Array(name), data: Array(data)))
      return true
    }
    return goesOn && isWithinSize()
  }

  mutating func doctype() { _ = fail(TokenError(.doctype)) }

  // MARK: Parts

  private mutating func open() {
    if names?.shouldDiscard == true { names = nil }
    part = unsafe TreeBuilder(
      source: .none, names: names.take() ?? NameTable(dictionary),
      copies: copies.take() ?? OctetWriter(), tagCount: 64, limits: limits)
  }

  private mutating func close(_ make: (Document) -> DocumentStream.Part) {
    guard let builder = part.take() else { return }
    ready.append(make(builder.finish([], &names, &copies)))
  }

  /// Text has no tag that the element limits would count.
  private mutating func isWithinSize() -> Bool {
    if let count = part?.textCount, count > limits.bytes {
      return fail(TokenError(.inputTooLarge, expected: "at most \(limits.bytes) bytes an element"))
    }
    return true
  }

  private mutating func fail(_ error: TokenError) -> Bool {
    if failure == nil { failure = error }
    return false
  }

  /// The failure of a part that is being built.
  var verdict: TokenError? {
    if let failure { return failure }
    switch part {
    case .some(let part): return part.failure
    case .none: return nil
    }
  }

  /// Containers within containers: federations nest two or three.
  private static let containerDepth = 16
}

/// A namespace declaration of an element that is open, in strings of the parser's dictionary.
@safe struct ScopedNamespace {
  let prefix: UnsafePointer<xmlChar>?
  let uri: UnsafePointer<xmlChar>?
}
