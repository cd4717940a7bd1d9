import CommandSupport
import Federation
import TokenBasics

/// How many tokens were accepted, and how many were rejected with each code.
struct Tally: Sendable {
  private(set) var accepted = 0
  private(set) var rejectedByCode: [TokenError.Code: Int] = [:]

  var rejected: Int { rejectedByCode.values.reduce(0, +) }
  var tokens: Int { accepted + rejected }

  /// Counts one token, by the code that it was rejected with.
  mutating func count(_ code: TokenError.Code?) {
    if let code { rejectedByCode[code, default: 0] += 1 } else { accepted += 1 }
  }

  mutating func add(_ other: Tally) {
    accepted += other.accepted
    rejectedByCode.merge(other.rejectedByCode) { $0 + $1 }
  }

  /// The line of `--summary`.
  ///
  /// - Parameters:
  ///   - passedOver: What the sources of the trust could not give.
  ///   - kept: Files of the trust that do not load, with their last good content in use.
  func summary(passedOver: [TokenError], kept: [LastGoodFiles.Kept]) -> String {
    var json = JSONWriter()
    json.object { json in
      json.name("tokens")
      json.integer(tokens)
      json.name("accepted")
      json.integer(accepted)
      json.name("rejected")
      json.integer(rejected)
      json.name("codes")
      json.object { json in
        for (name, count) in rejectedByCode.map({ ($0.rawValue, $1) }).sorted(by: <) {
          json.name(text: name)
          json.integer(count)
        }
      }
      SkippedKeys.write(passedOver, to: &json)
      guard !kept.isEmpty else { return }
      json.name("lastGood")
      json.object { json in
        for file in kept {
          json.name(text: file.path)
          json.string(file.error.code.rawValue)
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// What key sets and trust files could not give, said once on standard error.
enum SkippedKeys {
  static func report(_ errors: [TokenError]) {
    for error in errors {
      CommandMessages.own.warning("a key is passed over: \(error.asRemark)")
    }
  }

  static func report(warnings: [String]) {
    for warning in warnings { CommandMessages.own.warning(HintOptions.added(to: warning)) }
  }

  /// A member of the open object, where there is anything to say.
  static func write(_ errors: [TokenError], to json: inout JSONWriter) {
    guard !errors.isEmpty else { return }
    json.name("passedOver")
    json.array { json in errors.forEach { json.string($0.asRemark) } }
  }
}
