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
