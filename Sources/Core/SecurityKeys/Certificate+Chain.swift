import COpenSSL

extension Certificate {
  /// The place of the end entity's certificate among certificates that form a chain in any order (XML Signature 1.1, 4.5.4): the
  /// one that is the issuer of no other. 0 where they form none, and where there are more than 16.
  ///
  /// Only names are compared: the certificates come from metadata that is trusted, and no authority is.
  ///
  /// - Parameter chain: The DER encodings; one that cannot be read has no place in the chain.
  package static func endEntity(of chain: [[UInt8]]) -> Int {
    guard (2...longestChain).contains(chain.count) else { return 0 }
    let names = chain.map(names)
    let ends = names.indices.filter { place in
      guard let own = names[place] else { return false }
      return !names.indices.contains { $0 != place && names[$0]?.issuer == own.subject }
    }
    return ends.count == 1 ? ends[0] : 0
  }

  private static let longestChain = 16

  /// The encoded names of whom it certifies and of who signed it; nil for what is no certificate.
  private static func names(_ der: [UInt8]) -> (subject: [UInt8], issuer: [UInt8])? {
    guard let pointer = unsafe decode(der) else {
      ErrorQueue.clear()
      return nil
    }
    defer { unsafe X509_free(pointer) }
    let subject = unsafe DER.encode { unsafe i2d_X509_NAME(X509_get_subject_name(pointer), $0) }
    let issuer = unsafe DER.encode { unsafe i2d_X509_NAME(X509_get_issuer_name(pointer), $0) }
    return subject.isEmpty || issuer.isEmpty ? nil : (subject, issuer)
  }
}
