import SAML
import XMLSecurity
import XMLTree

/// The document element of a metadata file, with its own attributes and signature.
struct LintedFile {
  let root: Element
  let signature: Element?
  let now: Instant
}

/// An entity, or the group at the root, for rules about both.
struct LintedEntity {
  let element: Element
  let entity: EntityDescriptor
  /// The attributes of the groups around the entity.
  let scope: MetadataScope
  let now: Instant

  var children: [Element] { (try? element.children()) ?? [] }
}

/// A role of an entity.
struct LintedRole {
  let element: Element
  let role: EntityRole
  let descriptors: [LintedKey]
  let endpoints: [LintedEndpoint]
}

/// A `KeyDescriptor`.
struct LintedKey {
  /// One `X509Data` of it.
  struct Certificate {
    let element: Element
    let count: Int
    let key: Result<VerificationKey, TokenError>

    /// The certificate, if it can be read.
    var certificate: SecurityKeys.Certificate? {
      if case .success(let key) = key, case .certificate(let certificate) = key.material {
        certificate
      } else {
        nil
      }
    }
  }

  let element: Element
  let use: EntityKey.Use?
  let certificates: [Certificate]
  let now: Instant

  /// The fingerprints of the readable keys.
  var fingerprints: [String] {
    certificates.compactMap { try? $0.key.get().fingerprint }
  }
}

/// An endpoint of a role.
struct LintedEndpoint {
  let element: Element
  let endpoint: MetadataEndpoint
}

extension LintedRole {
  /// A role with everything below it decoded.
  init(
    _ element: Element, _ role: EntityRole, _ now: Instant, _ checksKeysFully: Bool,
    _ certificates: inout EntityCertificates
  ) {
    let children = (try? element.children()) ?? []
    self.element = element
    self.role = role
    descriptors = children.filter { $0.isNamed(MetadataName.keyDescriptor) }
      .map { LintedKey($0, now, checksKeysFully, &certificates) }
    endpoints = children.compactMap { child in
      (try? RoleReader.endpoint(child)).flatMap { $0 }
        .map { LintedEndpoint(element: child, endpoint: $0) }
    }
  }
}

extension LintedKey {
  fileprivate init(
    _ element: Element, _ now: Instant, _ checksFully: Bool, _ known: inout EntityCertificates
  ) {
    self.element = element
    self.now = now
    use = RoleReader.use(of: element)
    certificates = ((try? RoleReader.certificateData(of: element)) ?? []).compactMap { data in
      guard let (certificate, count) = (try? RoleReader.certificate(of: data)) ?? nil else {
        return nil
      }
      let key = EntityKey(use: .both, known.certificate(of: certificate))
      let result: Result<VerificationKey, TokenError>
      do throws(TokenError) {
        let key = try key.key()
        guard !checksFully || key.isFullySound else { throw TokenError(.weakKey) }
        result = .success(key)
      } catch {
        result = .failure(error)
      }
      return Certificate(element: certificate, count: count, key: result)
    }
  }
}

/// Reads a signature without verifying it: a broken one has findings, not errors.
enum LintedSignature {
  static func references(of signature: Element) -> [Element] {
    signature.descendants(named: DSName.reference)
  }

  /// The elements that name an algorithm for signing or digesting, and the last part of its URI.
  static func algorithms(of signature: Element) -> [(Element, String)] {
    signature.descendants {
      $0.isNamed(DSName.signatureMethod) || $0.isNamed(DSName.digestMethod)
    }.map { ($0, $0.attribute(DSName.algorithm) ?? "") }
  }
}
