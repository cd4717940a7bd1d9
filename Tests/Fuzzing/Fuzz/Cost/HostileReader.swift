import Federation
import SAML
import SecurityKeys
import TestSupport
import XMLSecurity
import XMLTree

/// Does with hostile input everything that a relying party may do, within the default limits.
struct HostileReader {
  private let trust: Trust
  private let now: Instant
  private let keys: [TrustedKey]

  init() {
    let vectors = TestVector.of("swt", "jwt", "saml20").filter { $0.allowed.isEmpty && $0.accepts }
    let world = World.of(vectors, at: "2030-01-01T12:00:00Z", Expectations())
    trust = world.trust
    now = world.now
    keys = world.trust.issuers.flatMap(\.keys)
  }

  /// The code of the refusal, or that the input was accepted.
  func read(_ octets: [UInt8], _ reader: HostileFamily.Reader) -> String {
    do throws(TokenError) {
      switch reader {
      case .token: try token(octets, nil)
      case .swt: try token(octets, .swt)
      case .jwt: try token(octets, .jwt)
      case .canonicalForms: try canonicalForms(octets)
      case .signatures: try signatures(octets)
      case .metadata: try metadata(octets)
      case .trustFile: _ = try TrustFile(parsing: octets, files: MemoryFiles()).get()
      }
      return "read"
    } catch {
      return error.code.rawValue
    }
  }

  private func token(_ octets: [UInt8], _ pinned: PinnedFormat?) throws(TokenError) {
    let token = try AnyToken(reading: octets, as: pinned)
    // For display, every check and every claim is reported.
    let report = TokenValidator(trust).report(on: token, at: now)
    _ = token.unverifiedClaims.grouped
    _ = try report.get()
  }

  private func canonicalForms(_ octets: [UInt8]) throws(TokenError) {
    let document = try Document(parsing: octets)
    _ = try IdentifierIndex(document)
    for method in [
      CanonicalizationMethod(.inclusive10), CanonicalizationMethod(.inclusive11),
      CanonicalizationMethod(.exclusive, withComments: true, inclusivePrefixes: Self.prefixes),
    ] {
      _ = Canonicalizer.octets(document.root.subtree, method)
    }
    // The innermost element has the most around it.
    if let last = document.root.descendants(where: { _ in true }).last {
      _ = Canonicalizer.octets(last.subtree, CanonicalizationMethod(.inclusive11))
    }
  }

  private func signatures(_ octets: [UInt8]) throws(TokenError) {
    let document = try Document(parsing: octets)
    _ = try DocumentSignatures.verify(
      document, identifiers: IdentifierIndex(document, .named([])), keys: KeyRing(keys), at: now,
      limits: Limits())
  }

  private func metadata(_ octets: [UInt8]) throws(TokenError) {
    var linter = try MetadataLinter(at: now)
    var reader = try MetadataReader()
    var failure: TokenError?
    do throws(TokenError) {
      _ = try linter.consume(octets)
      _ = try linter.finish()
    } catch {
      failure = error
    }
    _ = try reader.consume(octets)
    _ = try reader.finish()
    if let failure { throw failure }
  }

  private static let prefixes = ["#default"] + (0..<63).map { "p\($0)" }
}
