import Federation
import Foundation
import TestSupport
import Testing
import TokenMutation

@Suite("Bad variants are refused with the code that was predicted")
struct MutationTests {
  /// Good tokens of other programs, unencrypted and with nothing allowed by name: a few of
  /// each format, or every one with `EVERY_MUTATION=1` in the environment.
  static let good = ["swt", "jwt", "sdjwt", "saml20", "saml11", "rstr"].flatMap { format in
    let vectors = TestVector.of(format).filter {
      $0.accepts && $0.allowed.isEmpty && $0.decryptKeys.isEmpty && $0.keyBinding == nil
    }
    guard ProcessInfo.processInfo.environment["EVERY_MUTATION"] != "1" else { return vectors }
    let step = vectors.count / 2 + 1
    return vectors.enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }

  /// Good tokens that are encrypted, wholly or in part.
  static let encrypted: [TestVector] = {
    let vectors = TestVector.all.filter {
      $0.accepts && $0.allowed.isEmpty && !$0.decryptKeys.isEmpty && $0.keys.count == 1
    }
    guard ProcessInfo.processInfo.environment["EVERY_MUTATION"] != "1" else { return vectors }
    let named = ["assertion-aes256-cbc", "response-signed-aes256-cbc", "id-and-attribute"]
    return vectors.enumerated().filter {
      $0.offset % 8 == 0 || named.contains($0.element.id.replacing("encryption/", with: ""))
    }.map(\.element)
  }()

  static func endpoint(of vector: TestVector) throws -> Endpoint {
    Endpoint(
      now: try Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z"), skew: vector.skew,
      expectations: Expectations(
        recipient: vector.recipient, inResponseTo: vector.inResponseTo),
      namesIssuers: !vector.issuers.isEmpty, checksAudience: !vector.audiences.isEmpty)
  }

  /// The key that signed a vector, where it is among the test keys.
  static func key(of vector: TestVector) throws -> IssuerKey? {
    guard let specification = vector.keys.first, vector.keys.count == 1 else { return nil }
    if specification.hasPrefix("hmac") {
      let key = try KeySpecification.key(specification, files: VectorFiles())
      guard case .secret(let secret) = key.material else { return nil }
      return .secret(secret)
    }
    guard let dot = specification.lastIndex(of: ".") else { return nil }
    let bytes = TestVector.bytes(specification[..<dot] + ".key")
    return bytes.isEmpty ? nil : .privateKey(try PrivateKey(pemOrDER: bytes))
  }

  static func decryptionKeys(of vector: TestVector) throws -> [DecryptionKey] {
    try vector.decryptKeys.flatMap {
      try KeySpecification.decryptionKeys($0, files: VectorFiles())
    }
  }

  @Test("A message is found whose namespaces are written with references")
  func references() throws {
    let vector = try #require(
      TestVector.of("saml20").first { $0.accepts && $0.decryptKeys.isEmpty })
    let text = String(decoding: vector.octets, as: UTF8.self)
    let spelled = text.replacing("=\"urn:oasis", with: "=\"urn&#58;oasis")
    #expect(MessageText(Array(text.utf8)) != nil)
    #expect(spelled != text && MessageText(Array(spelled.utf8)) != nil)
  }

  @Test("Every variant of a good token is refused, as predicted", arguments: good + encrypted)
  func predictions(vector: TestVector) throws {
    let mutator = TokenMutator(
      try Self.endpoint(of: vector), key: try Self.key(of: vector),
      decryptionKeys: try Self.decryptionKeys(of: vector))
    let mutations: [Mutation]
    do throws(TokenError) {
      mutations = try mutator.mutations(of: vector.octets, as: vector.pin)
    } catch {
      #expect(error.code == .unsupportedFormat)
      return
    }
    #expect(mutations.count > (vector.decryptKeys.isEmpty ? 50 : 25))
    #expect(Set(mutations.map(\.name)).count == mutations.count)
    var wrong: [String] = []
    for mutation in mutations {
      let found: String
      do {
        _ = try vector.report(on: mutation.octets).get()
        found = "accepted"
      } catch let error as TokenError {
        if error.code == mutation.expected { continue }
        found = error.description
      }
      wrong.append("\(mutation.name): \(mutation.expected), not \(found)")
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  @Test("Variants of times to come stay bad while they are sent")
  func patience() throws {
    let names: Set = [
      "time/not-yet-by-a-second", "time/issued-in-future", "time/signed-in-in-future",
      "response/future", "subject/confirmation-begins",
    ]
    let vector = try #require(
      TestVector.all.first { $0.id == "saml20/response-assertion-signed" })
    var made: [Int: [String: [UInt8]]] = [:]
    for patience in [0, 3600] {
      var endpoint = try Self.endpoint(of: vector)
      endpoint.patience = patience
      for mutation in try TokenMutator(endpoint, key: Self.key(of: vector))
        .mutations(of: vector.octets) where names.contains(mutation.name)
      {
        #expect(throws: TokenError.self, "\(mutation.name)") {
          try vector.report(on: mutation.octets).get()
        }
        made[patience, default: [:]][mutation.name] = mutation.octets
      }
    }
    for name in names {
      let (now, later) = (try #require(made[0]?[name]), try #require(made[3600]?[name]))
      #expect(now != later, "\(name) is as far away")
    }
  }

  @Test("An attribute name of SAML 1.1 that could be cut in two ways is refused")
  func dividedName() throws {
    let vector = try #require(
      TestVector.all.first { $0.id == "saml11/response-assertion-signed" })
    let mutator = TokenMutator(try Self.endpoint(of: vector), key: try Self.key(of: vector))
    let mutation = try #require(
      try mutator.mutations(of: vector.octets).first { $0.expected == .unexpectedAttribute })
    #expect(mutation.isIssuerSigned)
    #expect(throws: TokenError(.unexpectedAttribute)) {
      try vector.report(on: mutation.octets).get()
    }
  }

  @Test("The same token gives the same variants, in its wire form")
  func determinism() throws {
    let vector = try #require(
      TestVector.all.first { $0.id == "saml20/response-assertion-signed" })
    let mutator = TokenMutator(try Self.endpoint(of: vector), key: try Self.key(of: vector))
    let plain = try mutator.mutations(of: vector.octets)
    let again = try mutator.mutations(of: vector.octets)
    #expect(plain.map(\.octets) == again.map(\.octets))
    let base64 = Array(Data(vector.octets).base64EncodedString().utf8)
    let packed = try mutator.mutations(of: base64)
    #expect(packed.count > plain.count)
    for (one, other) in zip(plain, packed) {
      #expect(Data(base64Encoded: Data(other.octets)) == Data(one.octets))
    }
  }

  @Test("An encrypted token needs the key that decrypts it, and no other key")
  func decryptionKeys() throws {
    let vector = try #require(
      TestVector.all.first { $0.id == "encryption/assertion-aes256-gcm" })
    let endpoint = try Self.endpoint(of: vector)
    #expect(throws: TokenError(.noDecryptionKey)) {
      try TokenMutator(endpoint).mutations(of: vector.octets)
    }
    let other = try PrivateKey(pemOrDER: TestVector.bytes("keys/other-rsa.key"))
    #expect(throws: TokenError(.decryptionFailed)) {
      try TokenMutator(endpoint, decryptionKeys: [DecryptionKey(other)]).mutations(
        of: vector.octets)
    }
    let keys = try Self.decryptionKeys(of: vector)
    let plain = try TokenMutator(endpoint, decryptionKeys: keys).mutations(of: vector.octets)
    #expect(plain.contains { $0.name == "content/subject-inside" })
    #expect(!plain.contains { $0.isIssuerSigned })
    let sealed = try TokenMutator(endpoint, key: try Self.key(of: vector), decryptionKeys: keys)
      .mutations(of: vector.octets)
    #expect(sealed.contains { $0.name == "time/expired-now-inside" && $0.isIssuerSigned })
  }

  @Test("A key that did not sign the token makes no variants")
  func foreignKey() throws {
    let vector = try #require(
      TestVector.all.first { $0.id == "saml20/response-assertion-signed" })
    let key = try PrivateKey(pemOrDER: TestVector.bytes("keys/other-rsa.key"))
    let mutator = TokenMutator(try Self.endpoint(of: vector), key: .privateKey(key))
    #expect(throws: TokenError(.signatureInvalid)) { try mutator.mutations(of: vector.octets) }
  }

  private final class Received {
    var names: [String] = []
    var longest = 0
  }

  @Test("Variants made one at a time are those that are made together, in the same order")
  func oneAtATime() throws {
    let vector = try #require(
      TestVector.all.first { $0.id == "saml20/response-assertion-signed" })
    let mutator = TokenMutator(try Self.endpoint(of: vector), key: try Self.key(of: vector))
    let received = Received()
    try mutator.makeMutations(of: vector.octets) { received.names.append($0.name) }
    #expect(received.names == (try mutator.mutations(of: vector.octets)).map(\.name))
  }

  @Test("A variant that would be refused for its size alone is left out")
  func oversize() throws {
    let key = try SymmetricKey(bytes: [UInt8](repeating: 7, count: 32))
    func token(_ length: Int) -> [UInt8] {
      let pairs =
        "Issuer=i&Audience=rp&ExpiresOn=1893499500&x=" + String(repeating: "x", count: length)
      let mac = key.authenticate(Array(pairs.utf8).span, with: .sha256) ?? []
      return Array(
        "\(pairs)&HMACSHA256=\(Data(mac).base64EncodedString().replacing("=", with: "%3D"))".utf8)
    }
    let mutator = TokenMutator(Endpoint(now: Instant(secondsSinceEpoch: 1_893_499_200)))
    let small = try mutator.mutations(of: token(10))
    let received = Received()
    try mutator.makeMutations(of: token(Limits().bytes - 130)) {
      received.names.append($0.name)
      received.longest = max(received.longest, $0.octets.count)
    }
    #expect(received.longest <= Limits().bytes)
    #expect(received.names.count < small.count)
    #expect(!received.names.contains("mac/twice") && received.names.contains("mac/removed"))
  }
}
