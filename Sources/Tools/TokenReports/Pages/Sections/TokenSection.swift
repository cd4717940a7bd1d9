import Claims
import Federation
import SAML
import XMLTree

/// All that a page says about one token.
struct TokenSection: PageSection {
  private let number: Int
  private let count: Int
  private let subject: PageSubject
  private let layers: WireLayers
  private let covered: CoveredDocument?
  private let decrypted: CoveredDocument?
  private let disclosure: Disclosure

  init(_ subject: PageSubject, number: Int, of count: Int, showsValues: Bool) {
    self.number = number
    self.count = count
    self.subject = subject
    layers = WireLayers(subject.octets, as: subject.pinned, limits: subject.trust.limits)
    let saml = subject.samlToken
    let read = saml?.shownAssertion
    // The document of the token, so that elements of both are the same.
    let document = (read ?? saml?.shownCiphertext)?.document ?? layers.document
    covered = document.map { CoveredDocument($0, reading: read, subject) }
    decrypted = Self.decrypted(subject).map {
      CoveredDocument($0.document, reading: $0, subject)
    }
    var disclosure = Disclosure(showsValues: showsValues)
    disclosure.conceal(
      ConcealedValues.of(layers) + (decrypted.map { ConcealedValues.of($0.document) } ?? [])
        + Self.claims(subject))
    self.disclosure = disclosure
  }

  private static func decrypted(_ subject: PageSubject) -> Element? {
    guard subject.hasProvenOrigin, let token = subject.samlToken else { return nil }
    return token.decryptedAssertion(
      subject.trust.privateKeys,
      exceptions: subject.trust.issuers.reduce(into: []) { $0.formUnion($1.exceptions) },
      limits: subject.trust.limits)
  }

  /// The values of claims, which may have been decrypted.
  private static func claims(_ subject: PageSubject) -> [String] {
    guard case .accepted(let content) = subject.verdict else { return [] }
    // Those of the sign-in are shown.
    let shown: [ClaimType] = [.authenticationInstant, .authenticationMethod]
    return content.claims.prefix(PageLimits.knownValues).filter { !shown.contains($0.type) }
      .map(\.value)
  }

  private func anchor(_ name: StaticString) -> PageAnchor { PageAnchor(token: number, name: name) }

  func write(to page: inout HTMLWriter) {
    page.element(.section, .labelledBy(anchor("token"))) { page in
      page.element(
        .h2, .id(anchor("token")),
        text: (count == 1 ? "The token" : "Token \(number) of \(count)")
          + (subject.file.map { ": \($0)" } ?? ""))
      let verdict = VerdictSection(
        subject: subject, disclosure: disclosure, isAlone: count == 1)
      verdict.write(to: &page)
      glance(&page)
      verdict.writeRemarks(to: &page)
      contents(&page)
      parts(&page)
    }
  }

  /// What is signed, in a sentence.
  private func glance(_ page: inout HTMLWriter) {
    if let sentence = compactSentence { page.element(.p, .styled("sum"), text: sentence) }
    guard let covered, compactSentence == nil else { return }
    let summary = CoverageSummary(covered)
    guard isEncrypted else {
      page.element(.p, .styled(summary.isOdd ? "sum odd" : "sum"), text: summary.text)
      return
    }
    let inside = decrypted.map { decrypted in
      decrypted.coverages.isEmpty
        ? "It has no signature of its own." : "Inside: \(CoverageSummary(decrypted).text)"
    }
    let around = covered.coverages.isEmpty ? "" : " Around the ciphertext: \(summary.text)"
    page.element(
      .p, .styled("sum"),
      text: "The assertion is encrypted. \(inside ?? "What it holds is not shown.")\(around)")
  }

  /// What is signed of a token without XML, which may be in an envelope.
  private var compactSentence: String? {
    let isValid = isSignatureValid
    let around = covered == nil ? "" : " Nothing around it in the XML is signed."
    switch layers.innermost?.kind {
    case .pairs:
      return (isValid ? "A valid MAC covers all pairs." : "No valid MAC was found.") + around
    case .compactJWS:
      return
        (isValid ? coverageOfCompactToken : "No valid signature was found.") + around
    default: return nil
    }
  }

  private var coverageOfCompactToken: String {
    switch subject.token {
    case .success(.encryptedJWT): "A valid signature covers the token inside of the encryption."
    case .success(.sdjwt):
      "A valid signature covers header, payload and the digests of what is disclosed."
    default: "A valid signature covers header and payload."
    }
  }

  private var isSignatureValid: Bool {
    subject.checks.contains { $0.name == .signature && $0.outcome == .passed }
  }

  private var isEncrypted: Bool { subject.samlToken?.shownCiphertext != nil }

  private func contents(_ page: inout HTMLWriter) {
    page.element(
      .p, .styled("note"),
      text: disclosure.showsValues
        ? "This page shows all values of the token: treat it like the token itself."
        : "Values of claims, names of subjects, digests, signatures and ciphertexts are masked: a dot for "
          + "each letter or digit. Issuer, audience, addresses, identifiers of messages, algorithms, times "
          + "and names of claims are shown.")
  }

  private func parts(_ page: inout HTMLWriter) {
    page.part(anchor("checks"), "Checks") { page in
      ChecksSection(subject: subject, disclosure: disclosure).write(to: &page)
    }
    page.part(anchor("clocks"), "Clocks") { page in
      let assertion =
        (decrypted ?? covered)?.read
        ?? (covered?.assertions.count == 1 ? covered?.assertions.first : nil)
      ClocksSection(
        times: TokenTimes(subject, assertion: assertion), now: subject.now,
        skew: Int64(subject.trust.skew)
      ).write(to: &page)
    }
    if let covered {
      page.part(anchor("document"), "Document") { page in
        DocumentSection(covered: covered, disclosure: disclosure).write(to: &page)
      }
      page.part(anchor("signatures"), "Signatures") { page in
        SignaturesSection(covered: covered).write(to: &page)
        CanonicalSection(covered: covered, disclosure: disclosure).write(to: &page)
      }
      if !EncryptionSection.parts(of: covered.document).isEmpty {
        page.part(anchor("encryption"), "Encrypted parts") { page in
          EncryptionSection(
            subject: subject, document: covered.document, decrypted: decrypted,
            disclosure: disclosure
          ).write(to: &page)
        }
      }
    }
    innermost(&page)
    page.part(anchor("claims"), "Claims") { page in
      ClaimsSection(subject: subject, covered: claimsDocument, disclosure: disclosure)
        .write(to: &page)
    }
    page.part(anchor("layers"), "Layers") { page in
      LayersSection(
        layers: layers,
        token: subject.samlToken.flatMap { $0.shownAssertion ?? $0.shownCiphertext }
          ?? covered?.assertions.first,
        disclosure: disclosure
      ).write(to: &page)
    }
  }

  /// The document with the claims of a SAML token.
  private var claimsDocument: CoveredDocument? {
    guard subject.samlToken != nil else { return nil }
    return decrypted ?? (isEncrypted ? nil : covered)
  }

  /// The token of a format without XML, or the octets of something else.
  private func innermost(_ page: inout HTMLWriter) {
    guard let layer = layers.innermost else { return }
    let isValid = isSignatureValid
    switch layer.kind {
    case .pairs:
      page.part(anchor("pairs"), "Pairs") { page in
        PairsSection(octets: layer.octets, isValid: isValid, disclosure: disclosure)
          .write(to: &page)
      }
    case .compactJWS:
      page.part(anchor("parts"), "Header, payload and signature") { page in
        CompactTokenSection(octets: layer.octets, isValid: isValid, disclosure: disclosure)
          .write(to: &page)
      }
    default:
      guard layers.document == nil else { return }
      page.part(anchor("octets"), "Octets") { page in
        OctetsSection(octets: layer.octets, disclosure: disclosure).write(to: &page)
      }
    }
  }
}
