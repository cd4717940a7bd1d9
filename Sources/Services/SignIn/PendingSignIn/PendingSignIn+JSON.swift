import HTTPExchange
import Instants
import Octets

extension PendingSignIn {
  /// The members as JSON, to be sealed.
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for (name, text) in [
        ("kind", kind.rawValue), ("request", request), ("issuer", issuer), ("endpoint", endpoint),
        ("nonce", nonce), ("verifier", proofKey?.verifier.revealed), ("return", returnPath?.text),
        ("provider", provider),
        ("session", replacedSession.map { Base64.encode($0.digest, .url) }),
      ] {
        guard let text else { continue }
        json.name(text: name)
        json.string(text)
      }
      json.name("contexts")
      json.array { json in for context in contexts { json.string(context) } }
      json.name("begun")
      json.integer(Int(begun.seconds))
      json.name("expires")
      json.integer(Int(expires.seconds))
    }
    return json.bytes
  }

  /// The pending sign-in that was sealed; nil for anything else.
  init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets),
      let kind = json["kind"]?.string.map(Kind.init(rawValue:)),
      let request = json["request"]?.string, let issuer = json["issuer"]?.string,
      let endpoint = json["endpoint"]?.string, let begun = json["begun"]?.integer,
      let expires = json["expires"]?.integer, let contexts = json["contexts"]?.array
    else { return nil }
    self.init(
      kind, request: request, issuer: issuer, endpoint: endpoint, nonce: json["nonce"]?.string,
      proofKey: json["verifier"]?.string.map { ProofKey(verifier: Secret($0)) },
      contexts: contexts.compactMap(\.string),
      returnPath: json["return"]?.string.flatMap { try? ReturnPath($0) },
      begun: Instant(secondsSinceEpoch: Int64(begun)),
      expires: Instant(secondsSinceEpoch: Int64(expires)))
    provider = json["provider"]?.string ?? ""
    replacedSession = json["session"]?.string
      .flatMap { try? Base64.decode($0.utf8, .url) }.flatMap { SessionID(digest: $0) }
  }
}
