import JSONWebTokens
import SecurityKeys
import TokenBasics

/// Makes the variants of an SD-JWT.
///
/// The codes are those of an endpoint that demands no key binding: one that is there is unread, so it is taken away first.
struct SDJWTMutator {
  private let pieces: [String]
  private let endpoint: Endpoint
  private let list: MutationList

  init(
    _ token: SelectiveDisclosureToken, _ octets: [UInt8], _ endpoint: Endpoint,
    _ receive: @escaping (Mutation) -> Void
  ) {
    var pieces = String(decoding: octets, as: UTF8.self)
      .split(separator: "~", omittingEmptySubsequences: false).map(String.init)
    if token.hasKeyBinding, !pieces.isEmpty { pieces[pieces.count - 1] = "" }
    self.pieces = pieces
    self.endpoint = endpoint
    list = MutationList(original: octets, receive)
  }

  private var disclosures: ArraySlice<String> { pieces.dropFirst().dropLast() }

  private func joined(_ token: String, _ disclosures: some Sequence<String>) -> [UInt8] {
    Array(([token] + disclosures + [""]).joined(separator: "~").utf8)
  }

  func all() {
    guard let token = pieces.first else { return }
    let foreign = Base64.encode(Array("[\"c2FsdA\",\"role\",\"admin\"]".utf8), .url)
    list.add(
      "disclosure/foreign", "a claim is added that the issuer did not sign", ["JWT-8"],
      .unreferencedDisclosure, joined(token, disclosures + [foreign]))
    list.add(
      "disclosure/foreign-alone", "all claims are replaced by one that the issuer did not sign",
      ["JWT-8"], .unreferencedDisclosure, joined(token, [foreign]))
    for (label, text) in [
      ("reserved-sd", "[\"s\",\"_sd\",[]]"), ("reserved-dots", "[\"s\",\"...\",\"x\"]"),
    ] {
      list.add(
        "disclosure/\(label)", "a disclosure has a reserved name", ["JWT-17"], .disclosureName,
        joined(token, disclosures + [Base64.encode(Array(text.utf8), .url)]))
    }
    for (label, text) in [
      ("object", "{}"), ("one", "[\"s\"]"), ("four", "[\"s\",\"a\",\"b\",\"c\"]"),
      ("salt", "[1,\"a\",\"b\"]"), ("name", "[\"s\",1,\"b\"]"), ("json", "[\"s\","),
      ("twice", "[\"s\",\"x\",{\"a\":1,\"a\":2}]"),
    ] {
      list.add(
        "disclosure/malformed-\(label)", "a disclosure is none", ["JWT-18"], .malformedDisclosure,
        joined(token, disclosures + [Base64.encode(Array(text.utf8), .url)]))
    }
    list.add(
      "disclosure/empty", "a disclosure is empty", ["JWT-11"], .malformedDisclosure,
      joined(token, disclosures + [""]))
    for (place, disclosure) in disclosures.enumerated().prefix(8) {
      list.add(
        "disclosure/repeated-\(place)", "a disclosure comes twice", ["JWT-17"],
        .repeatedDisclosure, joined(token, disclosures + [disclosure]))
      guard let changed = Self.otherSalt(disclosure) else { continue }
      var others = Array(disclosures)
      others[place] = changed
      list.add(
        "disclosure/salt-\(place)", "a disclosure has another salt", ["JWT-8"],
        .unreferencedDisclosure, joined(token, others))
      others[place] = disclosure + "="
      list.add(
        "disclosure/padding-\(place)", "a disclosure is not canonical base64url", ["JWT-12"],
        .malformedDisclosure, joined(token, others))
    }
    addSigned(token)
  }

  /// The variants of the signed token, with its disclosures behind it. The issuer's own are left out: what it changes
  /// belongs to other disclosures.
  private func addSigned(_ token: String) {
    // What a variant writes into the payload goes without its disclosure: a name twice is found before the signature is judged.
    let kept = disclosures.filter { !["role", "sub"].contains(Self.claim($0)) }
    let (list, rest) = (list, (kept + [""]).joined(separator: "~"))
    // What is changed in the payload refers to no disclosure any more, or is read after them.
    let own = JWTMutator(Array(token.utf8), endpoint, nil) { variant in
      // Without a payload there is nothing to disclose into.
      guard variant.name != "parts/no-payload" else { return }
      list.add(
        variant.name, variant.summary, variant.attacks,
        variant.name == "algorithm/HS256" ? .algorithmNotAllowed : variant.expected,
        variant.octets + Array("~\(rest)".utf8))
    }
    own?.all()
  }

  /// The claim that a disclosure names; none for an element of an array.
  private static func claim(_ disclosure: String) -> String? {
    guard let octets = try? Base64.decode(Array(disclosure.utf8).span, .url),
      let parts = (try? JSONParser.parse(octets))?.array, parts.count == 3
    else { return nil }
    return parts[1].string
  }

  private static func otherSalt(_ disclosure: String) -> String? {
    guard let octets = try? Base64.decode(Array(disclosure.utf8).span, .url),
      let json = try? JSONParser.parse(octets), let salt = json.array?.first
    else { return nil }
    let changed =
      octets[..<salt.range.lowerBound] + Array("\"other\"".utf8) + octets[salt.range.upperBound...]
    return Base64.encode(Array(changed), .url)
  }
}
