import Octets
package import SecurityKeys
package import TokenBasics
import XMLSecurity
import XMLTree

/// What keeps the entities of a signed metadata document, as they are read.
package protocol MetadataSink {
  /// - Throws: What refuses the document, if its signature is valid.
  mutating func take(_ entity: EntityDescriptor) throws(TokenError)
}

/// Reads metadata of any size whose document element is signed by a pinned key: one pass, in which the octets that are
/// read are digested.
///
/// The entities go to a sink, which is given back by ``finish()`` when the signature turned out to be valid. What is
/// wrong with the content is an error of a signed document alone: until then it is kept back.
package struct SignedMetadataReader<Sink: MetadataSink> {
  /// A document whose signature is valid.
  package struct Outcome {
    package let sink: Sink
    /// The `creationInstant` of the document element; nil where it has none.
    package let creationInstant: Instant?
    package let warnings: [String]
  }

  private let stream: DocumentStream
  private let keys: KeyRing
  private let now: Instant
  private let limits: Limits
  private var identifiers = StreamedIdentifiers()
  private var length = 0
  private var depth = 0
  /// The document element, without content where that comes in parts.
  private var root: Element?
  private var signature: SignedStream?
  /// The parts before the signature, which says how they are digested.
  private var waiting: [DocumentStream.Part] = []
  private var hasDropped = false
  private var content: SignedContent<Sink>

  /// - Parameters:
  ///   - keys: The keys of which one must have signed.
  ///   - now: The clock, read once by the caller.
  ///   - sink: Keeps what is wanted of the entities.
  /// - Throws: `xml.malformed` when there is no memory.
  package init(keys: [TrustedKey], at now: Instant, into sink: Sink) throws(TokenError) {
    limits = SignedMetadata.limits
    stream = try DocumentStream(
      containers: [MetadataName.entities], limits: limits, keepsEverything: true)
    self.keys = KeyRing(keys)
    self.now = now
    content = SignedContent(sink: sink)
  }

  /// Reads the next bytes of the document.
  ///
  /// - Throws: `xml.*`, `input.too-large`, `policy.metadata-root`, `policy.metadata-size`,
  ///   `policy.metadata-stream-size`, and, once the signature is there, `signature.*`, `algorithm.*`, `key.*`.
  package mutating func consume(_ bytes: [UInt8]) throws(TokenError) {
    // Of a large piece not all parts are kept at once.
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.count <= Self.pieceCount ? bytes : Array(rest.prefix(Self.pieceCount))
      rest = rest.dropFirst(piece.count)
      length += piece.count
      for part in try stream.consume(piece) { try take(part) }
    }
  }

  /// Ends the document. What this returns is signed.
  ///
  /// - Throws: `signature.*`, as ``consume(_:)``; for a document that is signed `policy.metadata-*`, `xml.*`,
  ///   `time.malformed`, and what the sink throws.
  package mutating func finish() throws(TokenError) -> Outcome {
    for part in try stream.finish() { try take(part) }
    guard let signature else { throw TokenError(.signatureMissing, node: root?.path) }
    let match = try signature.finish()
    return try content.outcome(match)
  }

  private mutating func take(_ part: DocumentStream.Part) throws(TokenError) {
    var omitted: Element?
    switch part {
    case .containerStart(let container):
      try identifiers.add(container)
      if root == nil { root = container.root }
      depth += 1
    case .containerEnd:
      depth -= 1
    case .child(let document):
      try identifiers.add(document)
      guard let root else {
        omitted = try begin(only: document.root)
        break
      }
      if depth == 1, document.root.isNamed(DSName.signature) {
        return try begin(document.root, of: root)
      }
    case .text, .instruction:
      break
    }
    guard let signature else { return wait(part) }
    signature.add(part, omitting: omitted)
    content.take(part, omitting: omitted, by: signature)
  }

  /// Begins a document of one entity, which is one part. Returns its signature.
  private mutating func begin(only entity: Element) throws(TokenError) -> Element {
    root = entity
    guard entity.isNamed(MetadataName.entity) else {
      var walk = MetadataWalk()
      _ = try walk.item(entity)
      throw TokenError(.notMetadata)
    }
    guard let signature = try SignedElement.signature(of: entity) else {
      throw TokenError(.signatureMissing, node: entity.path)
    }
    let first = try entity.children().first
    try begin(
      signature, of: entity, isInPlace: first.map { $0.isSameNode(as: signature) } ?? false)
    return signature
  }

  /// Begins to verify a document of several, whose parts so far wait for the signature.
  private mutating func begin(_ signature: Element, of root: Element) throws(TokenError) {
    guard self.signature == nil else {
      throw TokenError(.signatureRepeated, node: root.path + signature.path)
    }
    guard !hasDropped else {
      throw TokenError(
        .metadataTooLarge, node: root.path + signature.path,
        expected: "the Signature within the first \(Limits.hardByteLimit) bytes")
    }
    guard !SignedStream.inheritsAttributes(signature, from: root) else {
      throw TokenError(
        .signatureStructure, node: root.path,
        expected:
          "no xml: attributes here, or exclusive canonicalization of SignedInfo")
    }
    let elements = waiting.filter { part in
      switch part {
      case .child, .containerStart: true
      default: false
      }
    }
    try begin(signature, of: root, isInPlace: elements.count == 1)
  }

  private mutating func begin(
    _ signature: Element, of root: Element, isInPlace: Bool
  ) throws(TokenError) {
    let stream = try SignedStream(
      signature, of: root, id: root.attributeBytes(MetadataName.identifier) ?? [],
      isInPlace: isInPlace, keys: keys, at: now, limits: limits)
    self.signature = stream
    for part in waiting {
      stream.add(part)
      content.take(part, omitting: nil, by: stream)
    }
    waiting = []
  }

  private mutating func wait(_ part: DocumentStream.Part) {
    if length > Limits.hardByteLimit {
      hasDropped = true
      waiting = []
    }
    if !hasDropped { waiting.append(part) }
  }

  private static var pieceCount: Int { 1 << 16 }
}

/// Reads the parts of a document whose signature is being verified.
private struct SignedContent<Sink: MetadataSink> {
  private var walk = MetadataWalk()
  private var names = EntityNames()
  private var depth = 0
  private var sink: Sink
  private var creationInstant: Instant?
  private var warnings: [String] = []
  /// What is wrong with the content, if it is signed. Nothing is read after it.
  private var failure: TokenError?

  init(sink: Sink) { self.sink = sink }

  mutating func take(
    _ part: DocumentStream.Part, omitting omitted: Element?, by signature: SignedStream
  ) {
    guard failure == nil else { return }
    do throws(TokenError) {
      switch part {
      case .containerStart(let container):
        _ = try walk.enter(container.root)
        depth += 1
      case .containerEnd:
        _ = walk.leave()
        depth -= 1
      case .child(let document):
        let element = omitted.map { document.root.omitting($0) } ?? document.root
        try take(element, signature.namespaces(of: element))
      case .text(let text):
        guard text.allSatisfy(ASCII.isWhiteSpace) else {
          throw TokenError(.unexpectedText, node: "between the elements of an aggregate")
        }
      case .instruction:
        break
      }
    } catch {
      failure = error
    }
  }

  private mutating func take(
    _ element: Element, _ namespaces: SignedNamespaces
  ) throws(TokenError) {
    switch try walk.item(element) {
    case .entity(_, let scope):
      if depth == 0 { creationInstant = try PublicationInfo(of: element)?.creationInstant }
      let entity = try EntityDescriptor(element, in: scope.signed(namespaces))
      try names.insert(entity.entityID)
      try sink.take(entity)
      warnings += try element.children().compactMap { RoleReader.warning($0, namespaces) }
    case .groupContent(let content):
      guard depth == 1, creationInstant == nil else { return }
      creationInstant = try PublicationInfo(extensions: content)?.creationInstant
    case .group, .groupEnd:
      break
    }
  }

  /// - Throws: What is wrong with the content.
  func outcome(
    _ match: KeyRing.Match
  ) throws(TokenError) -> SignedMetadataReader<Sink>.Outcome {
    if let failure { throw failure }
    return SignedMetadataReader.Outcome(
      sink: sink, creationInstant: creationInstant, warnings: match.warnings + warnings)
  }
}
