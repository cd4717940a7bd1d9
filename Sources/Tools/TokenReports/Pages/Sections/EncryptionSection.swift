import Federation
import SAML
import XMLSecurity
import XMLTree

/// What is encrypted, before and after.
struct EncryptionSection: PageSection {
  let subject: PageSubject
  let document: Document
  /// The decrypted assertion, where the verdict allows to show it.
  let decrypted: CoveredDocument?
  let disclosure: Disclosure

  /// The encrypted parts.
  static func parts(of document: Document) -> [Element] {
    document.root.descendants(named: XEName.encryptedData)
  }

  func write(to page: inout HTMLWriter) {
    page.table(
      "Before: the encrypted parts", ["Where", "Algorithm", "Keys", "Ciphertext"]
    ) { page in
      for part in Self.parts(of: document).prefix(20) { row(part, &page) }
    }
    if let decrypted {
      page.element(.p, text: "After: the assertion, decrypted with a key of ours.")
      page.element(.p, .styled("sum"), text: plaintextSummary(decrypted))
      DocumentSection(covered: decrypted, disclosure: disclosure).write(to: &page)
      if !decrypted.coverages.isEmpty {
        SignaturesSection(covered: decrypted).write(to: &page)
        CanonicalSection(covered: decrypted, disclosure: disclosure).write(to: &page)
      }
    } else if subject.samlToken?.shownCiphertext != nil {
      page.element(.p, text: reason)
    } else {
      page.element(
        .p,
        text: "The claims that these parts hold are in the list of claims, if they were decrypted.")
    }
  }

  private func plaintextSummary(_ decrypted: CoveredDocument) -> String {
    guard decrypted.coverages.isEmpty else { return CoverageSummary(decrypted).text }
    return
      "The assertion has no signature of its own: the signature around it covers its ciphertext."
  }

  /// Why there is no plaintext.
  private var reason: String {
    subject.trust.decryptionKeys.isEmpty
      ? "After: nothing is shown, since no decryption key is configured."
      : "After: nothing is shown, since the checks did not prove who wrote it."
  }

  private func row(_ part: Element, _ page: inout HTMLWriter) {
    page.row { page in
      page.header { $0.value(part.path) }
      page.cell("Algorithm") { $0.value(method(of: part) ?? "not named") }
      page.cell("Keys") { page in
        let holder = part.parent.map { $0.localName == "EncryptedAssertion" ? $0 : part } ?? part
        let keys = holder.descendants(named: XEName.encryptedKey)
        page.text("\(keys.count)")
        for key in keys.prefix(8) {
          page.text(" ")
          page.value(method(of: key) ?? "not named")
        }
      }
      page.cell("Ciphertext") { page in
        let value = part.descendants { $0.localName == "CipherValue" }.last
        let count = (try? value?.textBytes().count) ?? 0
        page.text("\(count) characters of base64")
      }
    }
  }

  private func method(of part: Element) -> String? {
    let name = (try? part.children())?.first { $0.localName == "EncryptionMethod" }
    return name?.attribute(DSName.algorithm)
  }
}

/// A document with what its signatures cover.
struct DocumentSection: PageSection {
  let covered: CoveredDocument
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    page.element(.ul, .styled("key"), .label("What the marks of the document mean")) { page in
      page.element(.li, .styled("r signed"), text: "SIGNED: covered by a valid signature")
      page.element(
        .li, .styled("r broken"), text: "NOT VALID: a signature refers to it, but does not fit")
      page.element(.li, .styled("r bare"), text: "NOT SIGNED: covered by no signature")
    }
    page.element(
      .p, .styled("note"), text: "White space between elements is left out.")
    var view = DocumentView(covered, disclosure)
    view.write(to: &page)
  }
}
