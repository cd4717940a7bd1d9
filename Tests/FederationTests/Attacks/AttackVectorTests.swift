import Federation
import TestSupport
import Testing

/// The vectors of `TestVectors/attacks`, one test for each entry of the catalogue.
@Suite("Attacks, by their name")
struct AttackVectorTests {
  /// An entry, and its vectors.
  struct Entry: Sendable, CustomTestStringConvertible {
    let id: String
    let vectors: [TestVector]

    var testDescription: String { id }

    static let all: [Entry] = {
      var entries: [String: [TestVector]] = [:]
      for vector in TestVector.attacks {
        for id in vector.attacks { entries[id, default: []].append(vector) }
      }
      return entries.map { Entry(id: $0.key, vectors: $0.value) }.sorted { $0.id < $1.id }
    }()
  }

  static let byID = Dictionary(
    uniqueKeysWithValues: (TestVector.all + TestVector.attacks).map { ($0.id, $0) })

  @Test(
    "The base documents have their expected verdicts",
    arguments: TestVector.attacks.filter(\.attacks.isEmpty))
  func bases(vector: TestVector) throws {
    try Self.check(vector)
  }

  @Test("An attack is refused with its code, a look-alike accepted unchanged", arguments: Entry.all)
  func entry(entry: Entry) throws {
    for vector in entry.vectors { try Self.check(vector) }
  }

  @Test("Each attack has a control, the document it was cut from, which is genuine")
  func controls() throws {
    #expect(TestVector.attacks.count > 1500)
    for vector in TestVector.attacks where !vector.accepts {
      let control = try #require(Self.byID[vector.control ?? ""], "\(vector.id) has no control")
      // B11 reports a failed sign-in: its control is that this alone is the cause.
      #expect(control.accepts || control.code == "response.status", "\(vector.id)")
    }
  }

  static func check(_ vector: TestVector) throws {
    switch Result(catching: { try vector.report(on: vector.token).get() }) {
    case .success(let verified):
      #expect(vector.accepts, "\(vector.id) is accepted")
      let claims = verified.claims.grouped.map {
        TestVector.claimBytes($0.type.name, $0.values)
      }
      #expect(claims.sorted() == vector.claimBytes, "\(vector.id)")
      #expect(verified.facts.issuer == vector.issuer, "\(vector.id)")
      #expect(verified.facts.subject == vector.subject, "\(vector.id)")
      #expect(verified.facts.tokenID == vector.tokenID, "\(vector.id)")
    case .failure(let error):
      let error = try #require(error as? TokenError)
      #expect(error.code.rawValue == vector.code ?? "accepted", "\(vector.id): \(error)")
      // Rule P4: no long part of the input is repeated.
      #expect("\(error)".utf8.count < 1500, "\(vector.id)")
    }
  }
}
