import Federation
public import HTTPExchange
import Octets
public import TokenBasics

/// The headers that tell the application who asks. Every one is always there, empty where there is nothing to say,
/// so that a client's own never gets through (GATE-3).
public struct IdentityHeaders: Sendable {
  /// The headers, in the order of the file.
  public let rules: [HeaderRule]
  /// The most octets of a value: 4,096.
  public var limit = 4_096

  /// Whether one of them carries the subject.
  private let carriesSubject: Bool

  /// Headers.
  public init(_ rules: [HeaderRule]) {
    self.rules = rules
    carriesSubject = rules.contains { $0.claims.contains(GateClaim.subject) }
  }

  /// The headers for a subject; for nobody they are empty.
  ///
  /// - Throws: `gate.subject-missing`, `gate.header-too-large`, `gate.groups-overage`.
  public func fields(_ subject: GateSubject?) throws(TokenError) -> HTTPFields {
    // An identity token, Cookie and Cache-Control may follow.
    var fields = HTTPFields(capacity: rules.count + 3)
    for rule in rules {
      try fields.append(
        rule.name,
        subject.map { subject throws(TokenError) in
          try value(rule, subject)
        } ?? "")
    }
    return fields
  }

  private func value(_ rule: HeaderRule, _ subject: GateSubject) throws(TokenError) -> String {
    let counts = rule.counted.contains(subject.provider)
    var values = counts ? subject.values(of: rule.claims, .header) : []
    guard !values.isEmpty || !isName(rule) else {
      // An application takes an empty name for nobody, or for everybody.
      throw TokenError(.gateSubjectMissing, node: rule.name)
    }
    if values.isEmpty, counts, rule.claims.contains(where: GateClaim.isGroups), subject.lacksGroups
    {
      throw TokenError(.gateGroupsOverage, node: rule.name)
    }
    if let only = rule.only { values = values.filter { only.containsBytes(of: $0) } }
    var isSubject = subject.isEscaped && rule.claims.contains(GateClaim.subject)
    if subject.isEscaped, !isSubject, isName(rule), rule.counted.mayBeSeveral {
      // Of several providers each can name anybody.
      values = values.map { GatePeople.byProvider.subject($0, at: subject.provider) }
      isSubject = true
    }
    let text = (isSubject ? values : values.map(Self.escaped)).joined(separator: ",")
    guard text.utf8.count <= limit else {
      throw TokenError(
        .gateHeaderTooLarge, node: rule.name, expected: "at most \(limit) bytes",
        found: "\(text.utf8.count) bytes, \(values.count) values")
    }
    return text
  }

  /// Whether the application knows the person by this header: it carries the subject or, where no header does, a login
  /// name.
  private func isName(_ rule: HeaderRule) -> Bool {
    rule.claims.contains(GateClaim.subject)
      || !carriesSubject && rule.claims.contains(where: GateClaim.isLoginName)
  }

  /// Visible ASCII as it is but `,` and `%`; every other octet percent-encoded.
  private static func escaped(_ value: String) -> String {
    PercentEncoding.encode(value) {
      $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") && $0 != ASCII.percent
    }
  }

  /// The names among a client's own that an application might take for one of ours: compared without case, every
  /// other character than letters and digits alike (GATE-2).
  public func imitations(in fields: HTTPFields) -> [String] {
    let reserved = Set(rules.map { HeaderSpelling.folded($0.name) })
    return fields.list.map(\.name).filter { reserved.contains(HeaderSpelling.folded($0)) }
  }
}
