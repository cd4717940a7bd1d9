extension SettingsDescription {
  /// The table of the members for the documentation, in Markdown.
  ///
  /// - Parameter path: The objects that lead to the members, such as `["issuers", "remote"]`: names of members, and of a
  ///   kind behind a list of several kinds. Empty for the file.
  /// - Returns: nil where the path leads nowhere.
  package func table(at path: [String] = []) -> String? {
    guard let name = path.first else {
      return (["| member | meaning | default |", "| --- | --- | --- |"] + rows(behind: ""))
        .joined(separator: "\n")
    }
    guard let member = members.first(where: { $0.name == name }) else { return nil }
    switch member.shape.inner {
    case .object(let description): return description.table(at: Array(path.dropFirst()))
    case .kinds(let kinds):
      let kind = kinds.first { $0.kind.name == path.dropFirst().first }
      return kind?.description.table(at: Array(path.dropFirst(2)))
    default: return nil
    }
  }

  private func rows(behind prefix: String) -> [String] {
    members.filter { $0.name != SettingsObject.schema }.flatMap { (member) -> [String] in
      let standard = member.isRequired ? "required" : member.without ?? ""
      let row = "| `\(prefix)\(member.name)` | \(member.words) | \(standard) |"
      guard case .object(let description) = member.shape else { return [row] }
      return [row] + description.rows(behind: "\(prefix)\(member.name).")
    }
  }
}

extension SettingShape {
  /// The shape of the elements of a list.
  fileprivate var inner: SettingShape { if case .list(let item, _) = self { item } else { self } }
}
