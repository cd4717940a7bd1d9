import Octets
import Settings
import TokenBasics

/// How the keys in a metadata file become trusted: each for its own entity, and for no other.
package struct MetadataTrust: Sendable {
  /// The keys of which one must have signed the file; none to trust the file as configuration.
  package var signers: [TrustedKey] = []
  package var formats: Set<TokenFormat> = [.saml11, .saml20, .jwt]
  package var projection: ClaimProjection = .all
  package var algorithms: [SignatureAlgorithm]?
  package var exceptions: Set<LegacyException> = []
  package var certificateDates: TrustedKey.CertificateDates = .warn
  /// The only entities to read; nil for all.
  package var wanted: [String]?

  package init() {}

  /// The issuers that the file at `path` describes.
  ///
  /// - Parameter known: The issuers of metadata files that were read before; an entity of two files
  ///   is rejected.
  /// - Throws: `policy.metadata-*`, `signature.*`, `xml.*`, `time.malformed`, and what `files` throws.
  package func issuers(
    inFile path: String, of files: some FileSource, known: inout Set<[UInt8]>
  ) throws(TokenError) -> [TrustedIssuer] {
    let earlier = known
    let described = try files.value(of: path, as: "metadata") { (last: Described) in
      // Other settings, or an entity that another file describes by now: the copy is of no use.
      last.trust.isSame(as: self) && last.names.isDisjoint(with: earlier)
    } _: { () throws(TokenError) in
      try read(path, files, earlier)
    }
    known.formUnion(described.names)
    return described.issuers
  }

  /// What a file said, by which settings.
  private struct Described: Sendable {
    let trust: MetadataTrust
    let issuers: [TrustedIssuer]
    /// The entities of the file.
    let names: Set<[UInt8]>
  }

  private func isSame(as other: Self) -> Bool {
    formats == other.formats && projection == other.projection && algorithms == other.algorithms
      && exceptions == other.exceptions && certificateDates == other.certificateDates
      && wanted == other.wanted && signers.count == other.signers.count
      && zip(signers, other.signers).allSatisfy { $0.key.fingerprint == $1.key.fingerprint }
  }

  private func read(
    _ path: String, _ files: some FileSource, _ known: Set<[UInt8]>
  ) throws(TokenError) -> Described {
    var collector = Collector(trust: self, known: known)
    var wasRead = false
    var beginning: [UInt8] = []
    do throws(TokenError) {
      func note(_ bytes: [UInt8]) {
        if !wasRead { beginning = bytes }
        wasRead = true
      }
      if signers.isEmpty {
        var reader = try MetadataReader()
        try files.forEachChunk(of: path) { bytes throws(TokenError) in
          note(bytes)
          for entity in try reader.consume(bytes) { try collector.take(entity) }
        }
        wasRead = true
        for entity in try reader.finish() { try collector.take(entity) }
      } else {
        // The pinned key is trusted as a key: its certificate's dates are ignored.
        var reader = try SignedMetadataReader(
          keys: signers, at: Instant(secondsSinceEpoch: 0), into: collector)
        try files.forEachChunk(of: path) { bytes throws(TokenError) in
          note(bytes)
          try reader.consume(bytes)
        }
        wasRead = true
        collector = try reader.finish().sink
      }
      // One usable key is enough.
      guard collector.issuers.contains(where: { !$0.keys.isEmpty }) || collector.wasFiltered else {
        throw TokenError(.metadataNoKey)
      }
    } catch {
      // What names no file may be a secret: then the source of files says what is shown of it.
      throw wasRead
        ? RecognisedText.metadataError(error, beginning).within(path)
        : RecognisedText.nameError(error, path, at: .metadata)
    }
    return Described(
      trust: self, issuers: collector.issuers, names: collector.known.subtracting(known))
  }

  private struct Collector: MetadataSink {
    let trust: MetadataTrust
    var known: Set<[UInt8]>
    var issuers: [TrustedIssuer] = []
    var wasFiltered = false

    mutating func take(_ entity: EntityDescriptor) throws(TokenError) {
      if let wanted = trust.wanted, !wanted.containsBytes(of: entity.entityID) {
        wasFiltered = true
        return
      }
      guard
        let issuer = entity.trustedIssuer(
          formats: trust.formats, projection: trust.projection, exceptions: trust.exceptions,
          trusting: { [trust] in
            TrustedKey(
              $0, algorithms: trust.algorithms, exceptions: trust.exceptions,
              certificateDates: trust.certificateDates)
          })
      else { return }
      guard known.insert(Array(entity.entityID.utf8)).inserted else {
        throw TokenError(
          .metadataDuplicate, expected: "one EntityDescriptor in all files",
          found: TokenError.excerpt(entity.entityID))
      }
      issuers.append(issuer)
    }
  }
}

extension TrustFileReader {
  /// Reads an issuer entry that names a metadata file.
  mutating func readMetadata(
    _ issuer: SettingsObject, _ dates: TrustedKey.CertificateDates
  ) -> [TrustedIssuer] {
    let metadata = issuer.value(
      "metadata",
      "a file of SAML or WS-Federation metadata: each `EntityDescriptor` becomes an issuer, with its own keys",
      .text(), required: true)
    let signer = issuer.value(
      "signedBy",
      "a key, or a list of them, of which one must have signed the whole file",
      .either([.text(), .list(.text(), least: 1)]),
      without: "the file is trusted as it is, signed or not")
    var trust = MetadataTrust()
    declareIdentifier(issuer)
    if let formats = readFormats(issuer, without: "SAML and JWT") { trust.formats = formats }
    (trust.algorithms, trust.exceptions) = readAlgorithms(
      issuer, also: "; they also let a legacy signature of the file in")
    trust.projection = projection(issuer)
    trust.certificateDates = certificateDates(issuer, "as for an issuer with keys") ?? dates
    guard let metadata else { return [] }
    guard let path = metadata.string, !path.isEmpty else {
      file.refuse(metadata, "a path")
      return []
    }
    if let signer {
      trust.signers = readSigners(signer, trust)
      // An entry whose key cannot be read must not become one that requires none.
      guard !trust.signers.isEmpty else { return [] }
    }
    do throws(TokenError) {
      return try trust.issuers(inFile: path, of: files, known: &describedIssuers)
    } catch {
      reportUnusable(error, metadata, expected: "metadata")
      return []
    }
  }

  private mutating func readSigners(_ json: JSONValue, _ trust: MetadataTrust) -> [TrustedKey] {
    var signers: [TrustedKey] = []
    for item in json.array ?? [json] {
      guard let specification = item.string, !specification.isEmpty else {
        file.refuseSecret(item, "a key as a string")
        return []
      }
      do throws(TokenError) {
        signers.append(
          TrustedKey(
            try KeySpecification.key(specification, files: files), exceptions: trust.exceptions))
      } catch {
        reportUnusable(error, item, expected: "a readable key")
        return []
      }
    }
    if signers.isEmpty { file.refuse(json, "at least one key") }
    return signers
  }
}
