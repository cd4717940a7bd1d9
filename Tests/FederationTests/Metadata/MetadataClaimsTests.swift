import Federation
import SAML
import TestSupport
import Testing

/// An entity's statements about itself, which add no trust.
@Suite("Metadata's statements about itself")
struct MetadataClaimsTests {
  static let extensions: [(String, String)] = [
    (
      "META-10",
      #"<s:Scope xmlns:s="urn:mace:shibboleth:metadata:1.0" regexp="true">.*</s:Scope>"#
    ),
    (
      "META-10",
      #"<s:Scope xmlns:s="urn:mace:shibboleth:metadata:1.0" regexp="true">(a+)+$</s:Scope>"#
    ),
    ("META-10", #"<s:Scope xmlns:s="urn:mace:shibboleth:metadata:1.0">com</s:Scope>"#),
    (
      "META-11",
      """
      <e:EntityAttributes xmlns:e="urn:oasis:names:tc:SAML:metadata:attribute">\
      <a:Attribute xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" \
      Name="http://macedir.org/entity-category"><a:AttributeValue>\
      http://refeds.org/category/research-and-scholarship</a:AttributeValue></a:Attribute>\
      </e:EntityAttributes>
      """
    ),
  ]

  @Test(
    "META-10, META-11: a scope or a category adds no key, no issuer and no claim",
    arguments: extensions)
  func ignored(entry: String, extensions: String) throws {
    let plain = LintTests.sound
    let old = "<s:Scope regexp=\"false\">a.example</s:Scope>"
    #expect(plain.contains(old))
    let changed = plain.replacing(old, with: extensions)
    func trusts(_ text: String) throws -> [String] {
      var known: Set<[UInt8]> = []
      return try MetadataTrust().issuers(inFile: "m", of: OneFile(text: text), known: &known)
        .map { "\($0.name) \($0.formats.map(\.name).sorted()) \($0.keys.map(\.key.fingerprint))" }
    }
    #expect(try trusts(plain).count == 2)
    #expect(try trusts(changed) == trusts(plain))
  }

  private struct OneFile: FileSource {
    let text: String
    func read(_ path: String) throws(TokenError) -> [UInt8] { Array(text.utf8) }
  }
}
