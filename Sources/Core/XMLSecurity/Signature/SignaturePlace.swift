package import XMLTree

/// The position of the Signature in a signed element by its schema. Some issuers put it elsewhere,
/// which does not change what it covers.
package enum SignaturePlace: Sendable {
  /// Before every other child.
  case first
  /// After the first child if that has this name, else before every other child.
  case behind(ExpandedName)
  /// After every other child.
  case last

  /// Whether `signature`, a child of `element`, is at this position.
  func isPlace(of signature: Element, in element: Element) -> Bool {
    guard var children = try? ChildReader(element), let first = children.takeAny() else {
      return false
    }
    switch self {
    case .first:
      return first.isSameNode(as: signature)
    case .behind(let name):
      guard first.isNamed(name) else {
        return first.isSameNode(as: signature) && children.next?.isNamed(name) != true
      }
      return children.next?.isSameNode(as: signature) ?? false
    case .last:
      var last = first
      while let child = children.takeAny() { last = child }
      return last.isSameNode(as: signature)
    }
  }
}
