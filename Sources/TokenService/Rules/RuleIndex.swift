import Claims

/// Finds conditions by what they ask for, without a look at those that ask for something else.
struct RuleIndex: Sendable {
  /// What a condition asks for; octets, as texts that are spelled differently are different values.
  private struct Key: Hashable {
    let issuer: RuleIssuer
    let type: ClaimType?
    let value: [UInt8]?
  }

  /// Which parts a condition asks for; most groups have conditions of one or two kinds.
  private struct Kind: Hashable {
    let hasType: Bool
    let hasValue: Bool
  }

  private var numbers: [Key: [Int]] = [:]
  /// The kinds that there are, the narrowest first.
  private let kinds: [Kind]

  /// - Parameter conditions: Found by their place; nil is never found.
  init(_ conditions: [ClaimCondition?]) {
    var present: Set<Kind> = []
    for case (let number, let condition?) in conditions.enumerated() {
      let key = Key(
        issuer: condition.issuer, type: condition.type,
        value: condition.value.map { Array($0.utf8) })
      numbers[key, default: []].append(number)
      present.insert(Kind(hasType: key.type != nil, hasValue: key.value != nil))
    }
    let all = [(true, true), (true, false), (false, true), (false, false)]
    kinds = all.map { Kind(hasType: $0.0, hasValue: $0.1) }.filter(present.contains)
  }

  /// The conditions that such a claim meets: by type and value, by one of them, or by none.
  func matches(_ issuer: RuleIssuer, _ type: ClaimType, _ value: String) -> [Int] {
    var found: [Int] = []
    for kind in kinds {
      let key = Key(
        issuer: issuer, type: kind.hasType ? type : nil,
        value: kind.hasValue ? Array(value.utf8) : nil)
      if let numbers = numbers[key] { found += numbers }
    }
    return found
  }
}
