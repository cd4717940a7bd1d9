import HTTPExchange
import SignInAttack
import TestSupport
import Testing

@Suite("Forms and addresses of pages")
struct PageReadingTests {
  private func forms(_ page: String) -> [PageForm] { FormFinder.forms(in: Array(page.utf8)) }

  @Test("A form has its fields, with references replaced")
  func fields() throws {
    let form = try #require(
      forms(
        #"""
        <html><body onload="document.forms[0].submit()"><FORM Method='POST' ACTION="https&#x3a;//idp.example/?a=1&amp;b=2">
        <input type="hidden" name="SAMLRequest" value="a+b/c&#61;"><input name=RelayState value=x/y>
        <textarea name="t">
        a&lt;b</textarea><noscript><button type="submit" name="go" value="1">Go</button></noscript></form>
        """#
      ).first)
    #expect(form.isPost)
    #expect(form.action == "https://idp.example/?a=1&b=2")
    #expect(form["SAMLRequest"] == "a+b/c=")
    #expect(form["RelayState"] == "x/y")
    #expect(form["t"] == "a<b")
    #expect(form["go"] == "1")
  }

  @Test("What a browser does not send is none")
  func notSent() throws {
    let form = try #require(
      forms(
        """
        <form><input type=checkbox name=a><input type=checkbox name=b checked><input name=c disabled>
        <input type=button name=d value=1><input value=nameless></form><input name=e>
        """
      ).first)
    #expect(form.fields.map(\.name) == ["b"])
    #expect(!form.isPost && form.action == nil)
  }

  @Test("One button is pressed: the first that sends the form")
  func button() throws {
    let form = try #require(
      forms(
        """
        <form><button type=button name=a>A</button><input type=submit name=b value=1 disabled>
        <button name=c value=1>C</button><input type=submit name=d value=1></form>
        """
      ).first)
    #expect(form.fields.map(\.name) == ["c"])
    let two = forms("<form><input type=submit></form><form><button name=a></button></form>")
    #expect(two.map(\.fields.count) == [0, 1])
  }

  @Test("Comments, scripts and styles have no forms")
  func hidden() {
    #expect(
      forms("<!-- <form action=a> --><script>'<form action=b>'</script><style><form></style>")
        .isEmpty)
    #expect(forms("<p>1 < 2</p><form action=c></form>").map(\.action) == ["c"])
  }

  @Test("Of two attributes with one name the first counts")
  func twice() { #expect(forms("<form action=a action=b>").map(\.action) == ["a"]) }

  @Test(
    "A page that ends anywhere is read to its end",
    arguments: [
      "<", "<form", "<form a", "<form a=", "<form a=\"", "<!--", "<script>", "<textarea name=a>",
      "</", "<form &", "<input name='&#x",
    ])
  func cut(page: String) { _ = forms("<form>" + page) }

  @Test("A reference is resolved as browsers do")
  func resolve() throws {
    let base = try HTTPURL("https://app.example/a/b?q=1")
    func text(_ reference: String) throws -> String {
      try AddressReference.resolve(reference, at: base).text
    }
    #expect(try text("c") == "https://app.example/a/c")
    #expect(try text("/c?d=e#f") == "https://app.example/c?d=e")
    #expect(try text("?d") == "https://app.example/a/b?d")
    #expect(try text("#f") == "https://app.example/a/b?q=1")
    #expect(try text("../c/./d/../e") == "https://app.example/c/e")
    #expect(try text("//other.example/c") == "https://other.example/c")
    #expect(try text("HTTPS://other.example/c d|") == "https://other.example/c%20d%7C")
    #expect(try text(#"\\other.example\c"#) == "https://other.example/c")
    #expect(try text(" https://app.example/ ") == "https://app.example/")
  }

  @Test(
    "Another scheme, and plain http to another machine, are not opened",
    arguments: ["javascript:alert(1)", "http://other.example/", "data:text/html,x"])
  func refused(reference: String) throws {
    let base = try HTTPURL("https://app.example/")
    #expect(throws: TokenError.self) { try AddressReference.resolve(reference, at: base) }
  }
}
