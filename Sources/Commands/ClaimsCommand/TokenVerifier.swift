import Federation
import Octets
import TokenBasics

/// Verifies one token after another with the same trust, or reads them without judging, and writes the records.
struct TokenVerifier: Sendable {
  private let validator: TokenValidator<AnyToken>
  let expectations: Expectations
  let pinned: PinnedFormat?
  let presentation: ClaimPresentation
  let explains: Bool
  /// Whether tokens are read and not judged, as `decode` does.
  private let decodes: Bool
  /// Whether some issuer has a claim projection of its own.
  private let hasProjections: Bool

  init(
    trust: Trust, expectations: Expectations, pinned: PinnedFormat?,
    presentation: ClaimPresentation, explains: Bool, decodes: Bool = false
  ) {
    validator = TokenValidator(trust)
    self.expectations = expectations
    self.pinned = pinned
    self.presentation = presentation
    self.explains = explains
    self.decodes = decodes
    hasProjections = trust.issuers.contains { $0.projection != .all }
  }

  /// Reads tokens without judging them; `trust` has the keys to decrypt with.
  init(
    decodingWith trust: Trust, pinned: PinnedFormat?, presentation: ClaimPresentation
  ) {
    self.init(
      trust: trust, expectations: Expectations(), pinned: pinned,
      presentation: presentation, explains: false, decodes: true)
  }

  var trust: Trust { validator.trust }

  /// The same verifier for another thread.
  func uncontendedCopy() -> TokenVerifier {
    TokenVerifier(
      trust: trust.uncontendedCopy(), expectations: expectations, pinned: pinned,
      presentation: presentation, explains: explains, decodes: decodes)
  }

  /// Reads one token.
  ///
  /// - Throws: the error of reading.
  func read(_ octets: ArraySlice<UInt8>) throws(TokenError) -> AnyToken {
    let token = try AnyToken(reading: octets, as: pinned, limits: trust.limits)
    return presentation.usesClaimURIs ? presentation.named(token) : token
  }

  /// The verdict on one token.
  func verdict(
    on token: AnyToken, at now: Instant, isDetailed: Bool
  ) -> (verdict: Verdict, notes: Verdict.Notes) {
    validator.verdict(on: token, at: now, expectations, isDetailed: isDetailed)
  }

  /// Writes the record of one token; returns the code that it was rejected with.
  func verify(
    _ octets: ArraySlice<UInt8>, at now: Instant, origin: LineOrigin = LineOrigin(),
    to json: inout JSONWriter
  ) -> TokenError.Code? {
    if decodes {
      return Record.decoded(
        Array(octets), as: pinned, decryptedBy: trust, presentation: presentation, origin: origin,
        to: &json)
    }
    do throws(TokenError) {
      let token = try read(octets)
      let (verdict, notes) = verdict(on: token, at: now, isDetailed: explains)
      return Record.verdict(
        verdict, notes, format: token.format, claimant: { Claimant(token) },
        claims: { content in shownClaims(content) }, origins: explains ? token.claimOrigins : [],
        explains: explains, origin: origin, to: &json)
    } catch {
      return unreadable(error, origin, &json)
    }
  }

  /// Writes the record of what is no token.
  private func unreadable(
    _ error: TokenError, _ origin: LineOrigin, _ json: inout JSONWriter
  ) -> TokenError.Code {
    Record.unreadable(
      error, verb: decodes ? "verified" : "valid", origin: origin, to: &json)
  }

  /// Writes the record of one line of `--lines`; returns the code that it was rejected with.
  func verifyLine(
    _ line: ArraySlice<UInt8>, at now: Instant, origin: LineOrigin, to json: inout JSONWriter
  ) -> TokenError.Code? {
    guard !line.isAllWhiteSpace else {
      return unreadable(TokenError(.blankLine), origin, &json)
    }
    // Of a longer line no more is known than that it is longer.
    guard line.count <= Limits.hardByteLimit else {
      let limit = "\(Limits.hardByteLimit) bytes"
      return unreadable(
        TokenError(.inputTooLarge, expected: "at most \(limit)", found: "more than \(limit)"),
        origin, &json)
    }
    if line.first == UInt8(ascii: "{") {
      return verifyObject(Array(line), at: now, origin: origin, to: &json)
    }
    if let mark = objectPreceded(line) {
      let error = TokenError(.lineObject, expected: "{ as the first byte", found: mark)
      return unreadable(error, origin, &json)
    }
    return verify(line, at: now, origin: origin, to: &json)
  }

  /// A line that is an object: `{"id":…, "token":"…"}`, `{"id":…, "token64":"…"}`, or a token that is JSON itself. The
  /// octets of the token get the same verdict as on a line of their own.
  private func verifyObject(
    _ line: [UInt8], at now: Instant, origin: LineOrigin, to json: inout JSONWriter
  ) -> TokenError.Code? {
    var origin = origin
    do throws(TokenError) {
      let object = try JSONParser.parse(line, limits: trust.limits)
      origin.id = object["id"].map { Array(line[$0.range]) }
      if object["token"] == nil, object["token64"] == nil, object["securityToken"] != nil {
        return verify(line[...], at: now, origin: origin, to: &json)
      }
      var octets = try Self.octets(of: object)
      if octets.last == ASCII.lineFeed { octets.removeLast() }
      if octets.last == ASCII.carriageReturn { octets.removeLast() }
      guard !octets.isAllWhiteSpace else { throw TokenError(.blankLine) }
      return verify(octets, at: now, origin: origin, to: &json)
    } catch {
      return unreadable(error, origin, &json)
    }
  }

  /// What stands before an object with a token, where nothing may stand.
  private func objectPreceded(_ line: ArraySlice<UInt8>) -> String? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let hasMark = line.starts(with: mark)
    let rest = line.dropFirst(hasMark ? mark.count : 0).drop { ASCII.isWhiteSpace($0) }
    guard rest.first == UInt8(ascii: "{"),
      let object = try? JSONParser.parse(Array(rest), limits: trust.limits),
      object["token"] != nil || object["token64"] != nil
    else { return nil }
    return hasMark ? "a byte order mark before {" : "white space before {"
  }

  /// The token of a line's object: a text, or any octets in base64.
  ///
  /// - Throws: `input.line-object`, `input.base64`.
  private static func octets(of object: JSONValue) throws(TokenError) -> ArraySlice<UInt8> {
    switch (object["token"], object["token64"]) {
    case (let text?, nil):
      guard let text = text.string else { throw TokenError(.lineObject) }
      return Array(text.utf8)[...]
    case (nil, let encoded?):
      guard let text = encoded.string else { throw TokenError(.lineObject) }
      return try Base64.decode(Array(text.utf8))[...]
    default: throw TokenError(.lineObject)
    }
  }

  private func shownClaims(_ content: VerifiedContent) -> ClaimSet {
    presentation.shown(
      content.claims, of: hasProjections ? content.projection : nil)
  }
}

/// The clock of the checks.
enum RunClock: Sendable {
  case fixed(Instant)
  case ofTheMachine

  /// The instant now: the system's clock advances.
  var now: Instant {
    switch self {
    case .fixed(let instant): instant
    case .ofTheMachine: SystemTime().now
    }
  }
}
