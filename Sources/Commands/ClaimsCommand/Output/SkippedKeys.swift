import CommandSupport
import Federation
import Octets

/// What key sets and trust files could not give, said once on standard error.
enum SkippedKeys {
  static func report(_ errors: [TokenError]) {
    for error in errors {
      CommandMessages.own.warning("a key is passed over: \(error.asRemark)")
    }
  }

  static func report(warnings: [String]) {
    for warning in warnings { CommandMessages.own.warning("\(warning)") }
  }

  /// A member of the open object, where there is anything to say.
  static func write(_ errors: [TokenError], to json: inout JSONWriter) {
    guard !errors.isEmpty else { return }
    json.name("passedOver")
    json.array { json in errors.forEach { json.string($0.asRemark) } }
  }
}
