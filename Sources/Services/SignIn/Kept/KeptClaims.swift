package import Claims
import Octets
import SecurityKeys

extension Dictionary: KeptMember where Key == String, Value == String {
  package func write(kept json: inout JSONWriter) {
    json.object { json in for (name, value) in self { json.member(named: name, value) } }
  }

  package init?(kept json: JSONValue) {
    guard let members = json.members else { return nil }
    self.init(minimumCapacity: members.count)
    for (name, json) in members {
      guard let value = json.string else { return nil }
      self[name] = value
    }
  }
}

extension ClaimType: KeptText {
  package var keptText: String { name }

  package init?(keptText text: String) { self.init(text) }
}

extension TokenFormat: KeptText {
  package var keptText: String { name }

  package init?(keptText text: String) { self.init(text) }
}

extension Claim: KeptRecord {
  package static var blank: Self { Self("", "") }

  package mutating func members(_ kept: inout KeptMembers) {
    kept.member("type", &type)
    kept.member("value", &value)
    kept.member("issuer", &issuer)
    kept.member("valueType", &valueType)
    kept.member("originalIssuer", &originalIssuer)
    var name: String? = originalName
    kept.member("originalName", &name)
    originalName = name ?? type.name
    kept.member("properties", &properties, usually: [:])
  }
}

/// Octets that are kept as base64url.
package struct KeptOctets: KeptText {
  /// The octets.
  package var octets: [UInt8]

  /// Octets of any number.
  package init(_ octets: [UInt8]) { self.octets = octets }

  package init?(keptText text: String) {
    guard let octets = try? Base64.decode(text.utf8, .url) else { return nil }
    self.octets = octets
  }

  package var keptText: String { Base64.encode(octets, .url) }
}

extension SessionID: KeptText {
  package var keptText: String { Base64.encode(digest, .url) }

  package init?(keptText text: String) {
    guard let octets = KeptOctets(keptText: text)?.octets else { return nil }
    self.init(digest: octets)
  }
}

extension IssuerSession {
  /// What a logout request names, as members of the value that is kept around it. Its end is no part of it.
  package mutating func members(_ kept: inout KeptMembers) {
    kept.member("index", &index)
    var text = name?.text
    kept.member("name", &text)
    var subject = name ?? SubjectName("")
    kept.member("nameFormat", &subject.format)
    kept.member("nameQualifier", &subject.nameQualifier)
    kept.member("spNameQualifier", &subject.spNameQualifier)
    subject.text = text ?? ""
    name = text == nil ? nil : subject
  }
}
