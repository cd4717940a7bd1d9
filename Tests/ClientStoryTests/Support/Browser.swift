#if Client
  import Foundation
  import HTTPExchange
  import Synchronization
  import TestSupport
  import TokenBasics

  /// A browser with a person, reduced to sign-ins: follows redirects, clicks one link, posts forms
  /// that submit themselves, and runs only the script that passes a token on.
  struct Browser: Sendable {
    enum Choice: String, Sendable {
      case approve
      case decline
    }

    enum Landing: Sendable {
      /// A page passed this to the program around it.
      case notified(String)
      /// An address that is not requested: another scheme, or with a fragment.
      case address(String)
      /// A page without a link or form to follow.
      case page(HTTPResponse)
    }

    let transport: any HTTPTransport
    var choice = Choice.approve
    /// The name to click in a list of providers.
    var provider = ""

    func open(_ address: String) async throws -> Landing {
      var next = HTTPRequest(.get, try HTTPURL(address))
      for _ in 0..<12 {
        let answer = try await transport.response(to: next)
        Secrecy.see(next)
        Secrecy.see(answer)
        if answer.isRedirect {
          let location = answer.fields["Location"] ?? ""
          guard !location.contains("#"), let url = Self.url(location, next.url) else {
            return .address(location)
          }
          next = HTTPRequest(.get, url)
          continue
        }
        let page = String(decoding: answer.body, as: UTF8.self)
        if let message = Self.notified(in: page) {
          Secrecy.harvest([], query: nil, body: Array(message.utf8))
          return .notified(message)
        }
        if let form = try Self.form(in: page, at: next.url) {
          next = form
        } else if let link = link(in: page), let url = Self.url(link, next.url) {
          next = HTTPRequest(.get, url)
        } else {
          return .page(answer)
        }
      }
      throw Lost()
    }

    struct Lost: Error {}

    private func link(in page: String) -> String? {
      for id in [choice.rawValue, provider] where !id.isEmpty {
        if let href = Self.between("id=\"\(id)\" href=\"", "\"", in: page) {
          return Self.unescaped(href)
        }
      }
      return nil
    }

    private static func url(_ text: String, _ base: HTTPURL) -> HTTPURL? {
      text.hasPrefix("/") ? try? base.at(path: text) : try? HTTPURL(text)
    }

    private static func notified(in page: String) -> String? {
      guard let literal = between("window.external.Notify(", ");</script>", in: page) else {
        return nil
      }
      return try? JSONParser.parse(Array("[\(literal)]".utf8)).array?.first?.string
    }

    private static func form(in page: String, at base: HTTPURL) throws -> HTTPRequest? {
      guard let action = between("<form method=\"post\" action=\"", "\"", in: page) else {
        return nil
      }
      guard let target = url(unescaped(action), base) else { throw Lost() }
      var rest = page
      var pairs: [String] = []
      while let name = between("<input type=\"hidden\" name=\"", "\"", in: rest),
        let value = between("name=\"\(name)\" value=\"", "\"/>", in: rest),
        let end = rest.range(of: "\"/>")
      {
        // Browsers write every line end of a form as CR LF.
        let text = unescaped(value).replacingOccurrences(of: "\n", with: "\r\n")
        pairs.append(encoded(unescaped(name)) + "=" + encoded(text))
        rest = String(rest[end.upperBound...])
      }
      return HTTPRequest(
        .post, target,
        fields: try HTTPFields([("Content-Type", "application/x-www-form-urlencoded")]),
        body: Array(pairs.joined(separator: "&").utf8))
    }

    private static func encoded(_ text: String) -> String {
      HTTPURL.percentEncoded(text).replacingOccurrences(of: "%20", with: "+")
    }

    private static func unescaped(_ text: String) -> String {
      text.replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
        .replacingOccurrences(of: "&quot;", with: "\"")
        .replacingOccurrences(of: "&amp;", with: "&")
    }

    private static func between(_ start: String, _ end: String, in text: String) -> String? {
      guard let from = text.range(of: start),
        let to = text.range(of: end, range: from.upperBound..<text.endIndex)
      else { return nil }
      return String(text[from.upperBound..<to.lowerBound])
    }
  }
#endif
