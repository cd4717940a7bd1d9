import Claims
import Federation
import Instants
import Octets
import SecurityKeys
import TokenErrors

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
    for (place, key) in try session.keys.recipients(for: trust.decryptionKeys).enumerated() {
      let name = "decrypt-\(place + 1).key"
      writer.add(key, as: name)
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
    read.audiences = trust.audiences == .any ? .any : .oneOf(audiences)
    for name in decryptionFiles {
      read.decryptionKeys.append(try PrivateKey(pemOrDER: source.read(name)))
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
