#if Server
  /// A talk of the conference that the application shows.
  struct Talk: Sendable {
    /// Its number in addresses, from 1.
    let number: Int
    let title: String
    let speaker: String
    let day: String
    let time: String
    let place: String
    let summary: String

    /// Date, time and place, as the list of talks shows them.
    var remarks: [String] { [speaker, "\(day), \(time)", place] }

    /// What a person would write of it, to be edited.
    var message: String {
      "I am going to \u{201C}\(title)\u{201D} by \(speaker): \(day), \(time), \(place)."
    }
  }

  /// The talks of the conference.
  enum Programme {
    static let talks = [
      Talk(
        number: 1, title: "Tokens without tears", speaker: "Rosa Iversen", day: "Thursday 12 June",
        time: "10:00", place: "Great Hall",
        summary:
          "A token is a letter and not a key: who wrote it, to whom, until when, and what a reader checks before a word of it counts."
      ),
      Talk(
        number: 2, title: "What a signature covers", speaker: "Daniel Okafor",
        day: "Thursday 12 June", time: "14:30", place: "Room 204",
        summary:
          "Three messages, each with a valid signature. Two of them lie, and the signature is not at fault."
      ),
      Talk(
        number: 3, title: "The clock on the wall is wrong", speaker: "Mei Tanaka",
        day: "Friday 13 June", time: "9:15", place: "Room 204",
        summary: "Sixty seconds of skew, leap seconds, and a token that expires next Thursday."),
      Talk(
        number: 4, title: "Signing out is the hard part", speaker: "Léa Fontaine",
        day: "Friday 13 June", time: "11:00", place: "Great Hall",
        summary: "Four sessions, three browsers, one button. What each of them has to hear of it."),
    ]

    static func talk(_ number: Int) -> Talk? { talks.first { $0.number == number } }
  }
#endif
