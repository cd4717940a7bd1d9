import AccessControl
import Foundation
import TestSupport
import Testing

/// With `UPDATE_DOCUMENTATION=1` in the environment the page is written anew.
@Suite(
  "The table of restrictions and entrances is whole, and the page that operators read is the table")
struct DoorTableTests {
  private static let page = TestVector.packageRoot.appending(path: "docs/" + DoorTable.page)

  @Test("docs/acs-entrances.md is what the test expects")
  func page() throws {
    if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] != nil {
      try DoorTable.text.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.page, encoding: .utf8) == DoorTable.text)
  }

  @Test("Each property of the types has a line of the table, or a reason why it keeps nobody out")
  func properties() throws {
    for (name, value) in try DoorMembers.samples() {
      for property in Mirror(reflecting: value).children.compactMap(\.label) {
        let known = DoorMembers.known.contains("\(name).\(property)")
        #expect(known, "\(name).\(property) is in no line of DoorRestriction")
      }
    }
  }

  @Test("Each member that the file may have is one of those properties")
  func members() throws {
    let file = TestVector.packageRoot.appending(path: "docs/schemas/acs.schema.json")
    let schema = try JSONParser.parse(Array(try Data(contentsOf: file)))
    for (section, properties) in DoorMembers.ofFile {
      let entry = schema["properties"]?[section]?["items"]?["properties"]
      let members = try #require(entry?.members, "\(section)")
      for (member, _) in members {
        let property = try #require(properties[member], "\(section): \(member)")
        #expect(DoorMembers.known.contains(property), "\(section): \(member)")
      }
    }
  }

  @Test("Each protocol has an entrance, and each line refuses somewhere")
  func coverage() {
    #expect(Set(DoorEntrance.allCases.map(\.listed)) == Set(PartyProtocol.allCases))
    for restriction in DoorRestriction.all {
      let isSeen =
        DoorEntrance.allCases.contains { restriction.isRefused(at: $0, .before) }
        || DoorUse.allCases.contains { restriction.isRefused($0) }
      #expect(isSeen, "\(restriction.title)")
    }
  }
}
