import Octets

/// Comments and processing instructions.
extension Canonicalizer {
  func writeComment(
    _ tree: Tree, _ index: NodeIndex, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    startLeaf(tree, index, node, &output)
    output.append(literal: "<!--")
    Escaping.writeLineEnds(tree.octets, node.textRange, to: &output)
    output.append(literal: "-->")
    endLeaf(tree, index, node, &output)
  }

  func writeInstruction(
    _ tree: Tree, _ index: NodeIndex, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    startLeaf(tree, index, node, &output)
    output.append(literal: "<?")
    output.append(tree.vocabulary.bytes, tree.vocabulary[node.target])
    if !node.textRange.isEmpty {
      output.append(UInt8(ascii: " "))
      Escaping.writeLineEnds(tree.octets, node.textRange, to: &output)
    }
    output.append(literal: "?>")
    endLeaf(tree, index, node, &output)
  }

  /// Canonical XML 1.0, 2.3: outside the document element a line feed divides nodes, before it at the
  /// end of each, after it at the start.
  private func startLeaf(
    _ tree: Tree, _ index: NodeIndex, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    if node.parent == .document, index > tree.root { output.append(ASCII.lineFeed) }
  }

  private func endLeaf(
    _ tree: Tree, _ index: NodeIndex, _ node: Document.Node, _ output: inout OctetWriter
  ) {
    if node.parent == .document, index < tree.root { output.append(ASCII.lineFeed) }
  }
}
