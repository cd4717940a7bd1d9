import JSONWebTokens
import Octets
import SecurityKeys
import TokenErrors

/// Writes the test keys in place of trusted keys, each in the form that the original has.
struct KeyFileWriter {
  private let session: CaptureSession
  private(set) var files: [Capture.File] = []
  private var names: [String: String] = [:]

  init(_ session: CaptureSession) { self.session = session }

  /// The specification of the test key for a trusted one.
  mutating func specification(of key: TrustedKey) throws(TokenError) -> String {
    let identity =
      key.key.fingerprint + (key.keyID ?? "")
      + (key.algorithms ?? []).map(\.name).joined(separator: " ")
    if let known = names[identity] { return known }
    let specification = try write(key)
    names[identity] = specification
    return specification
  }

  private mutating func write(_ key: TrustedKey) throws(TokenError) -> String {
    let stem = "idp-\(names.count + 1)"
    let signer = try session.keys.signer(for: key.key)
    guard case .privateKey(let made) = signer else {
      guard case .secret(_, let octets) = signer else { throw TokenError(.unsupportedKey) }
      files.append(
        Capture.File(name: stem + ".hmac", octets: Array((Base64.encode(octets) + "\n").utf8)))
      return "hmac-file:\(stem).hmac"
    }
    add(made, as: stem + ".key")
    let algorithm =
      key.algorithms?.count == 1 ? key.algorithms?.first.flatMap(Self.nameInJOSE) : nil
    if key.keyID != nil || algorithm != nil {
      files.append(
        Capture.File(name: stem + ".jwks", octets: keySet(made, key.keyID, algorithm)))
      return "jwks:\(stem).jwks"
    }
    if case .certificate(let original) = key.key.material, !made.publicKey.kind.signsMessages {
      let der = try session.keys.certificate(for: original).der
      files.append(Capture.File(name: stem + ".crt", octets: Self.pem(der, "CERTIFICATE")))
      return stem + ".crt"
    }
    files.append(
      Capture.File(name: stem + ".pub", octets: Self.pem(made.publicKey.der, "PUBLIC KEY")))
    return stem + ".pub"
  }

  mutating func add(_ key: PrivateKey, as name: String) {
    files.append(Capture.File(name: name, octets: Self.pem(key.exportedDER, Self.label(key))))
  }

  /// A secret as a JWK.
  mutating func add(secret octets: [UInt8], as name: String) {
    var json = JSONWriter()
    json.object { json in
      json.member("kty", "oct")
      json.member("k", Base64.encode(octets, .url))
    }
    files.append(Capture.File(name: name, octets: json.bytes))
  }

  private static func nameInJOSE(_ algorithm: SignatureAlgorithm) -> String? {
    SignatureAlgorithm.namesInJOSE.first { $0.algorithm == algorithm }?.name.description
  }

  private static func label(_ key: PrivateKey) -> String {
    switch key.publicKey.kind {
    case .rsa: "RSA PRIVATE KEY"
    case .ec: "EC PRIVATE KEY"
    case .ed25519, .ed448, .x25519: "PRIVATE KEY"
    }
  }

  private static func pem(_ der: [UInt8], _ label: String) -> [UInt8] {
    var text = "-----BEGIN \(label)-----\n"
    var rest = Base64.encode(der)[...]
    while !rest.isEmpty {
      text += rest.prefix(64) + "\n"
      rest = rest.dropFirst(64)
    }
    return Array((text + "-----END \(label)-----\n").utf8)
  }

  private func keySet(_ key: PrivateKey, _ keyID: String?, _ algorithm: String?) -> [UInt8] {
    var members: [(String, String)] = []
    if let keyID {
      let kid = session.replacer.value(Array(keyID.utf8), nil)
      members.append(("kid", String(decoding: kid, as: UTF8.self)))
    }
    if let algorithm { members.append(("alg", algorithm)) }
    members += key.publicKey.jsonWebKeyMembers.map { ($0.name, $0.value) }
    var json = JSONWriter()
    json.object { json in
      json.name("keys")
      json.array { json in
        json.object { json in
          for (name, value) in members {
            json.name(text: name)
            json.string(value)
          }
        }
      }
    }
    return json.bytes
  }
}
