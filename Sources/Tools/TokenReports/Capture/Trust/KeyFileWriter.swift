import JSONWebTokens
import SecurityKeys
import TokenBasics

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
    switch try session.keys.signer(for: key.key) {
    case .secret(_, let octets):
      add(Array((Base64.encode(octets) + "\n").utf8), as: stem + ".hmac")
      return "hmac-file:\(stem).hmac"
    case .postQuantum(let made, let seed):
      let members = named(key.keyID) + made.publicKey.jsonWebKeyMembers
      add(Self.object(members + [("priv", Base64.encode(seed, .url))]), as: stem + ".jwk")
      add(Self.keySet(members), as: stem + ".jwks")
      return "jwks:\(stem).jwks"
    case .privateKey(let made): return try write(made, in: stem, for: key)
    }
  }

  private mutating func write(
    _ made: PrivateKey, in stem: String, for key: TrustedKey
  ) throws(TokenError) -> String {
    add(made, as: stem + ".key")
    let algorithm =
      key.algorithms?.count == 1 ? key.algorithms?.first.flatMap(Self.nameInJOSE) : nil
    if key.keyID != nil || algorithm != nil {
      let own = named(key.keyID) + (algorithm.map { [("alg", $0)] } ?? [])
      add(Self.keySet(own + made.publicKey.jsonWebKeyMembers), as: stem + ".jwks")
      return "jwks:\(stem).jwks"
    }
    if case .certificate(let original) = key.key.material, !made.publicKey.kind.signsMessages {
      let der = try session.keys.certificate(for: original).der
      add(Self.pem(der, "CERTIFICATE"), as: stem + ".crt")
      return stem + ".crt"
    }
    add(Self.pem(made.publicKey.der, "PUBLIC KEY"), as: stem + ".pub")
    return stem + ".pub"
  }

  private mutating func add(_ octets: [UInt8], as name: String) {
    files.append(Capture.File(name: name, octets: octets))
  }

  mutating func add(_ key: PrivateKey, as name: String) {
    add(Self.pem(key.exportedDER, Self.label(key)), as: name)
  }

  /// A secret as a JWK.
  mutating func add(secret octets: [UInt8], as name: String) {
    add(Self.object([("kty", "oct"), ("k", Base64.encode(octets, .url))]), as: name)
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

  /// The member that names a key, with another name.
  private func named(_ keyID: String?) -> [(name: String, value: String)] {
    guard let keyID else { return [] }
    let made = session.replacer.value(Array(keyID.utf8), nil)
    return [("kid", String(decoding: made, as: UTF8.self))]
  }

  private static func keySet(_ members: [(name: String, value: String)]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("keys")
      json.array { json in json.object { json in write(members, to: &json) } }
    }
    return json.bytes
  }

  private static func object(_ members: [(name: String, value: String)]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in write(members, to: &json) }
    return json.bytes
  }

  private static func write(
    _ members: [(name: String, value: String)], to json: inout JSONWriter
  ) {
    for (name, value) in members {
      json.member(named: name, value)
    }
  }
}
