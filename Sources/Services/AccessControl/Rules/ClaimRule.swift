public import Claims
import Octets

/// A rule that turns claims into claims of the token service.
///
///     // Whoever has this address at the provider is an editor.
///     ClaimRule(
///       ClaimCondition(.provider("Google"), type: .emailAddress, value: "mia@example.org"),
///       outputType: .role, outputValue: "editor")
public struct ClaimRule: Hashable, Sendable {
  /// What it applies to.
  public let input: ClaimCondition
  /// A second claim that has to be there as well; nil for none.
  public let second: ClaimCondition?
  /// The type of what it gives; nil for that of the input claim.
  public let outputType: ClaimType?
  /// The value of what it gives; nil for that of the input claim.
  public let outputValue: String?
  /// For whom it is; nil for everybody, except where it looks at claims of the service: see ``RuledSubjects``.
  public let appliesTo: RuledSubjects?
  /// A remark for people.
  public let note: String

  /// A rule. Without an output type and value it passes the claim on.
  public init(
    _ input: ClaimCondition, and second: ClaimCondition? = nil, outputType: ClaimType? = nil,
    outputValue: String? = nil, to subjects: RuledSubjects? = nil, note: String = ""
  ) {
    self.appliesTo = subjects
    self.input = input
    self.second = second
    self.outputType = outputType
    self.outputValue = outputValue
    self.note = note
  }
}

extension ClaimRule {
  /// The note of a rule that "Generate" makes.
  static func generatedNote(_ type: ClaimType, _ provider: String) -> String {
    "passes \(type) of \(provider) on"
  }

  /// Whether "Generate" made the rule, and it was not changed since.
  var isGenerated: Bool {
    guard let type = input.type, case .provider(let id) = input.issuer, input.value == nil,
      second == nil, outputType == nil, outputValue == nil
    else { return false }
    return note == Self.generatedNote(type, id)
  }
}

/// What a claim has to be for a rule to apply to it.
public struct ClaimCondition: Hashable, Sendable {
  /// Whose claim it is.
  public let issuer: RuleIssuer
  /// Its type; nil for any.
  public let type: ClaimType?
  /// Its value, octet for octet; nil for any.
  public let value: String?

  /// A condition.
  public init(_ issuer: RuleIssuer, type: ClaimType? = nil, value: String? = nil) {
    self.issuer = issuer
    self.type = type
    self.value = value
  }

  /// By octets, as claims are compared.
  public static func == (left: Self, right: Self) -> Bool {
    left.issuer == right.issuer && left.type == right.type
      && left.value.hasSameBytes(as: right.value)
  }
}

/// Whose claims a rule looks at.
public enum RuleIssuer: Hashable, Sendable {
  /// An identity provider's, by the value of its identity provider claim, such as `Google`.
  case provider(String)
  /// Those that other rules gave: Access Control Service itself.
  case service

  /// The provider's name; nil for the service itself.
  public var name: String? {
    switch self {
    case .provider(let name): name
    case .service: nil
    }
  }

  /// By octets, as claims are compared.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.provider(let one), .provider(let other)): one.hasSameBytes(as: other)
    case (.service, .service): true
    case (.provider, .service), (.service, .provider): false
    }
  }
}

/// For whom a rule is: people, who signed in at an identity provider, or service identities.
///
/// A rule on claims of the service itself, such as the name of a service identity, is for service identities unless it
/// says otherwise. Of a person it sees only what rules granted: a value that a rule of the file fixes. What a provider
/// says passes on and does not become the service's own word, so that no person gets the rights of a service identity by
/// having its name.
public enum RuledSubjects: String, Hashable, Sendable, CaseIterable {
  /// People alone.
  case people
  /// Service identities alone.
  case services
}

/// Rules under one name. A relying party uses several groups, and a group serves several relying parties.
public struct RuleGroup: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The rules; their order decides nothing but the order of what they give.
  public var rules: [ClaimRule]

  /// A group.
  public init(_ name: String, rules: [ClaimRule] = []) {
    self.name = name
    self.rules = rules
  }

  /// Adds what "Generate" makes of a provider: a rule for each type of claim that it offers, which passes the claim
  /// on. Rules that are there already stay alone.
  public mutating func generate(for offer: ClaimOffer) {
    var known = Set(rules)
    if offer.types.isEmpty {
      let rule = ClaimRule(
        ClaimCondition(.provider(offer.id)), note: "passes every claim of \(offer.id) on")
      if known.insert(rule).inserted { rules.append(rule) }
    }
    for type in offer.types {
      let rule = ClaimRule(
        ClaimCondition(.provider(offer.id), type: type),
        note: ClaimRule.generatedNote(type, offer.id))
      if known.insert(rule).inserted { rules.append(rule) }
    }
  }
}

/// An identity provider as rules see it: its name, and the types of claims that it sends.
public struct ClaimOffer: Hashable, Sendable {
  /// The value of the identity provider claim, which is also `whr`.
  public let id: String
  /// The types, in the order of its documentation or metadata; empty where it is not known what the provider sends.
  public let types: [ClaimType]

  /// A provider of these types, such as those that federation metadata offers.
  public init(id: String, types: [ClaimType]) {
    self.id = id
    self.types = types
  }

  /// Windows Live ID: an identifier that differs from namespace to namespace, and nothing else.
  public static let windowsLive = Self(id: "uri:WindowsLiveID", types: [.nameIdentifier])
  /// Google.
  public static let google = Self(id: "Google", types: [.nameIdentifier, .emailAddress, .name])
  /// Yahoo!
  public static let yahoo = Self(id: "Yahoo!", types: [.nameIdentifier, .emailAddress, .name])

  /// A Facebook application: with the access token, and when that ends.
  public static func facebook(application: String) -> Self {
    Self(
      id: "Facebook-" + application,
      types: [
        .nameIdentifier, .emailAddress, .name, ClaimType(ClaimType.windowsPrefix + "expiration"),
        .facebookAccessToken,
      ])
  }
}

/// Short names of claim types, so that a file reads well: `emailaddress` for the URI that ends so.
enum ClaimShorthand {
  static func type(_ name: String) -> ClaimType {
    if identity.contains(where: { $0.hasSameBytes(as: name) }) {
      return ClaimType(ClaimType.identityPrefix + name)
    }
    if windows.contains(where: { $0.hasSameBytes(as: name) }) {
      return ClaimType(ClaimType.windowsPrefix + name)
    }
    return ClaimType(name)
  }

  /// The short name of a type, or its whole one.
  static func name(of type: ClaimType) -> String {
    for (prefix, names) in [
      (ClaimType.identityPrefix, identity), (ClaimType.windowsPrefix, windows),
    ] where type.name.hasPrefix(prefix) {
      let name = String(type.name.dropFirst(prefix.count))
      if names.contains(where: { $0.hasSameBytes(as: name) }) { return name }
    }
    return type.name
  }

  /// All short names.
  static var names: [String] { identity + windows }

  private static let identity = [
    "nameidentifier", "name", "emailaddress", "givenname", "surname", "upn", "dateofbirth",
    "gender",
    "country", "locality", "streetaddress", "postalcode", "mobilephone", "webpage",
    "privatepersonalidentifier",
  ]
  private static let windows = [
    "role", "expiration", "groupsid", "primarysid", "windowsaccountname", "authenticationmethod",
    "authenticationinstant", "userdata",
  ]
}
