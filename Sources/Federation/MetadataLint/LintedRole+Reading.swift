import SAML
import XMLSecurity
import XMLTree

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
      let found = ((try? data.children()) ?? []).filter { $0.isNamed(DSName.x509Certificate) }
      guard let first = found.first else { return nil }
      let key = EntityKey(use: .both, known.certificate(of: first))
      let result: Result<VerificationKey, TokenError>
      do throws(TokenError) {
        let key = try key.key()
        guard !checksFully || key.isFullySound else { throw TokenError(.weakKey) }
        result = .success(key)
      } catch {
        result = .failure(error)
      }
      return Certificate(element: first, count: found.count, key: result)
    }
  }
}
