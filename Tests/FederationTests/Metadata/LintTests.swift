import Federation
import Foundation
import TestSupport
import Testing

/// Every rule has a change to a sound file that breaks it. The sound file has no finding: it is the
/// twin of each.
@Suite("Metadata lint")
struct LintTests {
  struct Sample: Sendable, CustomStringConvertible {
    let rule: Int
    let old: String
    let new: String
    var at = LintTests.at
    var description: String { LintTests.id(rule) }
  }

  static let at = "2030-01-01T12:00:00Z"

  static func id(_ rule: Int) -> String { String(format: "META-L%02d", rule) }

  static func certificate(_ name: String) -> String {
    String(decoding: TestVector.bytes("keys/\(name).crt"), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
  }

  static func key(_ name: String, _ use: String) -> String {
    "<KeyDescriptor use=\"\(use)\"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>"
      + certificate(name) + "</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>"
  }

  static let saml = "urn:oasis:names:tc:SAML:2.0:"
  static let idpKey = key("idp-rsa", "signing")

  static let endpoints = """
    <f:SecurityTokenServiceEndpoint>\
    <EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>https://b.example/sts\
    </Address></EndpointReference></f:SecurityTokenServiceEndpoint><f:PassiveRequestorEndpoint>\
    <EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>https://b.example/f\
    </Address></EndpointReference></f:PassiveRequestorEndpoint>
    """

  static let sound = """
    <EntitiesDescriptor xmlns="\(saml)metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" \
    xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui" xmlns:s="urn:mace:shibboleth:metadata:1.0" \
    ID="_m" validUntil="2030-01-08T00:00:00Z" cacheDuration="PT6H"><ds:Signature><ds:SignedInfo>\
    <ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>\
    <ds:Reference URI="#_m"><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>\
    </ds:Reference></ds:SignedInfo></ds:Signature><EntityDescriptor entityID="https://a.example/idp" \
    validUntil="2030-01-07T00:00:00Z"><Extensions><s:Scope regexp="false">a.example</s:Scope>\
    <mdui:UIInfo><mdui:DisplayName>A</mdui:DisplayName><mdui:Logo>https://a.example/l</mdui:Logo>\
    </mdui:UIInfo></Extensions><IDPSSODescriptor protocolSupportEnumeration="\(saml)protocol">\
    \(idpKey)\(key("idp-ec256", "encryption"))<SingleLogoutService \
    Binding="\(saml)bindings:HTTP-POST" Location="https://a.example/out" \
    ResponseLocation="https://a.example/outed"/><SingleSignOnService \
    Binding="\(saml)bindings:HTTP-POST" Location="https://a.example/sso"/></IDPSSODescriptor>\
    <Organization/><ContactPerson contactType="technical"/></EntityDescriptor>\
    <EntityDescriptor entityID="urn:b"><SPSSODescriptor WantAssertionsSigned="true" \
    protocolSupportEnumeration="\(saml)protocol">\(key("rp-rsa", "encryption"))\
    <AssertionConsumerService index="0" isDefault="true" Binding="\(saml)bindings:HTTP-POST" \
    Location="https://b.example/0"/><AssertionConsumerService index="1" \
    Binding="\(saml)bindings:HTTP-POST" Location="https://b.example/1"/></SPSSODescriptor>\
    <RoleDescriptor xmlns:i="http://www.w3.org/2001/XMLSchema-instance" \
    xmlns:f="http://docs.oasis-open.org/wsfed/federation/200706" i:type="f:SecurityTokenServiceType" \
    protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706">\
    \(key("other-rsa", "signing"))\(endpoints)</RoleDescriptor>\
    <Organization/><ContactPerson contactType="support"/></EntityDescriptor></EntitiesDescriptor>
    """

  static let sso = "Location=\"https://a.example/sso\""

  static let samples: [Sample] = [
    Sample(rule: 1, old: "validUntil=\"2030-01-07T", new: "validUntil=\"soonT"),
    Sample(rule: 3, old: "entityID=\"urn:b\"", new: "entityID=\"https://a.example/idp\""),
    Sample(rule: 4, old: key("other-rsa", "signing"), new: idpKey),
    Sample(rule: 5, old: "ds:Signature>", new: "Extensions>"),
    Sample(rule: 6, old: "URI=\"#_m\"", new: "URI=\"#_n\""),
    Sample(rule: 7, old: "URI=\"#_m\"", new: "URI=\"\""),
    Sample(rule: 8, old: "2001/04/xmldsig-more#rsa-sha256", new: "2000/09/xmldsig#rsa-sha1"),
    Sample(rule: 9, old: "validUntil=\"2030-01-08T00:00:00Z\"", new: ""),
    Sample(rule: 10, old: "validUntil=\"2030-01-08T", new: "validUntil=\"9999-01-08T"),
    Sample(rule: 11, old: "cacheDuration=\"PT6H\"", new: ""),
    Sample(rule: 12, old: "validUntil=\"2030-01-07T", new: "validUntil=\"2030-01-01T"),
    Sample(rule: 13, old: "validUntil=\"2030-01-07T", new: "validUntil=\"2030-01-09T"),
    Sample(rule: 14, old: "PT6H", new: "P0D"), Sample(rule: 14, old: "PT6H", new: "-PT1S"),
    Sample(rule: 15, old: "PT6H", new: "P1Y"),
    Sample(rule: 16, old: "entityID=\"urn:b\"", new: "entityID=\"b\""),
    Sample(rule: 17, old: "entityID=\"urn:b\"", new: "entityID=\"urn:b \""),
    Sample(rule: 18, old: "IDPSSODescriptor", new: "Organization"),
    Sample(
      rule: 19, old: "<Organization/><ContactPerson contactType=\"s",
      new: "<ContactPerson contactType=\"s"),
    Sample(rule: 20, old: "contactType=\"technical\"", new: "contactType=\"billing\""),
    Sample(
      rule: 21, old: "<Organization/><ContactPerson contactType=\"s",
      new: "<Organization/><AdditionalMetadataLocation/><ContactPerson contactType=\"s"),
    Sample(
      rule: 22, old: "<mdui:UIInfo>",
      new: "<mdui:UIInfo><x:include xmlns:x=\"http://www.w3.org/2001/XInclude\"/>"),
    Sample(rule: 23, old: "regexp=\"false\"", new: "regexp=\"true\""),
    Sample(rule: 24, old: ">a.example</s:Scope>", new: ">com</s:Scope>"),
    Sample(rule: 25, old: ">https://a.example/l<", new: ">javascript:alert(1)<"),
    Sample(rule: 26, old: "<mdui:DisplayName>A", new: "<mdui:DisplayName>A\u{202E}"),
    Sample(rule: 27, old: "PT6H", new: "6 hours"),
    Sample(
      rule: 28, old: "entityID=\"urn:b\"", new: "entityID=\"urn:b\" cacheDuration=\"1 day\""),
    Sample(
      rule: 30, old: "WantAssertionsSigned=\"true\" protocolSupportEnumeration=\"\(saml)protocol\"",
      new: "WantAssertionsSigned=\"true\""),
    Sample(
      rule: 31, old: "<IDPSSODescriptor protocolSupportEnumeration=\"\(saml)protocol\"",
      new: "<IDPSSODescriptor protocolSupportEnumeration=\"urn:x\""),
    Sample(rule: 32, old: "i:type=\"f:", new: "i:type=\"g:"),
    Sample(rule: 33, old: "f:SecurityTokenServiceType", new: "f:Other"),
    Sample(rule: 34, old: idpKey, new: ""),
    Sample(rule: 35, old: key("rp-rsa", "encryption"), new: ""),
    Sample(rule: 36, old: "WantAssertionsSigned=\"true\"", new: "WantAssertionsSigned=\"false\""),
    Sample(rule: 37, old: "<SingleSignOnService", new: "<ArtifactResolutionService"),
    Sample(rule: 38, old: "<AssertionConsumerService", new: "<ManageNameIDService"),
    Sample(rule: 39, old: endpoints, new: ""),
    Sample(rule: 40, old: "index=\"1\"", new: "index=\"1\" isDefault=\"1\""),
    Sample(rule: 41, old: "index=\"1\"", new: "index=\"0\""),
    Sample(rule: 42, old: idpKey, new: idpKey + idpKey),
    Sample(rule: 43, old: certificate("idp-ec256"), new: certificate("idp-rsa")),
    Sample(rule: 50, old: idpKey, new: idpKey + key("idp-ec384", "sign")),
    Sample(rule: 51, old: "<KeyDescriptor use=\"encryption\"", new: "<KeyDescriptor"),
    Sample(rule: 52, old: "ds:X509Data", new: "ds:PGPData"),
    Sample(rule: 53, old: certificate("idp-rsa"), new: "AAAA"),
    Sample(rule: 53, old: certificate("idp-rsa"), new: ""),
    Sample(rule: 54, old: certificate("idp-rsa"), new: certificate("expired")),
    Sample(rule: 55, old: "_m", new: "_m", at: "2119-12-15T00:00:00Z"),
    Sample(rule: 56, old: "_m", new: "_m", at: "2019-12-15T00:00:00Z"),
    Sample(rule: 57, old: certificate("idp-rsa"), new: certificate("weak-rsa1024")),
    Sample(rule: 58, old: certificate("idp-rsa"), new: certificate("weak-exponent")),
    Sample(
      rule: 59, old: certificate("idp-rsa") + "</ds:X509Certificate>",
      new: certificate("idp-rsa") + "</ds:X509Certificate><ds:X509Certificate/>"),
    Sample(rule: 60, old: sso, new: "Location=\"http://a.example/sso\""),
    Sample(rule: 61, old: sso, new: "Location=\"javascript:alert(1)\""),
    Sample(rule: 62, old: sso, new: "Location=\"https://u@a.example/sso\""),
    Sample(rule: 62, old: "https://b.example/f", new: "/f"),
    Sample(rule: 63, old: sso, new: "Location=\"https://a.example/sso#x\""),
    Sample(rule: 64, old: "Binding=\"\(saml)bindings:HTTP-POST\" \(sso)", new: sso),
    Sample(
      rule: 64, old: "Binding=\"\(saml)bindings:HTTP-POST\" \(sso)", new: "Binding=\"b\" \(sso)"),
    Sample(
      rule: 65, old: "ResponseLocation=\"https://a.example/",
      new: "ResponseLocation=\"https://b.example/"),
    Sample(
      rule: 66, old: "isDefault=\"true\" Binding=\"\(saml)bindings:HTTP-POST\"",
      new: "isDefault=\"true\" Binding=\"\(saml)bindings:HTTP-Redirect\""),
    Sample(rule: 67, old: "index=\"1\"", new: ""),
    // Neither, both, and that of the other type.
    Sample(rule: 68, old: "f:SecurityTokenServiceEndpoint>", new: "f:Other>"),
    Sample(rule: 68, old: "f:PassiveRequestorEndpoint>", new: "f:ApplicationServiceEndpoint>"),
    Sample(
      rule: 68, old: "f:SecurityTokenServiceEndpoint>", new: "f:ApplicationServiceEndpoint>"),
  ]

  static func lint(_ text: String, at: String = at, size: Int = 1000) throws -> [LintFinding] {
    var linter = try MetadataLinter(at: Instant(dateTime: at))
    var findings: [LintFinding] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      findings += try linter.consume(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    return findings + (try linter.finish())
  }

  @Test("A sound file has no finding")
  func soundFile() throws {
    #expect(try Self.lint(Self.sound).map { "\($0.rule.id) \($0.place)" } == [])
  }

  @Test("A change that breaks a rule is found by it", arguments: samples)
  func broken(sample: Sample) throws {
    #expect(Self.sound.contains(sample.old))
    let text = Self.sound.replacingOccurrences(of: sample.old, with: sample.new)
    let findings = try Self.lint(text, at: sample.at)
    #expect(
      findings.contains { $0.rule.id == Self.id(sample.rule) },
      "\(findings.map(\.rule.id)) in place of \(sample)")
  }

  @Test("A file without an entity")
  func empty() throws {
    let text = "<EntitiesDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\"/>"
    #expect(try Self.lint(text).contains { $0.rule.id == "META-L02" })
  }

  @Test("There are at least 30 rules, each with its own number and a sample")
  func rules() {
    let ids = LintRule.all.map(\.id)
    #expect(ids.count >= 30)
    #expect(Set(ids).count == ids.count)
    #expect(Set(LintRule.all.map(\.message)).count == ids.count)
    #expect(Set(Self.samples.map { Self.id($0.rule) }).union(["META-L02"]) == Set(ids))
  }
}
