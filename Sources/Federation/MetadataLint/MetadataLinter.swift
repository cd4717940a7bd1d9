import SAML
import XMLSecurity
import XMLTree

/// Says what is wrong or risky about a metadata file of any size, entity by entity.
public struct MetadataLinter {
  private let now: Instant
  private var reader: MetadataReader
  private var root: Element?
  private var signature: Element?
  private var depth = 0
  private var count = 0
  private var names = EntityNames()
  /// Signing keys and the first entity that had each.
  private var signers: [String: String] = [:]

  /// - Parameter now: The clock for everything that expires.
  /// - Throws: `xml.malformed` when there is no memory.
  public init(at now: Instant) throws(TokenError) {
    self.now = now
    reader = try MetadataReader()
  }

  /// Takes the next bytes of the file.
  ///
  /// - Throws: what makes the whole file unreadable; ``finding(for:)`` makes a finding of it.
  public mutating func consume(_ bytes: [UInt8]) throws(TokenError) -> [LintFinding] {
    try reader.items(in: bytes).flatMap { take($0) }
  }

  /// Ends the file.
  ///
  /// - Throws: as ``consume(_:)``.
  public mutating func finish() throws(TokenError) -> [LintFinding] {
    var findings = try reader.finalItems().flatMap { take($0) }
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
      found: "\(error.code): \(error.message)")
  }

  private mutating func take(_ item: MetadataItem) -> [LintFinding] {
    switch item {
    case .group(let element):
      depth += 1
      if root == nil { root = element }
      return []
    case .groupEnd:
      depth -= 1
      return []
    case .groupContent(let element):
      if depth == 1, element.isNamed(DSName.signature), signature == nil { signature = element }
      return []
    case .entity(let element, let scope):
      if root == nil {
        root = element
        signature = try? SignedElement.signature(of: element)
      }
      count += 1
      return lint(element, scope)
    }
  }

  private mutating func lint(_ element: Element, _ scope: MetadataScope) -> [LintFinding] {
    let entity: EntityDescriptor
    do throws(TokenError) {
      entity = try EntityDescriptor(element, in: scope)
    } catch {
      return [Self.finding(for: error, entityID: element.attribute(MetadataName.entityID))]
    }
    let id = entity.entityID
    var findings = Self.findings(
      EntityRules.all, LintedEntity(element: element, entity: entity, scope: scope, now: now),
      entityID: id)
    if (try? names.insert(id)) == nil {
      findings.append(
        LintFinding(rule: .duplicateEntity, entityID: id, place: element.path, found: nil))
    }
    var certificates = EntityCertificates()
    for child in (try? element.children()) ?? [] {
      guard let role = try? RoleReader.read(child, scope, &certificates) else { continue }
      findings += lint(LintedRole(child, role, now, &certificates), id)
    }
    return findings
  }

  private mutating func lint(_ role: LintedRole, _ id: String) -> [LintFinding] {
    var findings = Self.findings(RoleRules.all, role, entityID: id)
    for descriptor in role.descriptors {
      findings += Self.findings(KeyRules.all, descriptor, entityID: id)
      guard role.role.issuesTokens, descriptor.use == .signing || descriptor.use == .both else {
        continue
      }
      for fingerprint in descriptor.fingerprints {
        if let first = signers[fingerprint], !first.utf8.elementsEqual(id.utf8) {
          findings.append(
            LintFinding(
              rule: .sharedKey, entityID: id, place: descriptor.element.path,
              found: TokenError.excerpt(first)))
        } else {
          signers[fingerprint] = id
        }
      }
    }
    for endpoint in role.endpoints {
      findings += Self.findings(EndpointRules.all, endpoint, entityID: id)
    }
    return findings
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
