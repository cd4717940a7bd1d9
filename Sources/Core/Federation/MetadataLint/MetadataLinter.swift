import SAML
import XMLSecurity
import XMLTree

/// Reports errors and risks in a metadata file of any size, entity by entity.
public struct MetadataLinter {
  private let now: Instant
  private let checksKeysFully: Bool
  private var reader: MetadataReader
  private var root: Element?
  private var signature: Element?
  private var depth = 0
  private var count = 0
  private var names = EntityNames()
  /// Signing keys and the first entity that had each.
  private var signers: [String: String] = [:]

  /// - Parameters:
  ///   - now: The time for everything that expires.
  ///   - checksKeysFully: Whether to find RSA moduli that are a prime or a power of one, too: a few
  ///     milliseconds a key.
  /// - Throws: `xml.malformed` when no memory is left.
  public init(at now: Instant, checksKeysFully: Bool = false) throws(TokenError) {
    self.now = now
    self.checksKeysFully = checksKeysFully
    reader = try MetadataReader()
  }

  /// Lints the next bytes of the file.
  ///
  /// - Throws: the error that makes the whole file unreadable; ``finding(for:entityID:)`` converts it.
  public mutating func consume(_ bytes: [UInt8]) throws(TokenError) -> [LintFinding] {
    try take(reader.items(in: bytes))
  }

  /// The parts of the file that its next bytes complete. ``parts(of:at:checkingKeysFully:)`` checks
  /// each, and ``take(_:_:)`` collects the results in order.
  ///
  /// - Throws: as ``consume(_:)``.
  package mutating func items(in bytes: [UInt8]) throws(TokenError) -> [MetadataItem] {
    try reader.items(in: bytes)
  }

  /// Ends the file and returns the last findings.
  ///
  /// - Throws: as ``consume(_:)``.
  public mutating func finish() throws(TokenError) -> [LintFinding] {
    var findings = try take(reader.finalItems())
    guard let root else { return findings }
    let file = LintedFile(root: root, signature: signature, now: now)
    findings += Self.findings(FileRules.all, file, entityID: nil)
    if count == 0 {
      findings.append(
        LintFinding(rule: .empty, entityID: nil, place: root.path, found: nil))
    }
    return findings
  }

  /// The finding for an error that ended the reading.
  public static func finding(for error: TokenError, entityID: String? = nil) -> LintFinding {
    LintFinding(
      rule: .unreadable, entityID: entityID, place: error.node ?? "/",
      found: (["\(error.code): \(error.message)", error.found, error.ownHint] as [String?])
        .compactMap { $0 }.joined(separator: "; "))
  }

  private mutating func take(_ items: [MetadataItem]) -> [LintFinding] {
    items.flatMap { item in
      take(item, Self.parts(of: item, at: now, checkingKeysFully: checksKeysFully))
    }
  }

  /// Collects the results of a checked item.
  package mutating func take(_ item: MetadataItem, _ parts: [LintPart]) -> [LintFinding] {
    switch item {
    case .group(let element):
      depth += 1
      if root == nil { root = element }
    case .groupEnd:
      depth -= 1
    case .groupContent(let element):
      if depth == 1, element.isNamed(DSName.signature), signature == nil { signature = element }
    case .entity(let element, _):
      if root == nil {
        root = element
        signature = try? SignedElement.signature(of: element)
      }
      count += 1
    }
    return parts.compactMap { finding(of: $0) }
  }

  /// The finding of a part, alone or compared with those before it.
  private mutating func finding(of part: LintPart) -> LintFinding? {
    switch part {
    case .finding(let finding): return finding
    case .name(let id, let place):
      guard (try? names.insert(id)) == nil else { return nil }
      return LintFinding(rule: .duplicateEntity, entityID: id, place: place, found: nil)
    case .signer(let fingerprint, let id, let place):
      guard let first = signers[fingerprint], !first.utf8.elementsEqual(id.utf8) else {
        signers[fingerprint] = id
        return nil
      }
      return LintFinding(
        rule: .sharedKey, entityID: id, place: place, found: TokenError.excerpt(first))
    }
  }

  /// The results of checking one item; none for an item that is no entity.
  package static func parts(
    of item: MetadataItem, at now: Instant, checkingKeysFully: Bool
  ) -> [LintPart] {
    guard case .entity(let element, let scope) = item else { return [] }
    let entity: EntityDescriptor
    do throws(TokenError) {
      entity = try EntityDescriptor(element, in: scope)
    } catch {
      let id = element.attribute(MetadataName.entityID)
      return [.finding(finding(for: error, entityID: id))]
    }
    let id = entity.entityID
    var parts = findings(
      EntityRules.all, LintedEntity(element: element, entity: entity, scope: scope, now: now), id)
    parts.append(.name(id, place: element.path))
    var certificates = EntityCertificates()
    for child in (try? element.children()) ?? [] {
      guard let role = try? RoleReader.read(child, scope, &certificates) else { continue }
      let linted = LintedRole(child, role, now, checkingKeysFully, &certificates)
      parts += self.parts(of: linted, id)
    }
    return parts
  }

  private static func parts(of role: LintedRole, _ id: String) -> [LintPart] {
    var parts = findings(RoleRules.all, role, id)
    for descriptor in role.descriptors {
      parts += findings(KeyRules.all, descriptor, id)
      guard role.role.issuesTokens, descriptor.use == .signing || descriptor.use == .both else {
        continue
      }
      parts += descriptor.fingerprints.map {
        .signer($0, entityID: id, place: descriptor.element.path)
      }
    }
    for endpoint in role.endpoints { parts += findings(EndpointRules.all, endpoint, id) }
    return parts
  }

  private static func findings<Subject>(
    _ checks: [LintCheck<Subject>], _ subject: Subject, _ id: String
  ) -> [LintPart] {
    findings(checks, subject, entityID: id).map { .finding($0) }
  }

  private static func findings<Subject>(
    _ checks: [LintCheck<Subject>], _ subject: Subject, entityID: String?
  ) -> [LintFinding] {
    checks.flatMap { check in
      check.hits(subject).map {
        LintFinding(rule: check.rule, entityID: entityID, place: $0.place, found: $0.found)
      }
    }
  }
}
