#if Server
  import Foundation
  import HTTPExchange
  import HummingbirdFederation
  import Testing

  @Suite("Pages")
  struct MustachePageTests {
    private let pages = MustachePages(title: "<b>\"Service\" & 'co'</b>")

    @Test("BIND-12, RP-15, GATE-25: What a page shows is escaped, in text and in attributes")
    func escapes() throws {
      let payload = "\"><script>alert(1)</script>'&{{style}}"
      for page in [
        SitePage.form(
          try HTTPURL("https://idp.example/?a=1&b=2"), fields: [("RelayState", payload)]),
        .providers(
          ChoicePage(
            providers: [(payload, "/sign-in?provider=" + payload)],
            search: .init(
              address: payload, fields: [(payload, payload)], names: [payload], isInVain: false))),
        .confirmSignOut(provider: payload, address: payload, token: payload),
        .signedOut(note: payload, address: payload),
        .content(content(payload)),
      ] {
        let (html, policy) = pages.html(page)
        #expect(!html.contains("<script>alert") && !html.contains("<b>"))
        #expect(html.contains("&lt;script&gt;alert(1)"))
        #expect(policy.hasPrefix("default-src 'none'; base-uri 'none'; frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
      }
    }

    private func content(_ payload: String) -> PageContent {
      var content = PageContent(payload, notes: [payload])
      content.outcome = payload
      content.tables = [
        PageContent.Table(
          payload, heads: [payload], rows: [[payload]], links: [.init(payload, to: payload)],
          isFolded: true)
      ]
      content.forms = [
        PageContent.Form(
          to: payload, fields: [(payload, payload)],
          inputs: [
            .init(payload, label: payload, value: payload, choices: [(payload, payload)]),
            .init(payload, label: payload, value: payload, suggestions: [payload]),
            .init(payload, label: payload, value: payload, type: "textarea"),
          ], button: payload, action: .removal, heading: payload)
      ]
      content.entries = [
        PageContent.Entry(
          payload, at: payload, text: payload, remarks: [payload],
          link: .init(payload, to: payload), isMarked: true)
      ]
      content.menu = [.init(payload, to: payload)]
      content.setting = PageContent.Form(
        to: payload, inputs: [.init(payload, label: payload, choices: [(payload, payload)])],
        button: payload, heading: payload)
      content.primaryLink = .init(payload, to: payload)
      content.links = [.init(payload, to: payload)]
      content.nextLink = .init(payload, to: payload)
      return content
    }

    @Test("The picker names the application, says which provider was used last, and can be left")
    func picker() {
      let html = pages.html(
        .providers(
          ChoicePage(
            providers: [("Campus", "/a"), ("Work", "/b")], application: "Talks",
            isLastFirst: true, cancel: "/cancel"))
      ).html
      #expect(html.contains("<h1>Sign in to Talks</h1>"))
      #expect(html.matches(of: /Last used/).count == 1)
      #expect(html.contains("href=\"/a\" data-mark=\"C\" data-remark=\"Last used\">Campus</a>"))
      #expect(html.contains("<a href=\"/cancel\">Cancel</a>"))
    }

    /// With `PAGES` in the environment each is written to that folder, to be looked at.
    @Test("Every kind of page has a heading, a landmark and no text in a place that no one reads")
    func kinds() throws {
      let folder = ProcessInfo.processInfo.environment["PAGES"]
      let shown = MustachePages(title: "app.example")
      var account = PageContent(
        "You are Ada Example",
        notes: ["Signed in by Campus since 2030-01-01 08:00 UTC, until 2030-01-01 16:00 UTC."])
      account.tables = [
        PageContent.Table(
          "What Campus says of you", heads: ["Claim", "Value"],
          rows: [["emailaddress", "ada@example.org"], ["role", "staff"]])
      ]
      account.primaryLink = .init("Sign out", to: "/sso/sign-out")
      account.nextLink = .init("To the front page", to: "/")
      let few = [("Campus Verde", "/a"), ("Example Corp", "/b"), ("Google", "/c")]
      let pages: [(String, SitePage)] = [
        (
          "picker",
          .providers(ChoicePage(providers: few, application: "SpeakEasy", isLastFirst: true))
        ),
        (
          "picker-many",
          .providers(
            ChoicePage(
              providers: few,
              search: .init(
                address: "/find", fields: [], names: few.map(\.0), isInVain: true)))
        ),
        ("form", .form(try HTTPURL("https://idp.example/"), fields: [("a", "b")])),
        (
          "confirm", .confirmSignOut(provider: "Campus Verde", address: "/sso/sign-out", token: "t")
        ),
        (
          "signed-out", .signedOut(note: "Your identity provider may still know you.", address: "/")
        ),
        ("account", .content(account)),
        (
          "forbidden",
          .forbidden(
            ForbiddenPage(
              subject: "ada@example.org", provider: "Campus Verde", code: "gate.forbidden",
              reference: "1a2b3c4d", signIn: "/sso/sign-in", signOut: "/sso/sign-out"))
        ),
      ]
      for (name, page) in pages {
        let (html, _) = shown.html(page)
        #expect(html.contains("<main><h1>") && html.contains("</main>"), "\(name)")
        #expect(!html.contains("{{") && !html.contains("Optional("), "\(name)")
        guard let folder else { continue }
        // Without its script, which would leave the page.
        let still = html.replacing("<script>document.forms[0].submit()</script>", with: "")
        try still.write(toFile: "\(folder)/\(name).html", atomically: true, encoding: .utf8)
      }
    }

    @Test("Who may not see a page is told who they are, and can sign out")
    func forbidden() {
      let one = pages.html(
        .forbidden(
          ForbiddenPage(
            subject: "ada", provider: "Campus", code: "gate.forbidden", reference: "1a2b3c4d",
            signIn: nil, signOut: "/sso/sign-out"))
      ).html
      #expect(one.contains("signed in as ada by Campus") && one.contains("href=\"/sso/sign-out\""))
      #expect(one.contains("gate.forbidden") && one.contains("1a2b3c4d"))
      #expect(!one.contains("another account"))
      let weak = pages.html(
        .forbidden(
          ForbiddenPage(
            subject: "ada", provider: "Campus", code: "gate.step-up-in-vain", reference: "1a2b3c4d",
            signIn: nil, signOut: "/sso/sign-out", needsStrongerSignIn: true))
      ).html
      #expect(weak.contains("not strong enough") && !one.contains("not strong enough"))
    }

    @Test("A field has its own label, a choice is a list, and what can be chosen is offered")
    func fields() {
      var content = PageContent("Rules")
      content.forms = [
        PageContent.Form(
          to: "/",
          inputs: [
            .init("from", label: "From", value: "b", choices: [("a", "A"), ("b", "B")]),
            .init("type", label: "Type", suggestions: ["role"]),
          ], button: "Add", action: .primary),
        PageContent.Form(
          to: "/",
          inputs: [.init("who", label: "Name"), .init("word", label: "Word", type: "password")],
          button: "Sign in", action: .primary),
      ]
      let html = pages.html(.content(content)).html
      #expect(html.contains("<label for=\"form0-from\">From</label>"))
      #expect(html.contains("<option value=\"b\" selected>B</option>"))
      #expect(html.contains("list=\"form0-type-list\"") && html.contains("<option value=\"role\">"))
      #expect(html.contains("<button class=\"primary\">Add</button>"))
      // What a browser fills in: a name beside a password, and nothing elsewhere.
      for (name, completion) in [
        ("type", "off"), ("who", "username"), ("word", "current-password"),
      ] {
        let rest = html.firstRange(of: "name=\"\(name)\"").map { html[$0.upperBound...] } ?? ""
        #expect(rest.prefix { $0 != ">" }.contains("autocomplete=\"\(completion)\""), "\(name)")
      }
    }

    @Test(
      "A list has a heading, remarks and a link each, which says of what it is to a screen reader")
    func entries() {
      var content = PageContent("Talks")
      content.entries = [
        PageContent.Entry(
          "Tokens", at: "/talks/1", remarks: ["Rosa", "10:00"],
          link: .init("Share", to: "/talks/1/share")),
        PageContent.Entry("Clocks", text: "Said", isMarked: true),
      ]
      content.menu = [.init("Mia", to: "/you")]
      content.setting = PageContent.Form(
        to: "/settings",
        inputs: [.init("format", label: "Format", value: "b", choices: [("b", "B")])],
        button: "Set", heading: "B")
      let html = pages.html(.content(content)).html
      #expect(html.contains("<h2><a href=\"/talks/1\">Tokens</a></h2>"))
      #expect(html.contains("Rosa · 10:00"))
      #expect(html.contains("href=\"/talks/1/share\" aria-label=\"Share: Tokens\">Share</a>"))
      #expect(html.matches(of: /class="marked"/).count == 1 && html.contains("<h2>Clocks</h2>"))
      #expect(html.contains("<a href=\"/you\">Mia</a>") && html.contains("<summary>B</summary>"))
      #expect(html.contains("<label for=\"setting-format\">Format</label>"))
    }

    @Test("Several lines are typed into a field of their own, and what a page is for can be a link")
    func textarea() {
      var content = PageContent("Message")
      content.forms = [
        PageContent.Form(
          to: "/", inputs: [.init("message", label: "Message", value: "a\nb", type: "textarea")],
          button: "Post", action: .primary)
      ]
      content.primaryLink = .init("Share", to: "/share")
      let html = pages.html(.content(content)).html
      #expect(html.contains(">a\nb</textarea>") && !html.contains("type=\"textarea\""))
      #expect(html.contains("<a class=\"button primary\" href=\"/share\">Share</a>"))
      #expect(!html.contains("class=\"corner\""))
    }

    @Test("A few providers are links; among many there is a field for a name, without a script")
    func choice() throws {
      let few = pages.html(.providers(ChoicePage(providers: [("Campus", "/a"), ("Work", "/b")])))
      #expect(few.html.contains("href=\"/a\"") && !few.html.contains("<form"))
      func searched(_ isInVain: Bool) -> (html: String, policy: String) {
        pages.html(
          .providers(
            ChoicePage(
              providers: [("Campus", "/a")],
              search: .init(
                address: "/sign-in", fields: [("return", "/page")], names: ["Campus", "Work"],
                isInVain: isInVain))))
      }
      let many = searched(true)
      #expect(many.html.contains("<label for=\"name\">") && many.html.contains("list=\"names\""))
      #expect(many.html.contains("<option value=\"Work\">") && !many.html.contains("<script"))
      #expect(many.html.contains("name=\"return\" value=\"/page\""))
      #expect(many.html.contains("No provider has that name"))
      #expect(!searched(false).html.contains("No provider has that name"))
    }

    @Test("A search that finds more than the page shows says how many, and nothing that was typed")
    func matches() {
      func found(_ providers: [String], _ matches: Int) -> String {
        pages.html(
          .providers(
            ChoicePage(
              providers: providers.map { ($0, "/a") },
              search: .init(
                address: "/sign-in", fields: [], names: ["Campus A", "Campus B", "Work"],
                isInVain: false, matches: matches)))
        ).html
      }
      #expect(found(["Campus A"], 2).contains("2 of 3 names fit"))
      // All that fit are there, or all fit since nothing was typed.
      #expect(!found(["Campus A", "Campus B"], 2).contains("names fit"))
      #expect(!found(["Campus A"], 3).contains("names fit"))
    }

    @Test("A person to press has the mark of a choice, and a way out looks like a link")
    func choices() {
      var content = PageContent("Sign in")
      content.forms = [
        PageContent.Form(to: "/", button: "Ada", action: .choice),
        PageContent.Form(to: "/", button: "Cancel", action: .aside),
      ]
      let html = pages.html(.content(content)).html
      #expect(html.contains("<button class=\"choice\" data-mark=\"A\">Ada</button>"))
      #expect(html.contains("<button class=\"aside\">Cancel</button>"))
    }

    @Test("A logo is in the page itself, by a policy that allows that and nothing from elsewhere")
    func logo() throws {
      let logo = try #require(PageLogo(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)))
      let (html, policy) = MustachePages(title: "Notes", logo: logo).html(
        .signedOut(note: nil, address: "/"))
      #expect(html.contains("<img class=\"mark\" src=\"data:image/svg+xml;base64,"))
      #expect(policy.hasSuffix("; img-src data:") && !html.contains("<span class=\"mark\""))
      #expect(!pages.html(.signedOut(note: nil, address: "/")).policy.contains("img-src"))
      var farewell = PageContent("You are signed out")
      farewell.signOutImages = ["https://app.example/?wa=wsignoutcleanup1.0"]
      #expect(
        MustachePages(title: "Notes", logo: logo).html(.content(farewell)).policy.hasSuffix(
          "; img-src * data:"))
    }

    @Test("A logo is SVG or PNG of at most 64 KiB", arguments: ["<html>", "GIF89a", ""])
    func noLogo(_ text: String) {
      #expect(PageLogo(Array(text.utf8)) == nil)
      #expect(PageLogo(Array("<svg/>".utf8) + [UInt8](repeating: 0x20, count: 1 << 16)) == nil)
      #expect(PageLogo([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) != nil)
    }

    @Test("Only the page that posts a form has a script, and it works without: it has a button")
    func scripts() throws {
      let form = pages.html(.form(try HTTPURL("https://idp.example/"), fields: [("a", "b")]))
      #expect(
        form.policy.contains("script-src 'sha256-")
          && form.html.contains("<button class=\"primary\">"))
      let other = pages.html(.signedOut(note: nil, address: "/"))
      #expect(!other.policy.contains("script-src") && !other.html.contains("<script"))
      for (html, _) in [form, other] {
        #expect(html.contains("<html lang=\"en\">") && html.contains("prefers-color-scheme:dark"))
        #expect(html.contains("name=\"viewport\"") && html.contains("<h1>"))
      }
    }
  }
#endif
