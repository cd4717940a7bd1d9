import Claims
import TokenErrors
import XMLTree

/// Reads the conditions of either version, which differ in names alone.
struct ConditionsReader {
  let restriction: ExpandedName
  let audience: ExpandedName
  /// Conditions that are understood and ask nothing of a reader who uses the token once, at once.
  let harmless: [ExpandedName]

  /// - Throws: `time.malformed`, `xml.*`.
  func read(_ element: Element, into content: inout AssertionContent) throws(TokenError) {
    var conditions = AssertionContent.Conditions(place: element.place)
    conditions.notBefore = try element.instant(AttributeName.notBefore)
    conditions.notOnOrAfter = try element.instant(AttributeName.notOnOrAfter)
    try element.forEachChild { condition throws(TokenError) in
      if condition.isNamed(restriction) {
        var audiences = try ChildReader(condition)
        conditions.audiences.beginRestriction()
        while let next = audiences.take(audience) {
          conditions.audiences.append(try content.collapsedText(of: next))
        }
        try audiences.finish()
      } else if !harmless.contains(where: condition.isNamed) {
        conditions.unknown.append(condition.localName)
      }
    }
    content.conditions = conditions
  }
}
