package import XMLTree

/// Where the schema of a signed element has its Signature. Some issuers put it elsewhere, which changes
/// nothing of what it covers.
package enum SignaturePlace: Sendable {
  /// Before every other child.
  case first
  /// Behind the first child if that has this name, before every other child if not.
  case behind(ExpandedName)
  /// Behind every other child.
  case last

  /// Whether `signature`, a child of `element`, stands there.
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
