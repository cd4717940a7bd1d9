#if Server
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
      ] {
        let (html, policy) = pages.html(page)
        #expect(!html.contains("<script>alert") && !html.contains("<b>"))
        #expect(html.contains("&lt;script&gt;alert(1)"))
        #expect(policy.hasPrefix("default-src 'none'; base-uri 'none'; frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
      }
    }

    @Test("A few providers are links; among many there is a field for a name, without a script")
    func choice() throws {
      let few = pages.html(.providers(ChoicePage(providers: [("Campus", "/a"), ("Work", "/b")])))
      #expect(few.html.contains("href=\"/a\"") && !few.html.contains("<form"))
      let many = pages.html(
        .providers(
          ChoicePage(
            providers: [("Campus", "/a")],
            search: .init(
              address: "/sign-in", fields: [("return", "/page")], names: ["Campus", "Work"],
              isInVain: true))))
      #expect(many.html.contains("<label for=\"name\">") && many.html.contains("list=\"names\""))
      #expect(many.html.contains("<option value=\"Work\">") && !many.html.contains("<script"))
      #expect(many.html.contains("name=\"return\" value=\"/page\""))
      #expect(many.html.contains("No provider has that name"))
    }

    @Test("Only the page that posts a form has a script, and it works without: it has a button")
    func scripts() throws {
      let form = pages.html(.form(try HTTPURL("https://idp.example/"), fields: [("a", "b")]))
      #expect(form.policy.contains("script-src 'sha256-") && form.html.contains("<button>"))
      let other = pages.html(.signedOut(note: nil, address: "/"))
      #expect(!other.policy.contains("script-src") && !other.html.contains("<script"))
      for (html, _) in [form, other] {
        #expect(html.contains("<html lang=\"en\">") && html.contains("prefers-color-scheme:dark"))
        #expect(html.contains("name=\"viewport\"") && html.contains("<h1>"))
      }
    }
  }
#endif
