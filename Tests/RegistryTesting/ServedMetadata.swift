import Foundation
import TestSupport

/// What a metadata server does with the next request.
public enum ServedMetadata: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  case current, both, next, notModified
  case down, serverError, truncated, truncatedSilently, empty, expired, otherEntity, forged, slow
  case huge, hugeUndeclared, redirect, bomb, rollback, loginPage, badFields

  public static let faults: [ServedMetadata] = allCases.filter { $0.code != nil }

  /// The code of a refresh that meets this; nil when it succeeds.
  public var code: String? {
    switch self {
    case .current, .both, .next, .notModified: nil
    case .down: "transport.no-connection"
    case .truncated: "transport.unreachable"
    case .serverError: "transport.status"
    case .truncatedSilently: "xml.malformed"
    case .loginPage: "input.html"
    case .empty: "input.empty"
    case .expired: "registry.document-expired"
    case .otherEntity: "registry.entity-mismatch"
    case .forged: "signature.invalid"
    case .slow: "transport.timeout"
    case .huge, .hugeUndeclared: "transport.too-large"
    case .redirect: "transport.redirect"
    case .bomb: "registry.content-encoding"
    case .rollback: "registry.rollback"
    case .badFields: "transport.malformed-response"
    }
  }

  public var description: String {
    switch self {
    case .current: "200, current metadata"
    case .both: "200, old and new key"
    case .next: "200, new key"
    case .notModified: "304"
    case .down: "down"
    case .serverError: "500"
    case .truncated: "truncated"
    case .truncatedSilently: "truncated, no length"
    case .empty: "empty"
    case .expired: "expired"
    case .otherEntity: "wrong entity"
    case .forged: "wrong signature"
    case .slow: "slow"
    case .huge: "200 MB"
    case .hugeUndeclared: "200 MB, no length"
    case .redirect: "redirect to another host"
    case .bomb: "gzip bomb"
    case .rollback: "rollback"
    case .loginPage: "login page"
    case .badFields: "broken header"
    }
  }

  /// The document, if there is one.
  public var document: [UInt8] {
    switch self {
    case .current, .truncated, .truncatedSilently, .slow, .badFields: Self.published("current")
    // META-13: whatever stands in a 304 is not read.
    case .notModified, .forged: Self.published("forged")
    case .both: Self.published("both")
    case .next: Self.published("next")
    case .expired: Self.published("expired")
    case .otherEntity: Self.published("other-entity")
    case .rollback: Self.published("older")
    case .loginPage: Array("<html><body><p>Sign in<br></body></html>".utf8)
    default: []
    }
  }

  /// The validator that a document is served with.
  public var entityTag: String? {
    switch self {
    case .current: "\"current\""
    case .both: "W/\"both\""
    case .next: "\"next\""
    default: nil
    }
  }

  private static func published(_ name: String) -> [UInt8] {
    TestVector.bytes("metadata/published-\(name).xml")
  }
}
