import SAML
import XMLSecurity
import XMLTree

/// Rules about the document element.
enum FileRules {
  typealias Check = LintCheck<LintedFile>

  static let all: [Check] = [
    Check(
      5, .warning, "the file is not signed",
      advice: "sign the document element; until then, take the file over a channel you trust"
    ) { $0.signature == nil ? [.init($0.root)] : [] },
    Check(
      6, .error, "the signature does not cover the document element",
      advice: "one Reference, to the document element's own ID"
    ) { file in
      guard let signature = file.signature else { return [] }
      let references = LintedSignature.references(of: signature)
      let id = file.root.attribute(MetadataName.identifier).map { "#" + $0 }
      let uri = references.first?.attribute(DSName.uri)
      let isSound = references.count == 1 && (uri == "" || (uri != nil && uri == id))
      return isSound ? [] : [.init(signature, found: uri ?? "no reference")]
    },
    Check(
      7, .info, "the signature refers to the whole document by an empty URI",
      advice: "give the document element an ID and refer to it: SAML asks for that"
    ) { file in
      file.signature.map(LintedSignature.references)?.filter { $0.attribute(DSName.uri) == "" }
        .map { .init($0) } ?? []
    },
    Check(
      8, .warning, "the signature uses SHA-1",
      advice: "sign with rsa-sha256 and digest with sha256; SHA-1 is refused by default"
    ) { file in
      file.signature.map(LintedSignature.algorithms)?.filter { $0.1.hasSuffix("sha1") }
        .map { .init($0.0, found: $0.1) } ?? []
    },
    Check(
      9, .warning, "the file never expires",
      advice: "set validUntil on the document element, some days or weeks ahead, and publish anew"
    ) {
      $0.root.attribute(MetadataName.validUntil) == nil ? [.init($0.root)] : []
    },
    Check(
      10, .warning, "the file is valid for more than a year",
      advice: "a key that must be withdrawn stays trusted that long; set validUntil nearer"
    ) { file in
      guard
        let end = try? file.root.attribute(MetadataName.validUntil).map(Instant.init(dateTime:)),
        end > file.now.advanced(bySeconds: 366 * 86_400)
      else { return [] }
      return [.init(file.root, attribute: "validUntil", found: end.rfc3339)]
    },
    Check(
      11, .info, "the file does not say how long to keep a copy",
      advice: "set cacheDuration, such as PT6H"
    ) {
      $0.root.attribute(MetadataName.cacheDuration) == nil ? [.init($0.root)] : []
    },
    Check(
      27, .warning, "cacheDuration of the group at the root is no duration, and is ignored",
      advice: "write it as XML Schema has it, such as PT6H"
    ) { subject in
      guard subject.root.isNamed(MetadataName.entities) else { return [] }
      return malformedCacheDuration(of: subject.root).map {
        [.init(subject.root, attribute: "cacheDuration", found: $0)]
      } ?? []
    },
  ]

  /// A `cacheDuration` that cannot be read.
  static func malformedCacheDuration(of element: Element) -> String? {
    guard let text = element.collapsedAttribute(MetadataName.cacheDuration),
      (try? CalendarDuration(text)) == nil
    else { return nil }
    return TokenError.excerpt(text)
  }
}
