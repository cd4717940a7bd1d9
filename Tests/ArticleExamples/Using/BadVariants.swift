import Federation
import TokenMutation

/// The bad variants of a good token that an endpoint lets through; an endpoint without a fault lets none.
///
/// - Parameters:
///   - token: A token that the endpoint accepts, as it is sent.
///   - recipient: The address of the endpoint, if its tokens name one.
///   - key: The key of the issuer, for variants that only the issuer can make; nil for the others alone.
///   - accepts: Sends a token to the endpoint, and says whether it was let in.
func letThrough(
  _ token: [UInt8], recipient: String?, key: IssuerKey?, at now: Instant,
  accepts: (_ token: [UInt8]) async throws -> Bool
) async throws -> [String] {
  let endpoint = Endpoint(
    now: now, expectations: Expectations(recipient: recipient), namesIssuers: true)
  let variants = try TokenMutator(endpoint, key: key).mutations(of: token)
  var faults: [String] = []
  for variant in variants where try await accepts(variant.octets) {
    faults.append("\(variant.name): \(variant.summary), so \(variant.expected) is due")
  }
  return faults
}
