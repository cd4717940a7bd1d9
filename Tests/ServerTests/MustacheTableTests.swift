#if Server
  import HummingbirdFederation
  import SignIn
  import Testing

  @Suite("Tables and marks on pages")
  struct MustacheTableTests {
    private let pages = MustachePages(title: "app.example")

    private func html(_ heads: [String], _ links: [PageContent.Link?] = []) -> String {
      var content = PageContent("Rules")
      content.tables = [
        PageContent.Table(
          "A table", heads: heads, rows: [heads.map { _ in "cell" }, heads.map { _ in "cell" }],
          links: links)
      ]
      return pages.html(.content(content)).html
    }

    @Test("A page of a table with more than three columns is wide")
    func wide() {
      #expect(!html(["a", "b", "c"]).contains("<body class=\"wide\">"))
      #expect(html(["a", "b", "c", "d"]).contains("<body class=\"wide\">"))
    }

    @Test("A table has a column for links where one of its rows leads somewhere")
    func links() {
      #expect(html(["a"], [nil, .init("Remove", to: "/remove")]).contains(">Change<"))
      #expect(!html(["a"], [nil, nil]).contains(">Change<") && !html(["a"]).contains(">Change<"))
    }

    @Test("The mark of a provider is the first letter or digit of its name")
    func marks() {
      for (name, mark) in [("«campus»", "C"), ("- 7 -", "7"), ("élan", "É"), ("…", "·")] {
        let html = pages.html(.providers(ChoicePage(providers: [(name, "/a")]))).html
        #expect(html.contains("data-mark=\"\(mark)\""), "\(name)")
      }
    }
  }
#endif
