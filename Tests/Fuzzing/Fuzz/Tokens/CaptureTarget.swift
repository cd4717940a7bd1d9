import Claims
import Federation
import SecurityKeys
import TestSupport
import TokenBasics
import TokenReports
import XMLOracle

/// Captures of tokens in which values are planted, anywhere and also where no token has a place for them.
///
/// The verdict of a capture is that of the token, or there is no capture: the capturer checks that itself.
/// Here no planted value may survive.
struct CaptureTarget: FuzzTarget {
  private let trust: Trust
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)

  init() {
    guard let secret = try? SymmetricKey(bytes: [UInt8](0..<32)) else { fail("no secret") }
    trust = Trust(
      issuers: [
        TrustedIssuer(
          .any, keys: [TrustedKey(VerificationKey(.secret(secret)))], formats: [.jwt, .swt])
      ], audiences: .any)
  }

  /// Words of nobody in several scripts; none is a part of another.
  private static let planted: [[UInt8]] = [
    "zqJohnDoe77", "Łukaszñé0815", "Γεώργιος", "Дмитрий", "Հակոբյան", "אברהםכהן", "محمدعلي٤٧",
    "۰۰۱۲۳۴۵۶۷۸", "देवनागरी४७", "สมชาย๔๗๑๑", "山田太郎４７", "김철수아무개", "🦊🐻🐼𝟜𝟟", "𠀋𠂉𠄌𠆢",
  ].map { Array($0.utf8) }

  var seeds: [(name: String, octets: [UInt8])] {
    let vectors = ["swt", "jwt", "saml20", "saml11", "rstr"].flatMap { TestVector.of($0) }
      .filter { $0.token.count < 4_096 }
    return vectors.enumerated().filter { $0.offset % 5 == 0 }.map { offset, vector in
      var octets = vector.token
      octets.insert(
        contentsOf: Self.planted[offset % Self.planted.count], at: octets.count * (offset % 7) / 7)
      return (vector.id, octets)
    }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    guard random.chance(40) else { return nil }
    var octets = octets
    octets.insert(contentsOf: random.pick(Self.planted), at: random.below(octets.count + 1))
    return octets
  }

  func exercise(_ octets: [UInt8]) {
    for format in [nil, PinnedFormat.jwt] {
      guard let made = try? TokenCapturer(trust, at: now, as: format).capture(octets) else {
        continue
      }
      let text = made.token
      let surfaces =
        [text, (try? FormEncoding.decode(text[...], plus: .isPlus)) ?? []]
        + text.split(separator: UInt8(ascii: ".")).map { (try? Base64.decode($0.span, .url)) ?? [] }
        + [(try? Base64.decode(text.span)) ?? []]
      for value in Self.planted {
        require(
          !surfaces.contains { Self.holds($0, value) },
          "a planted value survives in a capture: \(String(decoding: value, as: UTF8.self))")
      }
    }
  }

  /// The standard library's search takes longer than the capture.
  private static func holds(_ text: [UInt8], _ value: [UInt8]) -> Bool {
    guard let first = value.first, text.count >= value.count else { return false }
    return (0...(text.count - value.count)).contains { start in
      text[start] == first && text[start..<(start + value.count)].elementsEqual(value)
    }
  }
}
