import AccessControl
import Foundation
import TestSupport
import Testing

/// Every restriction at every entrance, at every moment: what an operator reads in docs/acs-entrances.md.
@Suite("What keeps whom from a token, at every entrance and at every moment")
struct DoorMatrixTests {
  /// What is wrong at a cell; nil for nothing.
  ///
  /// - Parameter mayBeLate: Whether a refusal may come after the code: what the client shows for the token is wrong.
  private static func fault(
    _ answer: DoorAnswer, isRefused: Bool, mayBeLate: Bool = true
  ) -> String? {
    switch answer {
    case .broken(let text): "answers neither with a token nor with a refusal: \(text.prefix(300))"
    case .given: isRefused ? "issues" : nil
    case .refusedLate(let text) where isRefused && !mayBeLate:
      "gives a code that is good for nothing: \(text.prefix(300))"
    case .refused(let text), .refusedLate(let text):
      isRefused ? nil : "refuses: \(text.prefix(300))"
    }
  }

  @Test("Without a restriction every entrance issues", arguments: DoorEntrance.allCases)
  func twins(entrance: DoorEntrance) async throws {
    let answer = try await DoorFixture(DoorWorld()).enter(entrance)
    #expect(Self.fault(answer, isRefused: false) == nil, "\(answer)")
  }

  @Test(
    "At each entrance each restriction refuses or does not, as the table says",
    arguments: DoorEntrance.allCases)
  func entrances(entrance: DoorEntrance) async throws {
    let world = try DoorWorld()
    for restriction in DoorRestriction.all {
      var restricted = world
      try restriction.edit(&restricted, entrance)
      for moment in entrance.moments {
        // What a client has before its one request is of the file before.
        let isLater = moment != .before || entrance == .exchangeOwn
        let fixture = try DoorFixture(isLater ? world : restricted)
        let answer = try await fixture.enter(entrance) { step in
          if isLater, step == moment { try fixture.reload(restricted) }
        }
        let fault = Self.fault(
          answer, isRefused: restriction.isRefused(at: entrance, moment),
          mayBeLate: moment == .code || restriction.isOfSecret)
        #expect(fault == nil, "\(restriction.title), \(moment), \(entrance)")
      }
    }
  }

  @Test(
    "What was issued counts while it would be issued now, and again when the line is put back",
    arguments: DoorUse.allCases)
  func uses(use: DoorUse) async throws {
    let world = try DoorWorld()
    for restriction in DoorRestriction.all {
      var restricted = world
      try restriction.edit(&restricted, use.source)
      let fixture = try DoorFixture(world)
      let issued = try await fixture.enter(use.source)
      let tokens = try #require(issued.tokens, "\(issued)")
      try fixture.reload(restricted)
      let isRefused = restriction.isRefused(use)
      let fault = Self.fault(try await fixture.use(use, tokens), isRefused: isRefused)
      #expect(fault == nil, "\(restriction.title), \(use)")
      guard isRefused else { continue }
      try fixture.reload(world)
      let again = Self.fault(try await fixture.use(use, tokens), isRefused: false)
      #expect(again == nil, "put back: \(restriction.title), \(use)")
    }
  }
}
