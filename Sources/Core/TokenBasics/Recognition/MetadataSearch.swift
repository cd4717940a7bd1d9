import Octets

/// Finds SAML metadata inside documents of other programs, which keep it as a text.
enum MetadataSearch {
  /// The member of JSON with metadata.
  static func member(in json: JSONValue) -> RecognisedText? {
    var found: (path: String, isBase64: Bool)?
    JSONPath.eachString(in: json, most: most) { path, text in
      found = isMetadata(text).map { (path, $0) }
      return found == nil
    }
    guard let (path, isBase64) = found else { return nil }
    return RecognisedText(
      .metadataInside, form: isBase64 ? .base64OfText : .plain, detail: path,
      name: "JSON with SAML metadata in the member \(path)")
  }

  /// XML that has metadata below its root, or as text.
  static func isInside(_ sample: TextSample) -> Bool {
    has(sample.octets.prefix(TextSample.length))
  }

  /// What source text of a program says of an identity provider in place of metadata.
  static func isDescription(_ sample: TextSample) -> Bool {
    services.contains { sample.hasLowercased($0) }
      && certificates.contains { sample.hasLowercased($0) }
  }

  /// Values of JSON that are looked at.
  private static let most = 4_096

  private static let services = [
    "singlesignonservice", "sso_url", "ssourl", "sso_target_url", "entrypoint", "single_sign_on",
  ]
  private static let certificates = ["x509cert", "certdata", "idp_cert", "idpcert", "certificate"]

  /// Whether a text is metadata, and then whether in base64; nil for another text.
  private static func isMetadata(_ text: String) -> Bool? {
    let beginning = Array(text.utf8.prefix(8_192))
    let start = beginning.drop(while: ASCII.isWhiteSpace)
    if start.first == ASCII.lessThan || start.starts(with: "&lt;".utf8) {
      return has(start) ? false : nil
    }
    guard ["PD94", "PE", "PG"].contains(where: { start.starts(with: $0.utf8) }),
      let content = TextSample.decoded(start.prefix(start.count / 4 * 4))
    else { return nil }
    return has(content[...]) ? true : nil
  }

  /// Whether a start tag of metadata occurs.
  private static func has(_ octets: ArraySlice<UInt8>) -> Bool {
    guard octets.firstRange(ofBytes: "Descriptor") != nil else { return false }
    return ["EntityDescriptor", "EntitiesDescriptor"].contains { root in
      [" xmlns", " entityID", " ID=", " Name=", "\n", ">"].contains { next in
        octets.firstRange(ofBytes: root + next) != nil
      }
    }
  }
}

extension TextAdvice {
  /// What to do about a document in which metadata stands.
  static func metadataInside(_ text: RecognisedText, _ place: TextPlace) -> String {
    let value: String
    if let path = text.detail {
      value =
        "SAML metadata stands in its member \(path): save the value as a file of its own "
        + "(jq -r '\(path)' FILE\(text.form == .base64OfText ? " | base64 -d" : "") > METADATA)"
    } else {
      value =
        "SAML metadata stands in it: save what is from <EntityDescriptor to "
        + "</EntityDescriptor> as a file of its own"
    }
    return place == .metadata
      ? "\(value), and name that file"
      : "\(value), which belongs to the trusted metadata (--metadata); \(place.remedy)"
  }
}
