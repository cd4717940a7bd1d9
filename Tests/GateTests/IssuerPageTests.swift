import GateService
import TestSupport
import Testing

@Suite("The gate's files on the pages of docs/issuers")
struct IssuerPageTests {
  @Test("Each page has one gate.json, and the gate reads it", arguments: IssuerPage.all)
  func reads(page: IssuerPage) throws {
    let files = page.blocks("json").filter { $0.contains("\"public\"") }
    let file = try #require(files.first)
    #expect(files.count == 1)
    let (configuration, errors) = GateConfiguration.read(Array(file.utf8))
    #expect(errors.isEmpty, "\(errors)")
    let gate = try #require(configuration)
    #expect(gate.providers.count == 1 && !gate.headers.isEmpty)
  }

  @Test("A misspelt member on a page is refused", arguments: IssuerPage.all)
  func refuses(page: IssuerPage) throws {
    let file = try #require(page.blocks("json").first { $0.contains("\"public\"") })
    let changed = file.replacing("\"providers\"", with: "\"provider5\"")
    let (configuration, errors) = GateConfiguration.read(Array(changed.utf8))
    #expect(configuration == nil)
    #expect(errors.contains { $0.code == .gateMember })
  }

  @Test("There are eleven pages")
  func pages() {
    #expect(IssuerPage.all.count == 11)
  }
}
