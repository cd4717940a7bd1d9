import HTTPExchange
package import Octets

extension ProviderConfiguration {
  /// The one protocol of a provider's entry: `saml`, `wsFederation` or `openID`.
  package static func exchange(
    _ entry: JSONValue, _ file: inout MemberReader
  ) -> Exchange? {
    let found = ["saml", "wsFederation", "openID"].compactMap { name in
      entry[name].map { (name, $0) }
    }
    guard let (name, value) = found.first, found.count == 1 else {
      file.refuse(entry, "one of saml, wsFederation, openID")
      return nil
    }
    switch name {
    case "saml":
      file.members(value, ["metadata", "query", "metadataKey", "entityID", "copy", "binding"])
      let binding = file.text(value["binding"]) ?? "post"
      if !["post", "artifact"].contains(binding) {
        file.refuse(value["binding"] ?? value, "post or artifact")
      }
      return metadata(value, &file).map { .saml($0, usesArtifacts: binding == "artifact") }
    case "wsFederation":
      file.members(value, ["metadata", "query", "metadataKey", "entityID", "copy", "realm"])
      guard let metadata = metadata(value, &file),
        let realm = file.text(value["realm"]) ?? file.required(value, "realm")
      else { return nil }
      return .wsFederation(metadata, realm: realm)
    default:
      file.members(value, OpenIDRegistration.members)
      guard let issuer = file.text(value["issuer"]) ?? file.required(value, "issuer"),
        let registration = OpenIDRegistration(value, &file)
      else { return nil }
      return .openID(issuer: issuer, registration)
    }
  }

  /// Whether a text can be the identifier of a provider, which stands in addresses, sessions and rules.
  package static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text != "any" && text != "." && text != ".."
      && text.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~".utf8.contains($0)
      }
  }

  /// What ``isIdentifier(_:)`` wants, in words.
  package static let identifierForm =
    "1 to 64 letters, digits, '-', '.', '_' and '~', and not the word any"

  /// Where metadata is: in a file, at an address or at a query server.
  private static func metadata(
    _ json: JSONValue, _ file: inout MemberReader
  ) -> Metadata? {
    let key = file.text(json["metadataKey"])
    let entityID = file.text(json["entityID"])
    let copy = file.text(json["copy"])
    if let query = json["query"] {
      if json["metadata"] != nil { file.refuse(query, "metadata or query, not both") }
      guard let base = address(query, &file), let key = key ?? file.required(json, "metadataKey"),
        let entityID = entityID ?? file.required(json, "entityID")
      else { return nil }
      return .query(base, key: key, entityID: entityID, copy: copy)
    }
    guard let metadata = file.text(json["metadata"]) ?? file.required(json, "metadata") else {
      return nil
    }
    guard metadata.hasPrefix("https://") || metadata.hasPrefix("http://") else {
      if let copy = json["copy"] {
        file.refuse(copy, "no copy, which is for metadata at an address")
      }
      return .file(metadata, key: key, entityID: entityID)
    }
    guard let url = address(json["metadata"] ?? json, &file),
      let entityID = entityID ?? file.required(json, "entityID")
    else { return nil }
    return .address(url, key: key, entityID: entityID, copy: copy)
  }

  private static func address(
    _ json: JSONValue, _ file: inout MemberReader
  ) -> HTTPURL? {
    guard let text = file.text(json) else { return nil }
    guard let url = try? HTTPURL(text) else {
      file.refuse(json, "an https address, or http on loopback")
      return nil
    }
    return url
  }
}
