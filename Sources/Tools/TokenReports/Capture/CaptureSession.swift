import Claims
import Octets
import SecurityKeys
import TokenBasics

/// What the parts of one capture share.
final class CaptureSession {
  let replacer: Replacer
  let keys = TestKeys()
  let trust: Trust
  /// Trusted keys and those that the token names, with their test keys.
  private(set) var candidates: [TestKeys.Candidate] = []
  /// Texts of the capture without their encodings, in which originals are looked for.
  var surfaces: [[UInt8]] = []
  /// What is not as it was, as sentences.
  private(set) var notes: [String] = []

  init(
    _ trust: Trust, _ entries: [TrustedIssuer], avoiding: Set<[UInt8]>
  ) throws(TokenError) {
    self.trust = trust
    replacer = try Replacer(seed: SystemRandom.octets(32), avoiding: avoiding)
    for key in entries.flatMap(\.keys) { try add(key.key) }
  }

  func add(_ key: VerificationKey) throws(TokenError) {
    guard !candidates.contains(where: { $0.key.fingerprint == key.fingerprint }) else { return }
    candidates.append(TestKeys.Candidate(key: key, signer: try keys.signer(for: key)))
  }

  func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// The test key of the key that made a signature.
  func signer(
    of signature: [UInt8], over message: [UInt8], _ algorithm: SignatureAlgorithm
  ) -> TestKeys.Signer? {
    let digest = algorithm.digest.value(of: message.span)
    return candidates.first {
      $0.key.isValid(signature.span, for: message.span, digest: digest, algorithm)
    }?.signer
  }

  func sign(
    _ message: [UInt8], _ algorithm: SignatureAlgorithm, _ signer: TestKeys.Signer
  ) -> [UInt8]? {
    switch signer {
    case .secret(let secret, _): return secret.authenticate(message.span, with: algorithm.digest)
    case .privateKey(let key): return key.sign(message, algorithm)
    case .postQuantum(let key, _): return try? key.sign(message)
    }
  }
}
