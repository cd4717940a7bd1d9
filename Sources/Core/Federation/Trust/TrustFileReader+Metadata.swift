import Octets

extension TrustFileReader {
  /// Reads an issuer entry that names a metadata file.
  mutating func readMetadata(
    _ json: JSONValue, _ metadata: JSONValue, _ dates: TrustedKey.CertificateDates
  ) -> [TrustedIssuer] {
    checkMembers(
      json,
      allowed: [
        "id", "metadata", "signedBy", "formats", "algorithms", "claimsPrefix", "stripPrefix",
        "certificateDates",
      ], "a metadata entry")
    guard let path = metadata.string, !path.isEmpty else {
      errors.append(valueError(metadata, "a path"))
      return []
    }
    var trust = MetadataTrust()
    (trust.algorithms, trust.exceptions) = readAlgorithms(json["algorithms"])
    trust.certificateDates = certificateDates(json["certificateDates"]) ?? dates
    if let formats = json["formats"] { trust.formats = readFormats(formats) }
    trust.projection = projection(json)
    if let signer = json["signedBy"] {
      trust.signers = readSigners(signer, trust)
      // An entry whose key cannot be read must not become one that requires none.
      guard !trust.signers.isEmpty else { return [] }
    }
    do throws(TokenError) {
      return try trust.issuers(inFile: path, of: files, known: &describedIssuers)
    } catch {
      errors.append(unusableFile(error, metadata, expected: "metadata"))
      return []
    }
  }

  private mutating func readSigners(_ json: JSONValue, _ trust: MetadataTrust) -> [TrustedKey] {
    var signers: [TrustedKey] = []
    for item in json.array ?? [json] {
      guard let specification = item.string, !specification.isEmpty else {
        errors.append(valueError(item, "a key as a string"))
        return []
      }
      do throws(TokenError) {
        signers.append(
          TrustedKey(
            try KeySpecification.key(specification, files: files), exceptions: trust.exceptions))
      } catch {
        errors.append(unusableFile(error, item, expected: "a readable key"))
        return []
      }
    }
    if signers.isEmpty { errors.append(valueError(json, "at least one key")) }
    return signers
  }
}
