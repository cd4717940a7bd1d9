import BrowserExchange
import HTTPExchange
import TokenErrors

/// The response of the WRAP endpoint: a form, decoded exactly once.
struct WRAPAnswer {
  let token: [UInt8]
  /// Seconds; nil if the response has none.
  let lifetime: Int64?

  /// - Throws: `client.content-type`, `client.duplicate-parameter`, `client.malformed-form`,
  ///   `client.parameter`.
  init(_ response: HTTPResponse) throws(TokenError) {
    guard FormReader.isForm(response.fields["Content-Type"]) else {
      throw TokenError(.clientContentType, expected: FormReader.mediaType)
    }
    let form = try FormReader(response.body)
    token = Array(try form.require("wrap_access_token").utf8)
    // Some servers misspell the name.
    let names = ["wrap_access_token_expires_in", "wrap_acess_token_expires_in"]
    guard let text = names.lazy.compactMap({ form[$0] }).first else {
      lifetime = nil
      return
    }
    guard text.utf8.count <= 10, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let seconds = Int64(text), seconds > 0
    else {
      throw TokenError(
        .clientParameter, node: "wrap_access_token_expires_in", expected: "seconds")
    }
    lifetime = seconds
  }
}
