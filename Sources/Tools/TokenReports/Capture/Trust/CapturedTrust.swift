import Claims
import Federation
import SecurityKeys
import TokenBasics

/// The trust of a capture: names replaced as in the token, test keys for keys, and the rest as it was.
struct CapturedTrust {
  private(set) var files: [Capture.File] = []
  private(set) var arguments: [String] = []
  let expectations: Expectations
  private let trust: Trust
  private let pinned: PinnedFormat?
  /// Files in which originals are looked for; keys have none.
  private(set) var texts: [[UInt8]] = []
  private var flags: KeyFlags?

  init(
    _ session: CaptureSession, _ entries: [TrustedIssuer], _ expectations: Expectations,
    at now: Instant, as pinned: PinnedFormat?
  ) throws(TokenError) {
    let trust = session.trust
    self.trust = trust
    self.pinned = pinned
    let another = { (text: String) -> String in
      let made = session.replacer.value(Array(text.utf8), nil)
      return String(decoding: made, as: UTF8.self)
    }
    self.expectations = Expectations(
      recipient: expectations.recipient.map(another),
      inResponseTo: expectations.inResponseTo.map(another))
    var writer = KeyFileWriter(session)
    let isAny = entries.allSatisfy { $0.name == .any }
    if isAny {
      flags = try KeyFlags(entries, &writer)
      arguments = flags?.arguments ?? []
      if let skew = Optional(trust.skew), skew != Trust.defaultSkew {
        arguments += ["--skew", "\(skew)"]
      }
    } else {
      let text = try TrustFileText(another, trust, pinned).text(entries, &writer)
      files.append(Capture.File(name: "trust.json", octets: text))
      texts.append(text)
      arguments = ["--trust", "trust.json"]
    }
    for (place, key) in trust.decryptionKeys.enumerated() {
      var name = "decrypt-\(place + 1)"
      switch key.material {
      case .privateKey(let key):
        name += ".key"
        for made in try session.keys.recipients(for: [key]) { writer.add(made, as: name) }
      case .secret(let secret):
        writer.add(secret: try session.keys.secret(for: secret).octets, as: name + ".jwk")
        name = "jwk:\(name).jwk"
      }
      decryptionFiles.append(name)
      arguments += ["--decrypt-key", name]
    }
    switch trust.audiences {
    case .any: arguments.append("--allow-any-audience")
    case .oneOf(let names):
      audiences = names.map(another)
      arguments += audiences.flatMap { ["--audience", $0] }
    }
    arguments += ["--at", now.description]
    session.replacer.kept.insert(now.description)
    if let recipient = self.expectations.recipient { arguments += ["--recipient", recipient] }
    if let request = self.expectations.inResponseTo { arguments += ["--in-response-to", request] }
    if let pinned { arguments += ["--format", pinned.rawValue] }
    files += writer.files
    texts.append(Array(arguments.joined(separator: " ").utf8))
  }

  private var audiences: [String] = []
  private var decryptionFiles: [String] = []

  /// The trust as `claims verify` reads it from the files.
  func read() throws(TokenError) -> Trust {
    let source = CapturedFiles(files: files)
    var read: Trust
    if let flags {
      read = Trust(issuers: try flags.issuers(source, pinned), audiences: .oneOf([]))
      try read.setSkew(trust.skew)
    } else {
      read = try TrustFile(parsing: source.read("trust.json"), files: source).get()
    }
    read.encryptionAlgorithms = trust.encryptionAlgorithms
    read.audiences = trust.audiences == .any ? .any : .oneOf(audiences)
    for name in decryptionFiles {
      read.decryptionKeys += try KeySpecification.decryptionKeys(name, files: source)
    }
    return read
  }
}

/// The files of a capture before they are written.
struct CapturedFiles: FileSource {
  let files: [Capture.File]

  func read(_ path: String) throws(TokenError) -> [UInt8] {
    guard let file = files.first(where: { $0.name == path }) else {
      throw TokenError(.trustFileReference, node: path)
    }
    return file.octets
  }
}

/// Trust in keys whatever the issuer's name, which `--key` expresses and no trust file can.
struct KeyFlags {
  private var specifications: [String] = []
  private var exceptions: Set<LegacyException> = []
  private var enforces = false

  init(_ entries: [TrustedIssuer], _ writer: inout KeyFileWriter) throws(TokenError) {
    for key in entries.flatMap(\.keys) {
      let specification = try writer.specification(of: key)
      if !specifications.contains(specification) { specifications.append(specification) }
      exceptions.formUnion(key.exceptions)
      enforces = enforces || key.certificateDates == .enforce
    }
  }

  var arguments: [String] {
    specifications.flatMap { ["--key", $0] }
      + exceptions.map(\.name).sorted().flatMap { ["--allow-algorithm", $0] }
      + (enforces ? ["--certificate-dates", "enforce"] : [])
  }

  /// The entries that `claims verify` makes of the arguments.
  func issuers(
    _ files: CapturedFiles, _ pinned: PinnedFormat?
  ) throws(TokenError) -> [TrustedIssuer] {
    var vouching: [(key: TrustedKey, formats: Set<TokenFormat>)] = []
    for specification in specifications {
      for var key in try KeySpecification.keys(specification, files: files) {
        key.exceptions = exceptions
        if enforces { key.certificateDates = .enforce }
        var formats = KeySpecification.defaultFormats(of: specification, key: key.key)
        if case .secret = key.key.material, pinned == .jwt { formats = [.jwt] }
        vouching.append((key, formats))
      }
    }
    return TrustedIssuer.entries(.any, keys: vouching)
  }
}

/// Writes a trust file for the entries of a capture.
struct TrustFileText {
  private let another: (String) -> String
  private let trust: Trust
  private let pinned: PinnedFormat?

  init(_ another: @escaping (String) -> String, _ trust: Trust, _ pinned: PinnedFormat?) {
    self.another = another
    self.trust = trust
    self.pinned = pinned
  }

  func text(
    _ entries: [TrustedIssuer], _ writer: inout KeyFileWriter
  ) throws(TokenError) -> [UInt8] {
    var described: [(entry: TrustedIssuer, name: String, keys: [String])] = []
    for entry in entries {
      guard case .exactly(let name) = entry.name else { continue }
      var keys: [String] = []
      for key in entry.keys { keys.append(try writer.specification(of: key)) }
      described.append((entry, another(name), keys))
    }
    var json = JSONWriter()
    json.object { json in
      json.name("skew")
      json.integer(trust.skew)
      json.name("issuers")
      json.array { json in
        for (entry, name, keys) in described {
          json.object { json in write(entry, name, keys, to: &json) }
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  private func write(
    _ entry: TrustedIssuer, _ name: String, _ keys: [String], to json: inout JSONWriter
  ) {
    let first = entry.keys.first
    json.name("name")
    json.string(name)
    list("keys", keys, to: &json)
    list("formats", entry.formats.map(\.name).sorted(), to: &json)
    // Those of all keys, each of which has its own beside it where they differ.
    let limited = entry.keys.map(\.algorithms)
    let isLimited = !limited.isEmpty && !limited.contains { $0 == nil }
    // The name of an exception may be that of an algorithm too, which would be the only one then.
    let allowed =
      isLimited
      ? limited.flatMap { $0 ?? [] }
      : SignatureAlgorithm.all.filter { LegacyException($0.name) == nil }
    if isLimited || !entry.exceptions.isEmpty {
      let names = Set(allowed.map(\.name) + entry.exceptions.map(\.name))
      list("algorithms", names.sorted(), to: &json)
    }
    if first?.certificateDates == .enforce {
      json.name("certificateDates")
      json.string("enforce")
    }
  }

  private func list(_ name: StaticString, _ texts: [String], to json: inout JSONWriter) {
    json.name(name)
    json.array { json in for text in texts { json.string(text) } }
  }
}
