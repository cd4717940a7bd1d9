import SecurityKeys
import TestSupport
import Testing

@testable import AccessControl

@Suite("Editors that keep changed rules in one place")
struct RuleEditorTests {
  /// An editor of two groups, and the namespace that it changes.
  private struct Desk {
    let editor: RuleEditor
    let store: NamespaceStore

    init(_ box: KeptRules) throws {
      let editor = RuleEditor(
        [RuleGroup("one"), RuleGroup("two")], changed: box.groups, read: { box.groups },
        write: { (groups) throws(TokenError) in try box.write(groups) })
      self.editor = editor
      store = NamespaceStore(
        try ServiceNamespace(
          issuer: "https://acs.example/", relyingParties: [], providers: [],
          ruleGroups: editor.groups, keys: NamespaceKeys()))
    }

    /// Adds a rule to a group, as a page that shows it now does.
    func add(_ type: ClaimType, to name: String) throws {
      let group = try #require(editor.groups.first { $0.name == name })
      try editor.change(name, version: RuleEditor.version(of: group), in: store) { rules in
        rules + [ClaimRule(ClaimCondition(.service, type: .nameIdentifier), outputType: type)]
      }
    }

    /// The types that rules of the namespace give.
    var types: [String] {
      store.current.ruleGroups.flatMap(\.rules).compactMap { $0.outputType?.name }
    }
  }

  private let box = KeptRules()
  private var kept: [String] { box.groups.map(\.name) }

  @Test("A change that another editor kept meanwhile is not written over, and holds from then on")
  func twoEditors() throws {
    let (first, second) = (try Desk(box), try Desk(box))
    try first.add("urn:a", to: "one")
    #expect(throws: TokenError(.issuingRulesChanged)) { try second.add("urn:b", to: "two") }
    #expect(kept == ["one"] && second.types == ["urn:a"])
    // Once the person has seen that, the change is taken.
    try second.add("urn:b", to: "two")
    #expect(kept == ["one", "two"] && second.types == ["urn:a", "urn:b"])
  }

  @Test("An editor that was made after the change of another keeps both")
  func oneAfterTheOther() throws {
    try Desk(box).add("urn:a", to: "one")
    let second = try Desk(box)
    try second.add("urn:b", to: "two")
    #expect(kept == ["one", "two"] && second.types == ["urn:a", "urn:b"])
    #expect(try !second.editor.refresh(in: second.store))
  }

  @Test(
    "What was kept since an editor was made holds once it looks, and a retired one keeps no more")
  func replaced() throws {
    let (former, next) = (try Desk(box), try Desk(box))
    try former.add("urn:a", to: "one")
    former.editor.retire()
    #expect(try next.editor.refresh(in: next.store))
    #expect(next.types == ["urn:a"])
    #expect(throws: TokenError(.issuingRulesChanged)) { try former.add("urn:b", to: "two") }
    #expect(kept == ["one"])
    try next.add("urn:b", to: "two")
    #expect(kept == ["one", "two"])
  }
}
