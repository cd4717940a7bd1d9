public import HTTPExchange
import Octets
import SecurityKeys
public import TokenErrors

/// A registered client: its identifier at the server and its key.
public struct MobileIdentity: Sendable {
  /// The client's identifier, chosen by the server.
  public let clientID: String
  let key: MobileClientKey

  init(clientID: String, key: MobileClientKey) {
    self.clientID = clientID
    self.key = key
  }

  /// Restores the identity from ``stored``.
  ///
  /// - Throws: `client.identity` for any other text.
  public init(stored: Secret) throws(TokenError) {
    guard let json = try? JSONParser.parse(Array(stored.revealed.utf8)),
      let clientID = json["client_id"]?.string, !clientID.isEmpty,
      let text = json["key"]?.string, let der = try? Base64.decode(Array(text.utf8)),
      let key = try? MobileClientKey(PrivateKey(pemOrDER: der))
    else { throw TokenError(.clientIdentity) }
    self.init(clientID: clientID, key: key)
  }

  /// Identifier and private key as JSON, for a store of secrets.
  public var stored: Secret {
    var json = JSONWriter()
    json.object { json in
      json.member("client_id", clientID)
      json.member("key", Base64.encode(key.exported))
    }
    return Secret(String(decoding: json.bytes, as: UTF8.self))
  }
}
