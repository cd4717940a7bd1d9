import SignIn
import XMLOracle

/// What an application on a host of its own asks of the site, as the browser brings it sealed and as it is inside; the tickets of the
/// store are sealed in the same way.
struct TicketTarget: FuzzTarget {
  private let sealer = try? SignInSealer(
    origin: HTTPURL("https://app.example/").origin, keys: [Array(repeating: 1, count: 32)])
  /// Sealed once, since no two seals are alike.
  private let sealed: String

  private static let asked = """
    {"origin":"https://wiki.example","return":"/page?a=1","browser":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","cookie":"0a1b2c3d",\
    "anew":false,"expires":1893499800}
    """

  init() {
    sealed = sealer?.seal(Array(Self.asked.utf8), for: ApplicationSignIn.purpose).revealed ?? ""
  }

  var seeds: [(name: String, octets: [UInt8])] {
    [("asked", Array(Self.asked.utf8)), ("sealed", Array(sealed.utf8))]
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    octets.first == UInt8(ascii: "{") ? JSONMutator.mutate(octets, &random) : nil
  }

  func exercise(_ octets: [UInt8]) {
    if let asked = ApplicationSignIn(json: octets) {
      let path = asked.returnPath.text
      require(path.hasPrefix("/") && !path.hasPrefix("//"), "a path of the application")
      require(!path.contains("\\") && !path.contains("\n"), "a path with one reading")
      let again = ApplicationSignIn(json: asked.json)
      require(again?.json == asked.json, "what was read is written and read as it was")
    }
    let text = String(decoding: octets, as: UTF8.self)
    // A seed may have been sealed by another process, by the same key.
    if let opened = sealer?.open(Secret(text), for: ApplicationSignIn.purpose) {
      require(opened == Array(Self.asked.utf8), "what this site did not seal opens nothing")
    }
    require(
      sealer?.open(Secret(text), for: "ticket:" + text) == nil, "a request is no ticket")
  }
}
