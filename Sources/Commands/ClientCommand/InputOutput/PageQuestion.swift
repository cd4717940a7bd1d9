#if Client
  import CommandSupport
  import FederationClient
  import LocalFiles
  import SocialFeeds
  import TokenBasics

  /// The choice of the Facebook page to post to.
  struct PageQuestion {
    private let pages: [FacebookPageAccess]

    /// Leaves out pages to which the person may not post.
    init(_ pages: [FacebookPageAccess]) { self.pages = pages.filter(\.canPost) }

    /// The page with that id; without an id the only page, or the one chosen on the terminal.
    /// - Throws: `feed.permission` for an unknown page; `session.cancelled`; exit code 2 for several pages
    ///   without a terminal.
    func access(_ id: String?) throws -> FacebookPageAccess {
      if let id {
        guard let page = pages.first(where: { $0.id == id }) else {
          throw TokenError(.feedPermission, node: "facebook", expected: expected, found: "another")
        }
        return page
      }
      guard let first = pages.first else {
        throw TokenError(
          .feedPermission, node: "facebook", expected: "a page that the person may post to",
          found: "none")
      }
      guard pages.count > 1 else { return first }
      guard Terminal.isThere else {
        throw CommandFailure(
          .usage, "there are \(pages.count) pages and no terminal to ask on",
          hint: "name one with --page: \(list)")
      }
      return try ask()
    }

    private var expected: String {
      pages.isEmpty ? "a page that the person may post to" : "one of \(list)"
    }

    /// At most twenty pages.
    private var list: String {
      pages.prefix(20).map { "\(Self.shown($0.id)) (\(Self.shown($0.name)))" }
        .joined(separator: ", ")
    }

    private static func shown(_ text: String) -> String { ShownText.line(String(text.prefix(80))) }

    private func ask() throws -> FacebookPageAccess {
      StandardError.write("Post to")
      for (number, page) in pages.enumerated() {
        StandardError.write("  \(number + 1)  \(Self.shown(page.name))")
      }
      while let line = Terminal.ask("Number: "), !line.isEmpty {
        if let number = Int(line), pages.indices.contains(number - 1) { return pages[number - 1] }
        StandardError.write("There is no such page; an empty line gives up.")
      }
      throw TokenError(.sessionCancelled)
    }
  }
#endif
