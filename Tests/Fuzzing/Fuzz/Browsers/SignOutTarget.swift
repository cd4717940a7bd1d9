import AccessControl
import TokenBasics
import XMLOracle

/// What the store has of visits and of sign-outs on their way.
struct SignOutTarget: FuzzTarget {
  let seeds: [(name: String, octets: [UInt8])] = [
    (
      "visit",
      Array(
        """
        {"parties":[{"realm":"urn:sp","delivery":"samlp","index":"i","name":"n","nameFormat":"f"}],"sessions":[
        {"provider":"p","issuer":"i","subject":"s","format":"JWT","begun":1,"end":2,"lastUse":1,"warnings":[],"claims":[]}]}
        """.utf8)
    ),
    (
      "way",
      Array(
        """
        {"reply":{"realm":"urn:sp","request":"_a","state":"r"},"asked":["party","urn:sp","_b"],"names":["Wiki"],
        "pictures":["https://a.example/?wa=x"],"parties":[],"sessions":[],"partial":false}
        """.utf8)
    ),
    (
      "actions",
      Array(
        """
        {"reply":{"done":["https://a.example/","SAMLResponse","x"],"partial":["https://a.example/?a=b"]},
        "asked":["provider"],"partial":true}
        """.utf8)
    ),
  ]

  func exercise(_ octets: [UInt8]) {
    if let visit = Visit(id: "v", json: octets) {
      let again = Visit(id: "v", json: visit.json)
      require(again?.json == visit.json, "a visit that reads as it was written")
    }
    if let signOut = SignOut(id: "s", json: octets) {
      let again = SignOut(id: "s", json: signOut.json)
      require(again?.json == signOut.json, "a sign-out that reads as it was written")
    }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    octets.first == UInt8(ascii: "{") ? JSONMutator.mutate(octets, &random) : nil
  }
}
