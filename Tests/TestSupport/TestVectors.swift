public import Federation
public import Foundation
import Synchronization

/// The vectors of this package, made by other programs (`TestVectors/make.py`).
public struct TestVector: Sendable, CustomStringConvertible {
  public let id: String
  public let format: String
  public let octets: [UInt8]
  public let accepts: Bool
  public let code: String?
  public let keys: [String]
  public let decryptKeys: [String]
  public let attacks: [String]
  public let issuers: [String]
  public let audiences: [String]
  public let allowed: [String]
  public let at: String?
  public let skew: Int
  public let recipient: String?
  public let inResponseTo: String?
  /// The audience of the key binding that is demanded, and its nonce.
  public let keyBinding: String?
  public let nonce: String?
  public let pinned: String?
  public let issuer: String?
  public let subject: String?
  public let tokenID: String?
  public let claims: [String: [String]]
  /// The issuers trusted through metadata, and their keys.
  public let trusts: [String: [String]]
  public let identifiers: [String]
  public let method: String?
  public let withComments: Bool
  public let inclusivePrefixes: String
  public let elementID: String?
  public let expected: [UInt8]

  public var description: String { id }

  /// ``claims`` of the attack suite, where names may differ in nothing but their composition: as
  /// Swift strings they would be equal keys of a dictionary.
  public let claimBytes: [String]
  /// The vector that has this one's keys, clock and settings with a genuine token.
  public let control: String?
  public let note: String

  /// Every vector of the manifest; empty only when the folder is broken, which a test reports.
  public static let all: [TestVector] = load("manifest.jsonl")

  /// The attack suite: `TestVectors/attacks`.
  public static let attacks: [TestVector] = load("attacks/manifest.jsonl")

  public static func of(_ formats: String...) -> [TestVector] {
    all.filter { formats.contains($0.format) }
  }

  /// The folder `TestVectors`.
  public static let folder = packageRoot.appending(path: "TestVectors")

  /// The root of the package.
  public static var packageRoot: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// The bytes of a file below ``folder``.
  public static func bytes(_ path: String) -> [UInt8] {
    (try? Data(contentsOf: folder.appending(path: path))).map { Array($0) } ?? []
  }

  private static func load(_ manifest: String) -> [TestVector] {
    String(decoding: bytes(manifest), as: UTF8.self).split(separator: "\n").compactMap {
      guard
        let json = try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      else { return nil }
      return TestVector(json)
    }
  }

  private init?(_ json: [String: Any]) {
    guard let id = json["id"] as? String, let format = json["format"] as? String else { return nil }
    self.id = id
    self.format = format
    octets = Self.octets(json)
    accepts = json["verdict"] as? String == "accept"
    code = json["code"] as? String
    keys = json["keys"] as? [String] ?? []
    decryptKeys = json["decryptKeys"] as? [String] ?? []
    attacks = json["attack"] as? [String] ?? []
    issuers = json["issuers"] as? [String] ?? []
    audiences = json["audiences"] as? [String] ?? []
    allowed = json["allow"] as? [String] ?? []
    at = json["at"] as? String
    skew = json["skew"] as? Int ?? 60
    recipient = json["recipient"] as? String
    inResponseTo = json["inResponseTo"] as? String
    keyBinding = json["keyBinding"] as? String
    nonce = json["nonce"] as? String
    pinned = json["pin"] as? String
    issuer = json["issuer"] as? String
    subject = json["subject"] as? String
    tokenID = json["tokenID"] as? String
    claims = json["claims"] as? [String: [String]] ?? [:]
    trusts = json["trusts"] as? [String: [String]] ?? [:]
    identifiers = json["idAttributes"] as? [String] ?? []
    method = json["method"] as? String
    withComments = json["withComments"] as? Bool ?? false
    inclusivePrefixes = json["inclusivePrefixes"] as? String ?? ""
    elementID = json["elementID"] as? String
    claimBytes = (json["claims"] as? [[Any]] ?? []).compactMap { pair in
      guard pair.count == 2, let name = pair[0] as? String else { return nil }
      return Self.claimBytes(name, pair[1] as? [String] ?? [])
    }.sorted()
    control = json["control"] as? String
    note = json["note"] as? String ?? ""
    expected = (json["expectedFile"] as? String).map(Self.bytes) ?? []
  }

  /// A file, a file with pieces cut out and put in, or a large input that the manifest describes.
  private static func octets(_ json: [String: Any]) -> [UInt8] {
    if let file = json["file"] as? String { return bytes(file) }
    if let file = json["from"] as? String, let pieces = json["pieces"] as? [Any] {
      return spliced(bytes(file), pieces)
    }
    guard let rule = json["generate"] as? [String: Any] else { return [] }
    let text = { (name: String) in Array((rule[name] as? String ?? "").utf8) }
    let middle = repeatElement(text("repeat"), count: rule["count"] as? Int ?? 0).joined()
    return text("head") + middle + text("tail")
  }
}

extension TestVector {
  /// A claim as text that is equal only where every byte is.
  public static func claimBytes(_ name: String, _ values: [String]) -> String {
    ([name] + values).map { Array($0.utf8).description }.joined(separator: " ")
  }

  /// Pieces in a row: `[start, length]` of `base`, a text, octets in base64, or a repeated text.
  private static func spliced(_ base: [UInt8], _ pieces: [Any]) -> [UInt8] {
    pieces.flatMap { piece -> [UInt8] in
      if let range = piece as? [Int], range.count == 2 {
        return Array(base.dropFirst(range[0]).prefix(range[1]))
      }
      if let text = piece as? String { return Array(text.utf8) }
      guard let rule = piece as? [String: Any] else { return [] }
      if let base64 = rule["base64"] as? String {
        return Data(base64Encoded: base64).map { Array($0) } ?? []
      }
      let unit = Array((rule["repeat"] as? String ?? "").utf8)
      return Array(repeatElement(unit, count: rule["count"] as? Int ?? 0).joined())
    }
  }
}

/// Files below `TestVectors`.
public struct VectorFiles: FileSource {
  public init() {}

  public func read(_ path: String) throws(TokenError) -> [UInt8] {
    let bytes = TestVector.bytes(path)
    guard !bytes.isEmpty else { throw TokenError(.unreadableKey, node: path) }
    return bytes
  }
}

/// A cache of keys: thousands of vectors share a few.
enum KnownKeys {
  private static let verificationKeys = Mutex<[String: [TrustedKey]]>([:])
  private static let decryptionKeys = Mutex<[String: [DecryptionKey]]>([:])

  static func verification(_ specification: String) throws -> [TrustedKey] {
    if let known = verificationKeys.withLock({ $0[specification] }) { return known }
    let keys = try KeySpecification.keys(specification, files: VectorFiles())
    verificationKeys.withLock { $0[specification] = keys }
    return keys
  }

  static func decryption(_ specification: String) throws -> [DecryptionKey] {
    if let known = decryptionKeys.withLock({ $0[specification] }) { return known }
    let keys = try KeySpecification.decryptionKeys(specification, files: VectorFiles())
    decryptionKeys.withLock { $0[specification] = keys }
    return keys
  }
}

extension TestVector {
  /// The trust that the manifest describes.
  public func trust() throws -> Trust {
    var exceptions: Set<LegacyException> = []
    for name in allowed { exceptions.formUnion(LegacyException(name).map { [$0] } ?? []) }
    var vouching: [(key: TrustedKey, formats: Set<TokenFormat>)] = []
    for specification in keys {
      for var key in try KnownKeys.verification(specification) {
        key.exceptions = exceptions
        var formats = KeySpecification.defaultFormats(of: specification, key: key.key)
        if case .secret = key.key.material, pinned == "jwt" { formats = [.jwt] }
        if pinned == "sdjwt" { formats = [.sdjwt] }
        vouching.append((key, formats))
      }
    }
    let names: [TrustedIssuer.Name] = issuers.isEmpty ? [.any] : issuers.map { .exactly($0) }
    let trusted = names.flatMap { TrustedIssuer.entries($0, keys: vouching) }
    var trust = Trust(issuers: trusted, audiences: audiences.isEmpty ? .any : .oneOf(audiences))
    try trust.setSkew(skew)
    trust.decryptionKeys = try decryptKeys.flatMap(KnownKeys.decryption)
    return trust
  }

  /// The verdict on `octets` with this vector's settings.
  public func report(on octets: [UInt8]) throws -> ValidationReport<AnyToken> {
    let trust = try trust()
    let token = try AnyToken(
      reading: octets, as: pin, limits: trust.limits)
    return TokenValidator(trust).report(
      on: token, at: try Instant(dateTime: at ?? "2030-01-01T12:00:00Z"),
      expecting: Expectations(
        recipient: recipient, inResponseTo: inResponseTo,
        keyBinding: keyBinding.map { KeyBindingDemand(audience: $0, nonce: nonce) }))
  }

  /// The format to pin, if any.
  public var pin: PinnedFormat? { pinned.flatMap(PinnedFormat.init(rawValue:)) }

  /// The octets of the file, without the line end after a token.
  public var token: [UInt8] {
    octets.last == UInt8(ascii: "\n") ? Array(octets.dropLast()) : octets
  }
}
