import TokenErrors
import XMLTree

extension SAMLMutator {
  /// References that do not name the element with the signature, or not only that one.
  func addReferences() {
    guard let reference = message.inSignature("Reference"),
      let uri = value("URI", of: reference), uri.hasPrefix("#")
    else { return }
    let id = String(uri.dropFirst())
    let escaped = id.utf8.first.map { first in
      "#%" + String(first, radix: 16) + id.dropFirst()
    }
    for (label, attacks, other) in [
      ("bare-hash", ["REF-3"], "#"),
      ("two-hashes", ["REF-3"], "##" + id), ("no-hash", ["REF-3"], id),
      ("space", ["REF-3"], "# " + id), ("space-behind", ["REF-3", "REF-15"], uri + " "),
      ("xpointer-root", ["REF-4"], "#xpointer(/)"),
      ("xpointer-id", ["REF-4"], "#xpointer(id('\(id)'))"),
      ("element-scheme", ["REF-4"], "#element(/1)"),
      ("http", ["REF-5"], "http://127.0.0.1:9/x"), ("file", ["REF-5"], "file:///etc/passwd"),
      ("data", ["REF-5"], "data:,x"), ("document", ["REF-5"], "other.xml#" + id),
      ("percent-escape", ["REF-6"], escaped ?? ""),
      ("xpath-injection", ["REF-7"], "\(uri)&quot; or &quot;1&quot;=&quot;1"),
      ("xpath-union", ["REF-7"], "\(uri)']|//*[@x='"), ("absent", ["REF-8"], "#_nobody"),
      ("longer", ["REF-15"], uri + "x"),
    ] {
      list.add(
        "reference/\(label)", "the reference names something else", attacks, .referenceURI,
        edited(setting("URI", other, of: reference)))
    }
    // A reference to the whole document is allowed, but was not signed.
    list.add(
      "reference/empty", "the reference names the whole document", ["REF-1"],
      text.elements[message.signedElement].parent == nil ? .signatureInvalid : .referenceURI,
      edited(setting("URI", "", of: reference)))
    list.add(
      "reference/no-URI", "the reference names nothing", ["REF-2"], .referenceURI,
      edited(text.removingAttribute("URI", of: reference)))
    list.add(
      "reference/none", "the signature covers nothing", ["REF-19"], .referenceCount,
      edited(removing(reference)))
    list.add(
      "reference/two", "the signature covers two things", ["REF-20"], .referenceCount,
      edited(repeating(reference)))
    let many = String(repeating: message.whole(reference), count: 65)
    list.add(
      "reference/many", "the signature covers 65 things", ["REF-20", "DOS-13"], .tooManyReferences,
      edited(XMLText.Edit(text.elements[reference].whole, many)))
    list.add(
      "reference/manifest", "the reference is of the type Manifest", ["REF-21"], .referenceType,
      edited(
        text.addingAttribute(
          "Type=\"\(MessageText.signatureNamespace)Manifest\"", to: reference)))
    list.add(
      "reference/unknown-attribute", "the reference has an attribute that it cannot have",
      ["DSIG-7"], .signatureStructure, edited(text.addingAttribute("URL=\"#x\"", to: reference)))
  }
}
