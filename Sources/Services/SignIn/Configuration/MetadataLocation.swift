package import HTTPExchange
import IssuerRegistry
package import LocalFiles
import TokenBasics

/// Where a provider's metadata is, and who must have signed it. Files are names here.
package enum MetadataLocation: Sendable {
  /// In a file.
  case file(String, key: String?, entityID: String?)
  /// At an address, with a file for the last good copy.
  case address(HTTPURL, key: String?, entityID: String, copy: String?)
  /// At a server of the Metadata Query Protocol.
  case query(HTTPURL, key: String, entityID: String, copy: String?)

  /// The members of a provider's entry that say it.
  static let members = ["metadata", "query", "metadataKey", "entityID", "copy"]

  /// What the members say.
  init?(_ json: JSONValue, _ file: inout MemberReader) {
    let key = file.text(json["metadataKey"])
    let entityID = file.text(json["entityID"])
    let copy = file.text(json["copy"])
    if let query = json["query"] {
      if json["metadata"] != nil { file.refuse(query, "metadata or query, not both") }
      guard let base = Self.address(query, &file),
        let key = key ?? file.required(json, "metadataKey"),
        let entityID = entityID ?? file.required(json, "entityID")
      else { return nil }
      self = .query(base, key: key, entityID: entityID, copy: copy)
      return
    }
    guard let metadata = file.text(json["metadata"]) ?? file.required(json, "metadata") else {
      return nil
    }
    guard Self.isAddress(metadata) else {
      if let copy = json["copy"] {
        file.refuse(copy, "no copy, which is for metadata at an address")
      }
      self = .file(metadata, key: key, entityID: entityID)
      return
    }
    guard let url = Self.address(json["metadata"] ?? json, &file),
      let entityID = entityID ?? file.required(json, "entityID")
    else { return nil }
    self = .address(url, key: key, entityID: entityID, copy: copy)
  }

  /// The members of a relying party's entry that say it.
  package static let partyMembers = ["metadata", "metadataKey", "copy"]

  /// What the members of a relying party say, whose realm is its entity identifier; nil without metadata.
  package init?(_ json: JSONValue, of realm: String, _ file: inout MemberReader) {
    guard let value = json["metadata"], let text = file.text(value), Self.isAddress(text) else {
      for name in ["metadataKey", "copy"] {
        guard let value = json[name] else { continue }
        file.refuse(value, "no \(name), which is for metadata at an address")
      }
      guard let name = json["metadata"].flatMap({ file.text($0) }) else { return nil }
      self = .file(name, key: nil, entityID: realm)
      return
    }
    guard let url = Self.address(value, &file) else { return nil }
    self = .address(
      url, key: file.text(json["metadataKey"]), entityID: realm, copy: file.text(json["copy"]))
  }

  private static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("https://") || text.hasPrefix("http://")
  }

  private static func address(_ json: JSONValue, _ file: inout MemberReader) -> HTTPURL? {
    guard let text = file.text(json) else { return nil }
    guard let url = try? HTTPURL(text) else {
      file.refuse(json, "an https address, or http on loopback")
      return nil
    }
    return url
  }

  /// The file of metadata; nil for metadata at an address.
  package var fileName: String? {
    if case .file(let name, _, _) = self { name } else { nil }
  }

  /// Metadata as it is there, or where it is fetched.
  package enum Found {
    /// The document in a file, and the keys that must have signed it.
    case document([UInt8], signedBy: [TrustedKey]?, entityID: String?)
    /// The address, and where the last good copy is.
    case source(MetadataSource, FileCopy?)
  }

  /// Reads the files.
  ///
  /// - Throws: The folder's code, `key.*`, `registry.*`.
  package func found(in folder: any ConfigurationFolder) throws(TokenError) -> Found {
    func kept(_ name: String?) -> FileCopy? { name.map { FileCopy(path: folder.located($0)) } }
    switch self {
    case .file(let name, let key, let entityID):
      return .document(
        try folder.octets(name, limit: MetadataSource.aggregateLimit),
        signedBy: try key.map { (key) throws(TokenError) in try folder.signers(key) },
        entityID: entityID)
    case .query(let base, let key, let entityID, let copy):
      return .source(
        try .query(base, entityID: entityID, signedBy: folder.signers(key)), kept(copy))
    case .address(let url, let key, let entityID, let copy):
      var proof = MetadataProof.server
      if let key { proof = .signature(try folder.signers(key)) }
      return .source(MetadataSource(url, entityID: entityID, proof: proof), kept(copy))
    }
  }
}
