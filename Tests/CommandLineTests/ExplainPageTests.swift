import Foundation
import TestSupport
import Testing

@Suite("Pages of claims explain")
struct ExplainPageTests {
  private static let token = "saml20/response-assertion-signed.xml"

  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func explain(_ more: [String], _ input: [UInt8] = []) throws -> ClaimsTool.Outcome {
    try ClaimsTool.run(["explain"] + CommandLineTests.saml + more, input: input)
  }

  @Test("The page is written beside the text, whole, and for its owner alone")
  func page() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "page.html")
    try Data("old".utf8).write(to: file)
    let plain = try explain([Self.token])
    let outcome = try explain([Self.token, "--html", file.path()])
    #expect(outcome.status == 0)
    #expect(outcome.output == plain.output)
    #expect(outcome.talk == "")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    #expect(text.hasSuffix("</html>"))
    #expect(text.contains("The token is accepted."))
    #expect(!text.contains("alice"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path())
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["page.html"])
  }

  @Test("Values are in the page when they are asked for")
  func values() throws {
    let file = try TemporaryFile()
    defer { file.remove() }
    #expect(try explain([Self.token, "--html", file.url.path(), "--show-values"]).status == 0)
    #expect(try String(contentsOf: file.url, encoding: .utf8).contains("alice@idp.example"))
  }

  @Test("A rejected token has a page with its code, and exit code 1")
  func rejected() throws {
    let file = try TemporaryFile()
    defer { file.remove() }
    let outcome = try explain(["saml20/xsw-3.xml", "--html", file.url.path()])
    #expect(outcome.status == 1)
    let text = try String(contentsOf: file.url, encoding: .utf8)
    #expect(text.contains("response.several-assertions"))
    #expect(text.contains("is not signed."))
  }

  @Test("What is no token has a page too")
  func unreadable() throws {
    let file = try TemporaryFile()
    defer { file.remove() }
    let outcome = try explain(["--html", file.url.path()], Array("<a".utf8))
    #expect(outcome.status == 1)
    #expect(try String(contentsOf: file.url, encoding: .utf8).contains("What to do"))
  }

  @Test("Several tokens are parts of one page")
  func several() throws {
    let file = try TemporaryFile()
    defer { file.remove() }
    let outcome = try explain([Self.token, "saml20/xsw-3.xml", "--html", file.url.path()])
    #expect(outcome.status == 1)
    let text = try String(contentsOf: file.url, encoding: .utf8)
    #expect(text.contains("2 tokens, 1 accepted"))
    #expect(text.contains("Token 2 of 2"))
  }

  @Test("Values without a page, a page without a file, and too many tokens are wrong usage")
  func usage() throws {
    for arguments in [
      [Self.token, "--show-values"], [Self.token, "--html", "-"], [Self.token, "--html", ""],
      Array(repeating: Self.token, count: 33) + ["--html", "page.html"],
    ] {
      #expect(try explain(arguments).status == 2, "\(arguments.suffix(2))")
    }
    #expect(try explain([Self.token, "--html", "/nowhere/page.html"]).status == 3)
  }

  @Test("Through a link the page is written to what it points to")
  func link() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (target, link) = (folder.appending(path: "target"), folder.appending(path: "link"))
    try Data().write(to: target)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    #expect(try explain([Self.token, "--html", link.path()]).status == 0)
    #expect(try String(contentsOf: target, encoding: .utf8).contains("The token is accepted."))
  }
}
