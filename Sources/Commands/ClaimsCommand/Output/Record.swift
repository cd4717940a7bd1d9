import Federation
import LocalFiles
import Octets
import TokenBasics
import TokenReports

/// The JSON objects of the contract.
enum Record {
  /// Writes the record of a verified token; returns the code that it was rejected with.
  ///
  /// - Parameter claimant: Whom the token names as its issuer; asked for where it is rejected alone.
  static func verdict(
    _ verdict: Verdict, _ notes: Verdict.Notes, format: TokenFormat,
    claimant: () -> Claimant, claims: (VerifiedContent) -> ClaimSet, origins: [ClaimOrigin] = [],
    explains: Bool, origin: LineOrigin = LineOrigin(), to json: inout JSONWriter
  ) -> TokenError.Code? {
    defer { json.endLine() }
    // Outside of the closures, so that they use the content in place and copy nothing.
    switch verdict {
    case .accepted(let content):
      let shown = claims(content)
      json.object { json in
        begin(origin, isValid: true, format, &json)
        write(content.facts, &json)
        write(shown, &json)
        write(content.signedBy, &json)
        write(content.encryptedWith, &json)
        json.name("warnings")
        json.array { json in notes.warnings.forEach { json.string(HintOptions.added(to: $0)) } }
        if explains {
          write(origins, of: content.claims, &json)
          write(notes.checks, &json)
        }
      }
      return nil
    case .rejected(let error):
      let claimant = claimant()
      json.object { json in
        begin(origin, isValid: false, format, &json)
        json.member("issuer", claimant.issuer)
        json.member("keyID", claimant.keyID)
        json.name("error")
        json.object { json in
          members(of: error, &json)
          guard claimant.issuer != nil, !Claimant.isProven(by: error.code) else { return }
          json.name("unverified")
          json.bool(true)
        }
        if explains { write(notes.checks, &json) }
      }
      return error.code
    }
  }

  /// A token that could not be read; returns why.
  @discardableResult
  static func unreadable(
    _ error: TokenError, verb: StaticString = "valid", origin: LineOrigin = LineOrigin(),
    to json: inout JSONWriter
  ) -> TokenError.Code {
    json.object { json in
      write(origin, &json)
      json.name(verb)
      json.bool(false)
      write(error, &json)
    }
    json.endLine()
    return error.code
  }

  /// The error that ended the output.
  static func failed(_ error: TokenError, to json: inout JSONWriter) {
    json.object { write(error, &$0) }
    json.endLine()
  }

  /// A token as read, not verified, or why it cannot be read; returns that.
  ///
  /// - Parameter octets: The token as it came: what is around an assertion that cannot be read is shown.
  static func decoded(
    _ octets: [UInt8], as pinned: PinnedFormat?, decryptedBy trust: Trust,
    presentation: ClaimPresentation, origin: LineOrigin = LineOrigin(), to json: inout JSONWriter
  ) -> TokenError.Code? {
    let limits = trust.limits
    let whole = octets
    var octets = octets
    var place: String?
    var several: [PastedToken] = []
    do throws(TokenError) {
      let token: AnyToken
      do throws(TokenError) {
        token = presentation.named(
          try AnyToken(decoding: octets[...], as: pinned, limits: limits))
      } catch {
        several = PastedToken.all(in: octets, as: pinned, limits: limits, after: error)
        guard several.count == 1, let pasted = several.first else { throw error }
        (octets, place) = (pasted.octets, pasted.place)
        token = presentation.named(pasted.token)
      }
      let (facts, claims) = try token.unverifiedContent(trust)
      json.object { json in
        write(origin, &json)
        json.name("verified")
        json.bool(false)
        if let place {
          json.member("takenFrom", place)
          writeSurroundings(whole, &json)
        }
        json.member("format", token.format.name)
        if let header = header(of: token, octets, as: pinned, trust) {
          json.name("header")
          json.raw(header)
        }
        write(facts, &json)
        write(presentation.shown(claims, of: nil), &json)
        if case .encryptedJWT(let token) = token { write(token.encryptedWith, &json) }
      }
      json.endLine()
      return nil
    } catch {
      json.object { json in
        write(origin, &json)
        json.name("verified")
        json.bool(false)
        writeEnvelope(octets, as: pinned, limits, &json)
        write(error, &json)
        write(several, &json)
      }
      json.endLine()
      return error.code
    }
  }

  // MARK: Parts

  /// The tokens of a text that has several, to choose from.
  private static func write(_ tokens: [PastedToken], _ json: inout JSONWriter) {
    guard tokens.count > 1 else { return }
    json.name("tokens")
    json.array { json in
      for pasted in tokens {
        json.object { json in
          json.member("takenFrom", pasted.place)
          json.member("format", pasted.token.format.name)
          json.member("issuer", pasted.token.unverifiedFacts.issuer)
          json.name("bytes")
          json.integer(pasted.octets.count)
          json.member("digest", SecretMark.digest(pasted.octets))
        }
      }
    }
  }

  /// The header of the signed token: of an encrypted one that of the token inside.
  private static func header(
    of token: AnyToken, _ octets: [UInt8], as pinned: PinnedFormat?, _ trust: Trust
  ) -> [UInt8]? {
    switch token {
    case .jwt, .sdjwt: return Envelope.header(octets, as: pinned, limits: trust.limits)
    case .encryptedJWT(let token):
      let inner = try? token.inner(trust, exceptions: [.rsaPKCS1Encryption])
      return inner.flatMap { Envelope.header($0.octets, as: nil, limits: trust.limits) }
    case .swt, .saml: return nil
    }
  }

  private static func writeEnvelope(
    _ octets: [UInt8], as pinned: PinnedFormat?, _ limits: Limits, _ json: inout JSONWriter
  ) {
    if let envelope = Envelope(octets, as: pinned, limits: limits) {
      return envelope.write(to: &json)
    }
    guard let header = Envelope.encryptedHeader(octets, as: pinned, limits: limits) else { return }
    json.name("envelope")
    json.object { json in
      json.name("header")
      json.raw(header)
    }
  }

  /// What a text is that a token was taken from.
  private static func writeSurroundings(_ octets: [UInt8], _ json: inout JSONWriter) {
    json.name("envelope")
    json.object { $0.member("text", RecognisedText.of(octets).shown) }
  }

  private static func write(_ origin: LineOrigin, _ json: inout JSONWriter) {
    json.member("file", origin.file)
    if let line = origin.line {
      json.name("line")
      json.integer(line)
    }
    guard let id = origin.id else { return }
    json.name("id")
    json.raw(id)
  }

  private static func begin(
    _ origin: LineOrigin, isValid: Bool, _ format: TokenFormat, _ json: inout JSONWriter
  ) {
    write(origin, &json)
    json.name("valid")
    json.bool(isValid)
    json.member("format", format.name)
  }

  private static func write(_ signer: Signer, _ json: inout JSONWriter) {
    json.name("signedBy")
    json.object { json in
      json.member("algorithm", signer.algorithm)
      json.member("key", signer.key)
    }
  }

  private static func write(_ names: EncryptionNames?, _ json: inout JSONWriter) {
    guard let names else { return }
    json.name("encryptedWith")
    json.object { json in
      json.member("algorithm", names.algorithm)
      json.member("encryption", names.encryption)
    }
  }

  private static func write(_ facts: TokenFacts, _ json: inout JSONWriter) {
    let table = facts.table
    json.name("issuer")
    write(facts.issuerText, of: table, &json)
    optional("subject", facts.subjectText, of: table, &json)
    json.name("audiences")
    json.array { json in
      for position in 0..<facts.audienceCount {
        if let text = facts.audienceText(position) { write(text, of: table, &json) }
      }
    }
    optional("notBefore", facts.notBefore, &json)
    optional("expires", facts.expires, &json)
    optional("tokenID", facts.tokenIDText, of: table, &json)
  }

  private static func write(_ claims: ClaimSet, _ json: inout JSONWriter) {
    json.name("claims")
    json.object { json in
      let table = claims.table
      for number in table.records.indices where table.isFirst(number) {
        let type = table.types[Int(table.records[number].type)].text
        if type.isAdded {
          json.name(table.added, type.range)
        } else {
          json.name(table.octets, type.range)
        }
        json.array { json in
          var next: Int? = number
          while let number = next {
            write(table.records[number].value, of: table, &json)
            next = table.next(after: number)
          }
        }
      }
    }
  }

  private static func write(_ text: ClaimText, of table: ClaimTable, _ json: inout JSONWriter) {
    if text.isAdded {
      json.string(table.added, text.range)
    } else {
      json.string(table.octets, text.range)
    }
  }

  private static func write(_ error: TokenError, _ json: inout JSONWriter) {
    json.name("error")
    json.object { members(of: error, &$0) }
  }

  /// An error, as members of the open object.
  static func members(of error: TokenError, _ json: inout JSONWriter) {
    json.member("code", error.code.rawValue)
    json.member("message", error.message)
    json.member("node", error.node)
    json.member("expected", error.expected.map(TokenError.unquoted))
    json.member("found", error.found.map(TokenError.unquoted))
    json.member("hint", HintOptions.added(to: error.hint))
  }

  /// Where each value of a claim comes from, in the order of the values.
  private static func write(
    _ origins: [ClaimOrigin], of claims: ClaimSet, _ json: inout JSONWriter
  ) {
    guard !origins.isEmpty else { return }
    var order: [ClaimType] = []
    var byType: [ClaimType: [ClaimOrigin]] = [:]
    for (claim, origin) in zip(claims, origins) {
      if byType[claim.type] == nil { order.append(claim.type) }
      byType[claim.type, default: []].append(origin)
    }
    json.name("disclosed")
    json.object { json in
      for type in order {
        json.name(text: type.name)
        json.array { json in
          for origin in byType[type] ?? [] { json.string(origin.rawValue) }
        }
      }
    }
  }

  private static func write(_ checks: [Check], _ json: inout JSONWriter) {
    json.name("checks")
    json.array { json in
      for check in checks {
        json.object { json in
          json.member("check", check.name.rawValue)
          json.member("outcome", check.outcome.rawValue)
          json.member("code", check.error?.code.rawValue)
          json.member("node", check.node)
          json.member("expected", check.expected.map(TokenError.unquoted))
          json.member("found", check.found.map(TokenError.unquoted))
        }
      }
    }
  }

  private static func optional(
    _ name: StaticString, _ text: ClaimText?, of table: ClaimTable, _ json: inout JSONWriter
  ) {
    json.name(name)
    if let text { write(text, of: table, &json) } else { json.null() }
  }

  private static func optional(
    _ name: StaticString, _ instant: Instant?, _ json: inout JSONWriter
  ) {
    json.name(name)
    guard let instant else { return json.null() }
    json.plainString(upTo: Instant.textLength) { instant.writeRFC3339(to: &$0) }
  }
}

extension Record {
  /// What a capture replaced: counts by place, never values.
  static func capture(_ capture: Capture, to json: inout JSONWriter) {
    json.object { json in
      json.name("code")
      if let code = capture.code { json.string(code.description) } else { json.null() }
      json.name("bytes")
      json.integer(capture.token.count)
      json.name("replaced")
      json.object { json in
        for (place, count) in capture.counts {
          json.name(text: place)
          json.integer(count)
        }
      }
      json.name("notes")
      json.array { json in for note in capture.notes { json.string(note) } }
      json.name("files")
      json.array { json in
        for file in capture.files { json.string(file.name) }
        json.string("token")
        json.string("README")
      }
    }
    json.endLine()
  }
}

extension Capture {
  /// The text beside the token.
  var readme: String {
    let words = arguments.map { argument in
      let isPlain = argument.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || [0x2D, 0x2E, 0x2F, 0x3A, 0x5F].contains($0)
      }
      return isPlain && !argument.isEmpty ? argument : "'\(argument.replacing("'", with: "'\\''"))'"
    }
    return """
      This token was made by claims capture. Its values are random ones of the same shape, and the keys
      in this folder were made for it: they are trusted nowhere.

      claims verify \(words.joined(separator: " ")) token

      gives: \(code?.description ?? "accepted")

      \(notes.map { "- \($0)" }.joined(separator: "\n"))

      """
  }
}

/// Where the token of a record came from, as far as the record says it.
struct LineOrigin {
  /// Any JSON, as the line has it.
  var id: [UInt8]?
  /// Counted from 1; with `--line-numbers` alone.
  var line: Int?
  /// With `--line-numbers` and several files alone.
  var file: String?
}
