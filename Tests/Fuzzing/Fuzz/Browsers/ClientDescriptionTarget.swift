import AccessControl
import HTTPExchange
import TokenBasics
import XMLOracle

/// What clients say of themselves: the body of a registration, and a document at their identifier.
struct ClientDescriptionTarget: FuzzTarget {
  let seeds: [(name: String, octets: [UInt8])] = [
    (
      "registration",
      Array(
        """
        {"client_name":"Agent","redirect_uris":["https://a.example/cb","http://127.0.0.1/cb"],
        "token_endpoint_auth_method":"none","grant_types":["authorization_code","refresh_token"],"response_types":["code"]}
        """.utf8)
    ),
    (
      "registration of an app",
      Array(
        """
        {"redirect_uris":["com.example.app:/callback"],"token_endpoint_auth_method":"none"}
        """.utf8)
    ),
    (
      "document",
      Array(
        """
        {"client_id":"https://agent.example/client","client_name":"Agent","redirect_uris":["https://agent.example/cb"]}
        """.utf8)
    ),
    ("address", Array("https://agent.example/client".utf8)),
  ]

  func exercise(_ octets: [UInt8]) {
    let text = String(decoding: octets, as: UTF8.self)
    if let address = ClientDocuments.address(text, isOnLoopback: false) {
      require(address.origin.scheme == "https" && address.origin.port == 443, "https at port 443")
      require(!address.origin.isLoopback, "another machine")
      require(address.text.utf8.elementsEqual(octets), "the address as it is written")
    }
    guard let json = try? JSONParser.parse(octets) else { return }
    for isExact in [false, true] {
      guard let description = try? ClientDescription(json, isExact: isExact) else { continue }
      require((1...10).contains(description.redirects.count), "a bounded number of addresses")
      require(
        description.redirects.allSatisfy(Self.isAccepted),
        "https, http on loopback, or a private-use scheme with a dot")
      require(
        description.name.map { !$0.isEmpty && !$0.unicodeScalars.contains(where: \.isHidden) }
          ?? true,
        "a name that a person sees")
      var writer = JSONWriter()
      writer.object { json in description.write(to: &json) }
      let again = (try? JSONParser.parse(writer.bytes)).flatMap {
        try? ClientDescription($0, isExact: isExact)
      }
      require(again == description, "a description that reads as it was written")
    }
    if let address = json["client_id"]?.string.flatMap({
      ClientDocuments.address($0, isOnLoopback: false)
    }), let read = try? ClientDocuments.read(octets, at: address) {
      require(json["client_secret"] == nil, "a document without a secret")
      require((try? ClientDescription(json, isExact: true)) == read, "the same reading")
    }
  }

  private static func isAccepted(_ redirect: RedirectURI) -> Bool {
    switch redirect {
    case .web(let url): url.origin.scheme == "https" || url.origin.isLoopback
    case .app(let uri): uri.text.prefix { $0 != ":" }.contains(".")
    }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    octets.first == UInt8(ascii: "{") ? JSONMutator.mutate(octets, &random) : nil
  }
}
