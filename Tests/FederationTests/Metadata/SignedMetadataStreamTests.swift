import Federation
import Foundation
import Octets
import SAML
import SecurityKeys
import TestSupport
import Testing
import TokenBasics
import XMLSecurity
import XMLTree

/// The verdict on a whole tree is the model of the verdict on parts.
@Suite("Signed metadata that is verified while it streams")
struct SignedMetadataStreamTests {
  private static let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private static let files = TestVector.of("metadata").map(\.id)

  private static func keys() throws -> [TrustedKey] {
    let exceptions = Set(
      ["sha1", "rsa-sha1", "rsa-small-modulus"].compactMap(LegacyException.init))
    return [
      TrustedKey(
        try KeySpecification.key("keys/idp-rsa.crt", files: VectorFiles()), exceptions: exceptions)
    ]
  }

  /// Why the signature of the document element is refused; nil for a valid one.
  private static func refusalOfTree(
    _ bytes: [UInt8], _ keys: [TrustedKey]
  ) -> TokenError.Code? {
    do throws(TokenError) {
      let document = try Document(parsing: bytes)
      _ = try IdentifierIndex(document)
      guard let signature = try SignedElement.signature(of: document.root) else {
        return .signatureMissing
      }
      var scratch = OctetWriter()
      _ = try SignedElement.verify(
        document.root, signature, id: document.root.attributeBytes(ExpandedName("ID")) ?? [],
        place: .first, wholeDocument: .accepted, keys: KeyRing(keys), at: now, limits: Limits(),
        scratch: &scratch)
      return nil
    } catch {
      return error.code
    }
  }

  private static func refusalOfStream(
    _ bytes: [UInt8], _ keys: [TrustedKey], pieces size: Int
  ) -> TokenError.Code? {
    do throws(TokenError) {
      var reader = try SignedMetadataReader(keys: keys, at: now, into: Names())
      var rest = bytes[...]
      while !rest.isEmpty {
        try reader.consume(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      _ = try reader.finish()
      return nil
    } catch {
      return error.code
    }
  }

  private struct Names: MetadataSink {
    var all: [String] = []

    mutating func take(_ entity: EntityDescriptor) { all.append(entity.entityID) }
  }

  /// What may refuse a document whose signature is valid.
  private static func isOfContent(_ code: TokenError.Code) -> Bool {
    code.rawValue.hasPrefix("policy.metadata") || code.rawValue.hasPrefix("time.")
      || code == .unexpectedElement || code == .unexpectedText
  }

  @Test("Each vector has the verdict of its tree, in pieces of any size", arguments: files)
  func vectors(file: String) throws {
    let bytes = TestVector.bytes(file + ".xml")
    let keys = try Self.keys()
    let expected = Self.refusalOfTree(bytes, keys)
    for size in [1, 100, 1 << 20] {
      let found = Self.refusalOfStream(bytes, keys, pieces: size)
      if expected == nil, let found {
        #expect(Self.isOfContent(found))
      } else if found != .notMetadata {
        #expect(found == expected)
      }
    }
  }

  @Test(
    "A change anywhere has the verdict of its tree",
    arguments: ["metadata/signed", "metadata/signed-group", "metadata/signed-last"])
  func changes(file: String) throws {
    let original = TestVector.bytes(file + ".xml")
    let keys = try Self.keys()
    #expect(Self.refusalOfStream(original, keys, pieces: 4096) == nil)
    for position in stride(from: 0, to: original.count, by: 7) {
      let changes = [[original[position] ^ 1], [], Array(" ".utf8), Array("<!-- -->".utf8)]
      var changed = original
      changed.replaceSubrange(position..<position + 1, with: changes[position % changes.count])
      let expected = Self.refusalOfTree(changed, keys)
      let found = Self.refusalOfStream(changed, keys, pieces: 512)
      if expected == nil {
        #expect(found.map(Self.isOfContent) != false, "\(position)")
      } else {
        // What else is wrong may be met before the signature is.
        #expect(found != nil, "\(position)")
      }
    }
  }

  /// `metadata/signed-group` with this text before and behind its first entity, and behind all.
  private static func mutants(of text: String, _ added: String) -> [String] {
    var mutants: [String] = []
    for marker in ["<md:EntityDescriptor", "</md:EntityDescriptor>", "</md:EntitiesDescriptor>"] {
      for options in [String.CompareOptions(), .backwards] {
        guard let found = text.range(of: marker, options: options) else { continue }
        let place = marker.hasPrefix("</md:EntityD") ? found.upperBound : found.lowerBound
        mutants.append(text[..<place] + added + text[place...])
      }
    }
    return mutants
  }

  @Test(
    "What is added between entities is digested: none of it is passed over",
    arguments: [
      " ", "\n", "x", "<?a b?>", "<![CDATA[ ]]>", "&#32;", "<md:Extensions/>", "<a xmlns=''/>",
      "<md:EntityDescriptor entityID='urn:added'/>",
      "<md:EntitiesDescriptor></md:EntitiesDescriptor>", "<!DOCTYPE a>", "&a;",
    ])
  func additions(added: String) throws {
    let text = String(decoding: TestVector.bytes("metadata/signed-group.xml"), as: UTF8.self)
    let keys = try Self.keys()
    let mutants = Self.mutants(of: text, added)
    #expect(mutants.count >= 4)
    for mutant in mutants {
      #expect(Self.refusalOfStream(Array(mutant.utf8), keys, pieces: 100) != nil)
    }
  }

  @Test("Comments between entities are not digested")
  func comments() throws {
    let text = String(decoding: TestVector.bytes("metadata/signed-group.xml"), as: UTF8.self)
    let keys = try Self.keys()
    for mutant in Self.mutants(of: text, "<!-- a -->") {
      #expect(Self.refusalOfStream(Array(mutant.utf8), keys, pieces: 100) == nil)
    }
  }

  @Test("A second signature and a second use of the identifier are refused")
  func repeated() throws {
    let text = String(decoding: TestVector.bytes("metadata/signed-group.xml"), as: UTF8.self)
    let keys = try Self.keys()
    let start = try #require(text.range(of: "<ds:Signature"))
    let end = try #require(text.range(of: "</ds:Signature>"))
    let signature = text[start.lowerBound..<end.upperBound]
    let twice = text.replacingOccurrences(of: signature, with: signature + signature)
    #expect(Self.refusalOfStream(Array(twice.utf8), keys, pieces: 100) == .signatureRepeated)
    let id = try #require(text.firstMatch(of: /ID="([^"]*)"/)?.output.1)
    for mutant in Self.mutants(of: text, "<md:Extensions ID=\"\(id)\"/>") {
      #expect(Self.refusalOfStream(Array(mutant.utf8), keys, pieces: 100) == .duplicateID)
    }
  }

  @Test("A signature behind more than 10 MiB is refused; without any, that is said")
  func tooFar() throws {
    let filler = "<md:Extensions a=\"" + String(repeating: "x", count: 1 << 20) + "\"/>"
    let start =
      "<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\">"
      + String(repeating: filler, count: 11)
    let signature = "<ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"/>"
    let end = "</md:EntitiesDescriptor>"
    #expect(
      Self.refusalOfStream(Array((start + signature + end).utf8), [], pieces: 65_536)
        == .metadataTooLarge)
    #expect(
      Self.refusalOfStream(Array((start + end).utf8), [], pieces: 65_536) == .signatureMissing)
  }
}
