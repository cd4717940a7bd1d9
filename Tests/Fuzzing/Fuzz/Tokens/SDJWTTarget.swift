import Federation
import Octets
import TestSupport
import TokenBasics
import XMLOracle

/// JSON Web Tokens with selective disclosure. No key signs here: whatever is accepted has the signed part of a seed, and
/// claims that the seed's disclosures have or that are visible.
struct SDJWTTarget: FuzzTarget {
  private let properties: TokenProperties
  /// The signed parts of the seeds.
  private let genuine: Set<[UInt8]>
  /// Their disclosures.
  private let disclosures: Set<[UInt8]>

  init() {
    let accepted = TestVector.of("sdjwt").filter { $0.accepts && $0.keyBinding == nil }
    properties = TokenProperties(
      World.of(accepted, at: "2030-01-01T12:00:00Z", Expectations()))
    let pieces = TestVector.of("sdjwt").map { Self.pieces($0.token) }
    genuine = Set(pieces.compactMap(\.first))
    disclosures = Set(pieces.flatMap { $0.dropFirst().dropLast() })
  }

  private static func pieces(_ octets: [UInt8]) -> [[UInt8]] {
    octets.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false).map { Array($0) }
  }

  var seeds: [(name: String, octets: [UInt8])] { TestVector.of("sdjwt").map { ($0.id, $0.token) } }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    var pieces = Self.pieces(octets)
    let index = random.below(pieces.count)
    switch random.below(6) {
    case 0: pieces.insert(random.pick(pieces), at: random.below(pieces.count + 1))
    case 1: pieces.remove(at: index)
    case 2: pieces.swapAt(index, random.below(pieces.count))
    case 3: pieces[index] = ByteMutator.mutate(pieces[index], &random)
    default:
      guard let json = try? Base64.decode(pieces[index][...], .url) else { return nil }
      pieces[index] = Array(Base64.encode(JSONMutator.mutate(json, &random), .url).utf8)
    }
    return Array(pieces.joined(separator: [UInt8(ascii: "~")]))
  }

  func exercise(_ octets: [UInt8]) {
    guard let (token, verified) = properties.check(octets, as: .sdjwt) else { return }
    let pieces = Self.pieces(octets)
    // Padding is allowed by name in this world.
    let signed = (pieces.first ?? []).filter { $0 != ASCII.equals }
    require(genuine.contains(signed), "accepted without the signature of a seed")
    for disclosure in pieces.dropFirst().dropLast() {
      require(disclosures.contains(disclosure), "a disclosure is none of a seed")
    }
    require(token.claimOrigins.count == verified.claims.count, "each claim has an origin")
  }
}
