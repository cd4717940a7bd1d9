import Federation
import JSONWebTokens
import Octets
import TestSupport
import TokenBasics
import XMLOracle

/// Encrypted JSON Web Tokens. The mutator knows the secrets to which it encrypts, and no key that signs: whatever is
/// accepted must be the signed token of a seed.
struct EncryptedJWTTarget: FuzzTarget {
  private let properties: TokenProperties
  private let recipients: [JSONWebEncryptionRecipient]
  private let world: World
  /// The signed tokens inside of the seeds.
  private let genuine: [[UInt8]]
  private let vectors = TestVector.of("jwt").filter { $0.id.hasPrefix("jwe/") }

  init() {
    let accepted = vectors.filter(\.accepts)
    world = World.of(accepted, at: "2030-01-01T12:00:00Z", Expectations())
    properties = TokenProperties(world)
    recipients = world.trust.decryptionKeys.compactMap { key in
      switch key.material {
      case .privateKey(let key): try? JSONWebEncryptionRecipient(key.publicKey)
      case .secret(let secret): try? JSONWebEncryptionRecipient(secret)
      }
    }
    let keys = world.trust.decryptionKeys
    genuine = accepted.compactMap {
      (try? JSONWebEncryption(parsing: $0.token))?.opened(keys, exceptions: [.rsaPKCS1Encryption])?
        .content
    }
    guard !recipients.isEmpty, genuine.count == accepted.count else { fail("a seed is not opened") }
  }

  var seeds: [(name: String, octets: [UInt8])] { vectors.map { ($0.id, $0.token) } }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    var parts = octets.split(separator: 0x2E, omittingEmptySubsequences: false).map { Array($0) }
    switch random.below(10) {
    case 0: parts.insert(random.pick(parts), at: random.below(parts.count + 1))
    case 1: parts.swapAt(random.below(parts.count), random.below(parts.count))
    case 2, 3:
      let index = random.below(parts.count)
      parts[index] = ByteMutator.mutate(parts[index], &random)
    case 4, 5, 6:
      guard let json = try? Base64.decode(parts[0][...], .url) else { return nil }
      parts[0] = Array(Base64.encode(JSONMutator.mutate(json, &random), .url).utf8)
    default:
      // Other contents, genuinely encrypted.
      let content = random.pick(genuine)
      let changed = random.chance(50) ? ByteMutator.mutate(content, &random) : content
      return try? JSONWebEncryption.encrypt(
        changed, contentType: random.chance(50) ? "JWT" : nil, to: random.pick(recipients))
    }
    return Array(parts.joined(separator: [0x2E]))
  }

  func exercise(_ octets: [UInt8]) {
    guard let (token, _) = properties.check(octets, as: .jwt) else { return }
    guard case .encryptedJWT = token else {
      fail("accepted, though no seed is signed alone")
    }
    let content = (try? JSONWebEncryption(parsing: octets))?.opened(
      world.trust.decryptionKeys, exceptions: [.rsaPKCS1Encryption])?.content
    guard let content else { fail("accepted and not opened again") }
    // Padding is allowed by name in this world.
    let unpadded = content.filter { $0 != ASCII.equals }
    require(genuine.contains(unpadded), "accepted without the signature of a seed")
  }
}
