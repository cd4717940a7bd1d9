import AccessControl
import TokenBasics
import XMLOracle

/// The file of the local token service.
struct AccessControlTarget: FuzzTarget {
  let seeds: [(name: String, octets: [UInt8])] = [
    (
      "file",
      Array(
        """
        {"issuer":"https://acs.example/","listen":"127.0.0.1:8090","state":"memory","testPeople":"public",
        "providers":[{"kind":"facebook","application":"42"},{"kind":"google","people":[
        {"name":"Ada","claims":{"name":"Ada","role":["a","b"]}}]},{"id":"urn:corp","offers":["upn"]}],
        "ruleGroups":[{"name":"default","generate":["Google"],"rules":[
        {"if":{"from":"Google","type":"role","value":"a"},"and":{"from":"acs"},"type":"urn:can","value":"post"}]}],
        "relyingParties":[{"realm":"uri:talks","format":"SWT","return":["https://t.example/in"],
        "rules":["default"],"key":"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}],
        "serviceIdentities":[{"name":"uploader","password":"p"}]}
        """.utf8)
    ),
    (
      "bridge",
      Array(
        """
        {"issuer":"https://acs.example/","listen":"127.0.0.1:8090","state":{"redis":"redis://127.0.0.1:6379"},
        "operations":"127.0.0.1:8091","admins":[{"name":"ada","password":"scrypt:16384:8:1:QUJD:QUJD","role":"viewer"}],
        "registration":{"relyingParty":"https://api.example/mcp","token":"t","clients":10},
        "authorizationServers":[{"issuer":"https://as.example","clients":{"agent":"theirs"}}],
        "providers":[{"id":"urn:op","openID":{"issuer":"https://op.example","clientID":"acs"},"contexts":{"urn:mfa":"urn:m"}},
        {"id":"urn:idp","saml":{"metadata":"idp.xml"},"subjectFrom":"upn","authoritativeFor":["example.org"]}],
        "ruleGroups":[{"name":"all","rules":[{"if":{"from":"urn:op"},"to":"people"}]}],
        "relyingParties":[{"realm":"https://api.example/mcp","format":"JWT","rules":["all"],"signing":"ES256",
        "exchangeFor":["agent"],"mayActFor":["agent"],"scopes":["read"],"resourceFor":["agent"],"encryption":"A256GCM",
        "encryptTo":"api.jwk","backChannelLogout":"https://api.example/out","identifiers":"public"},
        {"realm":"agent","format":"JWT","rules":["all"],"clientSecret":"file:agent","audiences":["urn:a"],"recipients":["urn:r"]},
        {"realm":"https://sp.example","format":"SAML 2.0","metadata":"sp.xml","rules":["all"],"signResponse":true}]}
        """.utf8)
    ),
  ]

  func exercise(_ octets: [UInt8]) {
    let (file, errors) = ServiceFile.read(octets)
    require((file == nil) == !errors.isEmpty, "a file and errors, or neither")
    if let file {
      require(file.issuer.text.hasSuffix("/"), "an issuer without a slash")
      require(!file.relyingParties.isEmpty, "a service without relying parties")
      for party in file.relyingParties {
        for asked in [nil, "https://evil.example/", party.realm] {
          guard let address = try? party.returnAddress(asked: asked) else { continue }
          require(
            party.returnAddresses.contains { $0.target == address.target },
            "an address that is not registered")
        }
      }
    }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    octets.first == UInt8(ascii: "{") ? JSONMutator.mutate(octets, &random) : nil
  }
}
