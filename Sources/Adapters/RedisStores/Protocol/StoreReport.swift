public import TokenBasics

/// What a server says of itself (`INFO`), as far as it decides whether it may forget what it was told to keep.
public struct StoreReport: Hashable, Sendable {
  /// `maxmemory-policy`; nil where the server does not say.
  public let evictionPolicy: String?
  /// Whether every write goes to an append-only file; nil where the server does not say.
  public let isAppendOnly: Bool?
  /// Whether the last write to that file failed.
  public let hasFailedWrite: Bool
  /// `master`, or `slave` for a replica; nil where the server does not say.
  public let role: String?
  /// `appendfsync`; nil where the user may not read it, which is usual.
  public var appendFsync: String?
  /// The first word of the error with which the server refused to say; nil if it did not.
  public let refusal: String?

  /// The sections of `INFO` in which it is.
  public static let commands = ["memory", "persistence", "replication"].map {
    RESPCommand("INFO", $0)
  }

  /// Reads the replies to ``commands``.
  public init(_ replies: some Sequence<RESPReply>) {
    var values: [Substring: String] = [:]
    var refusal: String?
    for reply in replies {
      switch reply {
      case .octets(let octets?):
        let lines = String(decoding: octets, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines {
          guard let colon = line.firstIndex(of: ":") else { continue }
          values[line[..<colon]] = String(line[line.index(after: colon)...])
        }
      case .error(let text): refusal = refusal ?? RESPReply.kind(ofError: text)
      default: break
      }
    }
    evictionPolicy = values["maxmemory_policy"]
    isAppendOnly = values["aof_enabled"].map { $0 == "1" }
    hasFailedWrite = values["aof_last_write_status"].map { $0 != "ok" } ?? false
    role = values["role"]
    self.refusal = refusal
  }

  /// Why used tokens may be forgotten, each in the server's own words; empty for none that is known.
  public var reasons: [String] {
    var reasons: [String] = []
    if let evictionPolicy, evictionPolicy != "noeviction" {
      reasons.append("maxmemory-policy \(TokenError.excerpt(evictionPolicy))")
    }
    if isAppendOnly == false { reasons.append("appendonly no") }
    if isAppendOnly == true, hasFailedWrite { reasons.append("aof_last_write_status err") }
    if let role, role != "master" { reasons.append("role \(TokenError.excerpt(role))") }
    return reasons
  }

  /// `store.forgets`, or `store.unknown` where the server does not say enough; nil for a server that remembers.
  public var problem: TokenError? {
    let reasons = reasons
    guard reasons.isEmpty else {
      return TokenError(
        .storeForgets, node: "INFO",
        expected: "maxmemory-policy noeviction, appendonly yes, role master",
        found: reasons.joined(separator: ", "))
    }
    guard evictionPolicy != nil, isAppendOnly != nil, role != nil else {
      return TokenError(
        .storeUnknown, node: "INFO", expected: "maxmemory_policy, aof_enabled and role",
        found: refusal ?? "no such fields")
    }
    return nil
  }

  /// What an operator has to know of a server that is used: what its append-only file survives, or that the
  /// configuration accepts that it may forget.
  public var note: String {
    if let problem {
      return "mayForget accepts \(problem.code.rawValue) (\(problem.found ?? ""))"
    }
    // Redis answers while a write to the file waits for a sync that takes long, two seconds at most.
    let usual = "survives the end of the process where the disk keeps up, not of the machine"
    return switch appendFsync {
    case "always": "appendonly yes, appendfsync always: survives the end of process and machine"
    case let value?: "appendonly yes, appendfsync \(TokenError.excerpt(value)): \(usual)"
    case nil: "appendonly yes; appendfsync everysec, the default, \(usual)"
    }
  }
}
