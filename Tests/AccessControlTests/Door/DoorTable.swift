import AccessControl
import TestSupport

/// The page docs/acs-entrances.md, which is written from the expected verdicts.
enum DoorTable {
  static let page = "acs-entrances.md"

  static var text: String {
    intro + legend(DoorEntrance.allCases.map(\.title), numbered: letters)
      + DoorMoment.allCases.map(table(of:)).joined()
      + "\n## Afterwards: comes into force by a reload after the token was issued\n\n" + afterwards
      + legend(DoorUse.allCases.map(\.title), numbered: numbers)
      + "\n" + rows(DoorUse.allCases, numbers) { $0.isRefused($1) }
      + endings + outro
  }

  private static let alphabet = (0..<26).map { String(UnicodeScalar(UInt8(65 + $0))) }
  /// A to Z, then AA to AZ.
  private static let letters: [String] = alphabet + alphabet.map { "A" + $0 }
  private static let numbers = (1...52).map { "\($0)" }

  private static let intro = """
    # Who gets a token of acs, and what keeps whom from one

    Each line of the tables is something that `acs.json` says. Each column is a way to get a token of a relying party. `✗` refuses,
    `·` issues. The test `DoorMatrixTests` goes through every cell of these tables and writes this page. In the first lines the
    relying party is the one whose token is asked for; a *client* is another relying party that gets it. Every entrance
    issues without the line, so that each `✗` is the work of its line alone.

    Who registers itself, or has a document at its `client_id`, is a client of the relying party that `registration` names: in
    these columns that is the relying party whose token is asked for. With `encryptTo` such a client gets access tokens alone,
    as it has no key for ID tokens.

    One function decides: `decide` in `Sources/Services/AccessControl/Issuing/Decision.swift`; it says what is checked elsewhere. A column has no `✗` where the
    member is not about that entrance: `resourceFor` says nothing of an exchange.

    ## The entrances


    """

  private static let afterwards = """
    What was issued counts while it would be issued now. A line that is put back makes it count again: nothing is used up by
    a refusal. A secret, an address and a scope are judged when a request shows them, and not again. A token that a service
    verifies itself, without asking `acs`, runs out by its own end.


    """

  private static let outro = """

    `acs` has no entrance of SAML 2.0 without an `AuthnRequest`: a response that was not asked for is sent to no one. A service
    identity without a person in a browser has no session, and its tokens run out.

    """

  private static func legend(_ titles: [String], numbered names: [String]) -> String {
    "| column | entrance |\n|---|---|\n"
      + zip(names, titles).map { "| \($0) | \($1) |\n" }.joined()
  }

  private static func table(of moment: DoorMoment) -> String {
    let entrances = DoorEntrance.allCases.filter { $0.moments.contains(moment) }
    let names = entrances.compactMap { entrance in
      DoorEntrance.allCases.firstIndex(of: entrance).map { letters[$0] }
    }
    return "\n## \(moment.title)\n\n\(moment.reason)\n\n"
      + rows(entrances, names) { $0.isRefused(at: $1, moment) }
  }

  /// Lines that refuse nowhere in a table are not in it.
  private static func rows<Column>(
    _ columns: [Column], _ names: [String], _ isRefused: (DoorRestriction, Column) -> Bool
  ) -> String {
    let shown = DoorRestriction.all.filter { restriction in
      columns.contains { isRefused(restriction, $0) }
    }
    return "| |" + names.prefix(columns.count).joined(separator: "|") + "|\n|---|"
      + String(repeating: "-|", count: columns.count) + "\n"
      + shown.map { restriction in
        "| \(restriction.title) |"
          + columns.map { isRefused(restriction, $0) ? "✗" : "·" }.joined(separator: "|") + "|\n"
      }.joined()
      + (shown.count == DoorRestriction.all.count
        ? "" : "\nThe other lines refuse nobody here.\n")
  }

  private static var endings: String {
    let columns = DoorUse.allCases.filter { use in
      DoorEnding.allCases.contains { $0.sources.contains(use.source) }
    }
    let names = columns.compactMap { use in
      DoorUse.allCases.firstIndex(of: use).map { numbers[$0] }
    }
    return "\n## Afterwards: revoked, stolen or signed out\n\n"
      + "`–`: it does not concern that token. The columns are those of the table before.\n\n| |"
      + names.joined(separator: "|") + "|\n|---|" + String(repeating: "-|", count: columns.count)
      + "\n"
      + DoorEnding.allCases.map { ending in
        "| \(ending.title) |"
          + columns.map { use in
            !ending.sources.contains(use.source) ? "–" : ending.spares ? "·" : "✗"
          }.joined(separator: "|") + "|\n"
      }.joined()
  }
}
