import Federation
import StrictJSON

/// The JSON objects of the contract.
enum Record {
  /// A token that was accepted or rejected.
  static func verdict(
    _ report: ValidationReport<AnyToken>, format: TokenFormat,
    claims: (Verified<AnyToken>) -> ClaimSet,
    explains: Bool, id: [UInt8]? = nil, to json: inout JSONWriter
  ) {
    json.object { json in
      write(id, &json)
      switch report.result {
      case .success(let verified):
        json.name("valid")
        json.bool(true)
        json.name("format")
        json.string(format.name)
        write(verified.facts, &json)
        write(claims(verified), &json)
        json.name("signedBy")
        json.object { json in
          json.name("algorithm")
          json.string(verified.signedBy.algorithm)
          json.name("key")
          json.string(verified.signedBy.key)
        }
        json.name("warnings")
        json.array { json in verified.warnings.forEach { json.string($0) } }
      case .failure(let error):
        json.name("valid")
        json.bool(false)
        json.name("format")
        json.string(format.name)
        write(error, &json)
      }
      if explains { write(report.checks, &json) }
    }
    json.endLine()
  }

  /// A token that could not even be read.
  static func unreadable(
    _ error: TokenError, verb: StaticString = "valid", id: [UInt8]? = nil,
    to json: inout JSONWriter
  ) {
    json.object { json in
      write(id, &json)
      json.name(verb)
      json.bool(false)
      write(error, &json)
    }
    json.endLine()
  }

  /// Why there is no more output.
  static func failed(_ error: TokenError, to json: inout JSONWriter) {
    json.object { write(error, &$0) }
    json.endLine()
  }

  /// A token as it reads, not judged.
  static func decoded(
    _ token: AnyToken, decryptionKeys: [PrivateKey], as presentation: ClaimPresentation,
    to json: inout JSONWriter
  ) throws(TokenError) {
    let content: (facts: TokenFacts, claims: ClaimSet)
    switch token {
    case .saml(let saml): content = try saml.unverifiedContent(decryptionKeys: decryptionKeys)
    default: content = (token.unverifiedFacts, token.unverifiedClaims)
    }
    json.object { json in
      json.name("verified")
      json.bool(false)
      json.name("format")
      json.string(token.format.name)
      write(content.facts, &json)
      write(presentation.shown(content.claims, of: nil), &json)
    }
    json.endLine()
  }

  // MARK: Parts

  private static func write(_ id: [UInt8]?, _ json: inout JSONWriter) {
    guard let id else { return }
    json.name("id")
    json.raw(id)
  }

  private static func write(_ facts: TokenFacts, _ json: inout JSONWriter) {
    json.name("issuer")
    json.string(facts.issuer)
    optional("subject", facts.subject, &json)
    json.name("audiences")
    json.array { json in facts.audiences.forEach { json.string($0) } }
    optional("notBefore", facts.notBefore?.rfc3339, &json)
    optional("expires", facts.expires?.rfc3339, &json)
    optional("tokenID", facts.tokenID, &json)
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
            let value = table.records[number].value
            if value.isAdded {
              json.string(table.added, value.range)
            } else {
              json.string(table.octets, value.range)
            }
            next = table.next(after: number)
          }
        }
      }
    }
  }

  private static func write(_ error: TokenError, _ json: inout JSONWriter) {
    json.name("error")
    json.object { members(of: error, &$0) }
  }

  /// What an error says, as members of the object that is open.
  static func members(of error: TokenError, _ json: inout JSONWriter) {
    json.name("code")
    json.string(error.code.rawValue)
    json.name("message")
    json.string(error.message)
    present("node", error.node, &json)
    present("expected", error.expected, &json)
    present("found", error.found, &json)
    json.name("hint")
    json.string(error.hint)
  }

  private static func write(_ checks: [Check], _ json: inout JSONWriter) {
    json.name("checks")
    json.array { json in
      for check in checks {
        json.object { json in
          json.name("check")
          json.string(check.name.rawValue)
          json.name("outcome")
          json.string(check.outcome.rawValue)
          present("code", check.error?.code.rawValue, &json)
          present("node", check.node, &json)
          present("expected", check.expected, &json)
          present("found", check.found, &json)
        }
      }
    }
  }

  private static func optional(_ name: StaticString, _ text: String?, _ json: inout JSONWriter) {
    json.name(name)
    if let text { json.string(text) } else { json.null() }
  }

  private static func present(_ name: StaticString, _ text: String?, _ json: inout JSONWriter) {
    guard let text else { return }
    json.name(name)
    json.string(text)
  }
}
