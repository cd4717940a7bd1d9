import Federation
import Octets
import StrictJSON

/// Verifies one token after another with the same trust and clock, and writes the records.
struct TokenVerifier: Sendable {
  let trust: Trust
  let expectations: Expectations
  let now: Instant
  let pinned: PinnedFormat?
  let presentation: ClaimPresentation
  let explains: Bool

  /// The report of one token.
  ///
  /// - Throws: why the token could not even be read.
  func report(
    on octets: ArraySlice<UInt8>, isDetailed: Bool
  ) throws(TokenError) -> (report: ValidationReport<AnyToken>, token: AnyToken) {
    let token = presentation.named(
      try AnyToken(reading: octets, as: pinned, limits: trust.limits))
    let report = TokenValidator<AnyToken>(trust).evaluate(
      token, at: now, expectations, isDetailed: isDetailed)
    return (report, token)
  }

  /// Writes the record of one token; answers whether it was accepted.
  func verify(_ octets: ArraySlice<UInt8>, id: [UInt8]? = nil, to json: inout JSONWriter) -> Bool {
    do throws(TokenError) {
      let (report, token) = try report(on: octets, isDetailed: explains)
      Record.verdict(
        report, format: token.format,
        claims: { presentation.shown($0.claims, of: projection(of: $0.facts.issuer)) },
        explains: explains, id: id, to: &json)
      if case .success = report.result { return true }
      return false
    } catch {
      Record.unreadable(error, id: id, to: &json)
      return false
    }
  }

  /// Writes the record of one line of `--lines`.
  func verifyLine(_ line: ArraySlice<UInt8>, to json: inout JSONWriter) -> Bool {
    guard !line.isAllWhiteSpace else {
      Record.unreadable(TokenError(.blankLine), to: &json)
      return false
    }
    guard line.first == UInt8(ascii: "{") else { return verify(line, to: &json) }
    return verifyObject(Array(line), to: &json)
  }

  /// A line that is an object: `{"id":…, "token":"…"}`, or a token that is JSON itself.
  private func verifyObject(_ line: [UInt8], to json: inout JSONWriter) -> Bool {
    var id: [UInt8]?
    do throws(TokenError) {
      guard line.count <= Limits.hardByteLimit else { throw TokenError(.inputTooLarge) }
      let object = try JSONParser.parse(line, depthLimit: trust.limits.jsonDepth)
      id = object["id"].map { Array(line[$0.range]) }
      if object["token"] == nil, object["securityToken"] != nil {
        return verify(line[...], id: id, to: &json)
      }
      guard let token = object["token"]?.string else { throw TokenError(.lineObject) }
      return verify(Array(token.utf8)[...], id: id, to: &json)
    } catch {
      Record.unreadable(error, id: id, to: &json)
      return false
    }
  }

  private func projection(of issuer: String) -> ClaimProjection? {
    for trusted in trust.issuers {
      if case .exactly(let name) = trusted.name, name.hasSameBytes(as: issuer) {
        return trusted.projection
      }
    }
    return nil
  }
}
