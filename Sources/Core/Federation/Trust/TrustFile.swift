import Octets
package import Settings
public import TokenBasics

/// A trust configuration in JSON.
public struct TrustFile: Sendable {
  /// The file's trust; nil when there are errors.
  public let trust: Trust?
  /// All errors of the file, in document order. The node is `line L, column C`.
  public let errors: [TokenError]
  /// Allowed but doubtful settings, as one sentence each.
  public let warnings: [String]
  /// Why keys in the files that it names are passed over, each with the file and its place there.
  /// The rest is trusted all the same.
  public let passedOver: [TokenError]

  /// Reads a trust file and collects every error, not only the first.
  ///
  /// - Parameters:
  ///   - bytes: The trust file, JSON.
  ///   - files: Reads the key files, whose paths are relative to the trust file.
  public init(parsing bytes: [UInt8], files: some FileSource) {
    let json: JSONValue
    do {
      json = try JSONParser.parse(bytes)
    } catch {
      let code: TokenError.Code =
        error.code == .duplicateJSONName ? error.code : .trustFileSyntax
      trust = nil
      warnings = []
      passedOver = []
      errors = [Self.notTrustFile(bytes, code, error)]
      return
    }
    let file = SettingsFile(bytes, json, Self.codes)
    var reader = TrustFileReader(bytes, file, files: files)
    let trust = reader.read()
    let found = file.finish()
    errors = Self.otherDocument(bytes, json, found).map { [$0] } ?? found
    warnings = reader.warnings
    passedOver = reader.passedOver
    self.trust = errors.isEmpty ? trust : nil
  }

  private static let codes = SettingsCodes(
    unknown: .trustFileKey, missing: .trustFileValue, value: .trustFileValue)

  /// The members of a trust file.
  package static var settings: SettingsDescription {
    SettingsFile.description(codes) { file in
      var reader = TrustFileReader([], file, files: EmptyFolder())
      _ = reader.read()
    }
  }

  /// The error for JSON that is another document as a whole, in which no member is one of a trust file; nil for a trust file
  /// with misspelt or missing members.
  private static func otherDocument(
    _ bytes: [UInt8], _ json: JSONValue, _ found: [TokenError]
  ) -> TokenError? {
    guard !found.isEmpty, json["issuers"] == nil else { return nil }
    let text = RecognisedText.of(bytes)
    switch text.kind {
    case .trustFile, .serviceFile, .other, .empty: return nil
    case .json:
      let unknown = found.count { $0.code == .trustFileKey && $0.found != "nothing" }
      let hasLikeness = found.contains { $0.setting?.suggestion != nil }
      // An issuer without the list around it has members of a trust file.
      guard let members = json.members, members.count > 1, unknown >= members.count, !hasLikeness,
        !members.contains(where: { ["metadata", "keys"].contains($0.name) })
      else { return nil }
    default: break
    }
    return TokenError(
      .trustFileKey, node: found.first?.node,
      expected: "a trust file, which is JSON with the member issuers",
      found: text.shown,
      hint: TextAdvice.hint(text, at: .trustFile)
        ?? "this is no trust file; name a trust file here, which is JSON with the member issuers")
  }

  /// The error for content that is no JSON object, with what it is where that is known.
  private static func notTrustFile(
    _ bytes: [UInt8], _ code: TokenError.Code, _ error: TokenError
  ) -> TokenError {
    if error.code == .duplicateJSONName {
      var twice = TokenError(
        code, node: error.node, expected: error.expected, found: error.found,
        hint: "keep one of the two members")
      let name = error.found.map { " \($0)" } ?? ""
      twice.setting = error.node.flatMap { LinePlace($0) }.map {
        SettingPlace($0, sentence: "the member\(name) occurs twice in one object")
      }
      return twice
    }
    let text = RecognisedText.of(bytes)
    guard ![.json, .trustFile, .other].contains(text.kind) else {
      return TokenError(
        code, node: error.node, expected: error.expected, found: error.found,
        hint: JSONSlip(bytes, error)?.hint)
    }
    return TokenError(
      code, node: error.node, expected: TextPlace.trustFile.expected, found: text.shown,
      hint: TextAdvice.hint(text, at: .trustFile))
  }

  /// The file's trust.
  ///
  /// - Throws: `policy.trust-file-*` and others: the first of ``errors``; `policy.trust-file-remote` for a file with issuers whose
  ///   keys have to be fetched.
  public func get() throws(TokenError) -> Trust {
    let trust = try withRemoteIssuers()
    if let remote = trust.remoteIssuers.first {
      throw TokenError(
        .trustFileRemote, expected: "keys in the file", found: TokenError.excerpt(remote.name))
    }
    return trust
  }

  /// The file's trust, with the issuers that a registry has to fetch or ask.
  ///
  /// - Throws: As ``get()``, but for those.
  package func withRemoteIssuers() throws(TokenError) -> Trust {
    if let first = errors.first { throw first }
    guard let trust else { throw TokenError(.trustFileSyntax) }
    return trust
  }
}

/// Access to configuration files. The library itself opens none.
public protocol FileSource: Sendable {
  /// The bytes of the file at `path`, which may be relative to a folder of the source.
  ///
  /// - Throws: `policy.trust-file-reference` or another code with the cause.
  func read(_ path: String) throws(TokenError) -> [UInt8]

  /// Passes the file at `path` to `body` piece by piece. A source should read no more at a time than
  /// one piece: metadata of a federation has tens of megabytes.
  ///
  /// - Throws: as ``read(_:)``, and what `body` throws.
  func forEachChunk(
    of path: String, _ body: ([UInt8]) throws(TokenError) -> Void
  ) throws(TokenError)
}

extension FileSource {
  /// Passes the whole file as one piece.
  public func forEachChunk(
    of path: String, _ body: ([UInt8]) throws(TokenError) -> Void
  ) throws(TokenError) {
    try body(read(path))
  }
}

/// A folder without files, for a trust file that describes itself.
private struct EmptyFolder: FileSource {
  func read(_ path: String) throws(TokenError) -> [UInt8] {
    throw TokenError(.trustFileReference, found: TokenError.excerpt(path))
  }
}
