import Octets

/// The file of the rule groups that the admin pages changed: `{"ruleGroups": […]}`, as in the service's file, a rule a
/// line.
public enum RuleGroupFile {
  /// The file.
  public static func octets(_ groups: [RuleGroup]) -> [UInt8] {
    var lines = ["{\"ruleGroups\": ["]
    for (number, group) in groups.enumerated() {
      lines.append("  {\"name\": \(quoted(group.name)), \"rules\": [")
      for (number, rule) in group.rules.enumerated() {
        lines.append("    " + text(rule) + (number + 1 < group.rules.count ? "," : ""))
      }
      lines.append("  ]}" + (number + 1 < groups.count ? "," : ""))
    }
    lines.append("]}")
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  /// Reads the file beside the service's file, whose providers and groups it has to name.
  public static func read(
    _ octets: [UInt8], beside file: ServiceFile
  ) -> (groups: [RuleGroup], errors: [TokenError]) {
    do throws(TokenError) {
      let json = try JSONParser.parse(octets)
      var reader = ServiceFileReader(octets, providers: file.providers.map(\.id))
      let groups = reader.readChanges(json, file.ruleGroups.map(\.name))
      return (groups, reader.errors)
    } catch {
      return ([], [ServiceFile.syntaxError(error)])
    }
  }

  private static func text(_ rule: ClaimRule) -> String {
    var members = ["\"if\": " + text(rule.input)]
    if let second = rule.second { members.append("\"and\": " + text(second)) }
    if let type = rule.outputType { members.append("\"type\": " + quoted(type.name)) }
    if let value = rule.outputValue { members.append("\"value\": " + quoted(value)) }
    if let subjects = rule.appliesTo { members.append("\"to\": " + quoted(subjects.rawValue)) }
    if !rule.note.isEmpty { members.append("\"note\": " + quoted(rule.note)) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func text(_ condition: ClaimCondition) -> String {
    var members = ["\"from\": " + quoted(condition.issuer.name ?? "acs")]
    if let type = condition.type { members.append("\"type\": " + quoted(type.name)) }
    if let value = condition.value { members.append("\"value\": " + quoted(value)) }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func quoted(_ text: String) -> String {
    var json = JSONWriter(capacity: text.utf8.count + 16)
    json.string(text)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
