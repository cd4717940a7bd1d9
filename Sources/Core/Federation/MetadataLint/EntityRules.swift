import Octets
import SAML
import TokenBasics
import XMLTree

/// Rules about an entity as a whole.
enum EntityRules {
  typealias Check = LintCheck<LintedEntity>

  private static let scope = ExpandedName("Scope", in: "urn:mace:shibboleth:metadata:1.0")
  private static let logo = ExpandedName("Logo", in: display)
  private static let display = "urn:oasis:names:tc:SAML:metadata:ui"
  private static let include = ExpandedName("include", in: "http://www.w3.org/2001/XInclude")
  private static let regexp = ExpandedName("regexp")
  private static let contactType = ExpandedName("contactType")

  static let all: [Check] = [
    Check(
      12, .error, "validUntil has passed",
      advice: "get the current file; no key of this one is used"
    ) {
      $0.entity.hasExpired(at: $0.now)
        ? [.init($0.element, attribute: "validUntil", found: $0.entity.validUntil?.rfc3339)] : []
    },
    Check(
      13, .warning, "validUntil is later than that of the group around it",
      advice: "the earlier end counts; set the entity's to it or leave it out"
    ) { subject in
      guard let outer = subject.scope.validUntil,
        let own = try? subject.element.attribute(MetadataName.validUntil)
          .map(Instant.init(dateTime:)), own > outer
      else { return [] }
      return [.init(subject.element, attribute: "validUntil", found: own.rfc3339)]
    },
    Check(
      14, .error, "cacheDuration is zero or negative",
      advice: "a positive duration, such as PT6H; this one means to fetch without end"
    ) { duration($0) { $0 <= 0 } },
    Check(
      15, .warning, "cacheDuration is longer than 30 days",
      advice: "a withdrawn key stays in use that long; a day is plenty"
    ) { duration($0) { $0 > 30 * 86_400 } },
    Check(
      16, .warning, "the entityID is no absolute URI",
      advice: "use a URL of your own domain, or a URN"
    ) { subject in
      let name = Array(subject.entity.entityID.utf8)
      let colon = name.firstIndex(of: UInt8(ascii: ":")) ?? 0
      return colon > 0 && colon < name.count - 1 && ASCII.isLetter(name[0])
        ? [] : [.init(subject.element, attribute: "entityID", found: subject.entity.entityID)]
    },
    Check(
      17, .error, "the entityID contains white space",
      advice: "take it out; names are compared byte for byte"
    ) { subject in
      subject.entity.entityID.unicodeScalars.contains(where: \.properties.isWhitespace)
        ? [.init(subject.element, attribute: "entityID", found: subject.entity.entityID)] : []
    },
    Check(
      18, .error, "the entity has no role",
      advice: "describe what it does: IDPSSODescriptor, SPSSODescriptor or RoleDescriptor"
    ) { subject in
      subject.entity.roles.isEmpty
        && !subject.children.contains { $0.isNamed(MetadataName.affiliation) }
        ? [.init(subject.element)] : []
    },
    Check(
      19, .info, "the entity does not say which organization runs it",
      advice: "add Organization, so that people know whom they trust"
    ) { subject in
      subject.children.contains { $0.isNamed(MetadataName.organization) }
        ? [] : [.init(subject.element)]
    },
    Check(
      20, .info, "the entity has no technical or support contact",
      advice: "add a ContactPerson of type technical or support"
    ) { subject in
      subject.children.contains {
        $0.isNamed(MetadataName.contact)
          && ["technical", "support"].contains($0.attribute(contactType))
      } ? [] : [.init(subject.element)]
    },
    Check(
      21, .warning, "the entity points to metadata elsewhere",
      advice: "it is never fetched; put what matters into this file"
    ) { subject in
      subject.children.filter { $0.isNamed(MetadataName.additionalLocation) }.map { .init($0) }
    },
    Check(
      22, .warning, "the entity includes another document",
      advice: "inclusions are never followed; write the content out"
    ) { subject in
      subject.element.descendants(named: include).map { .init($0) }
    },
    Check(
      23, .warning, "a scope is a regular expression",
      advice: "list the domains instead; an unanchored expression matches an attacker's domain"
    ) { subject in
      subject.element.descendants(named: scope)
        .filter { ["true", "1"].contains($0.attribute(regexp)) }.map { .init($0) }
    },
    Check(
      24, .error, "a scope is empty or a whole top-level domain",
      advice: "name the organization's own domain"
    ) { subject in
      subject.element.descendants(named: scope).compactMap { element in
        let text = (try? element.collapsedText()) ?? ""
        return text.utf8.contains(UInt8(ascii: ".")) ? nil : .init(element, found: text)
      }
    },
    Check(
      25, .warning, "a logo is not at an https address",
      advice: "pages that show it would load or run that content"
    ) { subject in
      subject.element.descendants(named: logo).compactMap { element in
        let text = (try? element.collapsedText()) ?? ""
        return text.utf8.starts(with: "https://".utf8) ? nil : .init(element, found: text)
      }
    },
    Check(
      26, .warning, "a display text has invisible or direction-changing characters",
      advice: "take them out; they make one name look like another"
    ) { subject in
      subject.element.descendants {
        $0.namespaceURI.hasSameBytes(as: display) && !$0.hasChildElements
      }.compactMap { element in
        let text = (try? element.text()) ?? ""
        return text.unicodeScalars.contains { $0.isHidden && !$0.isLayout }
          ? .init(element, found: text) : nil
      }
    },
    Check(
      28, .warning, "cacheDuration is no duration, and is ignored",
      advice: "write it as XML Schema has it, such as PT6H"
    ) { subject in
      FileRules.malformedCacheDuration(of: subject.element).map {
        [.init(subject.element, attribute: "cacheDuration", found: $0)]
      } ?? []
    },
  ]

  private static func duration(
    _ subject: LintedEntity, _ isWrong: (Int64) -> Bool
  ) -> [Check.Hit] {
    guard let duration = subject.entity.cacheDuration, isWrong(duration.approximateSeconds) else {
      return []
    }
    return [.init(subject.element, attribute: "cacheDuration", found: duration.description)]
  }
}
