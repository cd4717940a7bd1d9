import Claims
import Octets
import StrictJSON
import TokenErrors

/// The value of a claim as a JWT writes it.
enum MintedValue {
  case string(String)
  /// JSON text, which may be an array.
  case json([UInt8], isArray: Bool)

  /// - Throws: `policy.mint-claim-value`.
  init(_ claim: Claim, _ node: String) throws(TokenError) {
    guard claim.valueType.hasSameBytes(as: Claim.jsonType) else {
      self = .string(claim.value)
      return
    }
    let text = Array(claim.value.utf8)
    guard let parsed = try? JSONParser.document(text).root, parsed.kind != .null else {
      throw TokenError(.mintClaimValue, node: node)
    }
    self = .json(text, isArray: parsed.kind == .array)
  }

  var isArray: Bool {
    if case .json(_, isArray: true) = self { true } else { false }
  }

  func write(to json: inout JSONWriter) {
    switch self {
    case .string(let text): json.string(text)
    case .json(let text, _): json.raw(text)
    }
  }
}
