import SignIn

/// Pages as texts of what they show.
struct PlainPages: PageRenderer {
  func html(_ page: SitePage) -> (html: String, policy: String) {
    let text =
      switch page {
      case .providers(let providers):
        providers.providers.map { "\($0.name) \($0.address)" }.joined(separator: "\n")
      case .form(let address, let fields):
        "form \(address.text) \(fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))"
      case .refusal(let page): "refusal \(page.code) \(page.sentence)"
      case .confirmSignOut(_, _, let token): "confirm \(token)"
      case .content(let content):
        content.heading
          + content.tables.flatMap(\.rows).map { "\n" + $0.joined(separator: " | ") }.joined()
      case .forbidden(let page): "forbidden \(page.code) \(page.subject)"
      case .signedOut(let note, _): "signed out \(note ?? "")"
      }
    return (text, "default-src 'none'")
  }
}

extension String {
  func isRefusal(_ code: TokenError.Code) -> Bool { hasPrefix("refusal \(code.rawValue) ") }
}
