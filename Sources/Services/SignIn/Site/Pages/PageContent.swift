/// A page of parts, in the order in which they are shown. Every text is escaped by the renderer.
public struct PageContent: Sendable {
  /// A link that looks like a button.
  public struct Link: Sendable {
    /// What the person reads.
    public let text: String
    /// Where it leads.
    public let address: String

    /// A button that leads to `address`.
    public init(_ text: String, to address: String) {
      self.text = text
      self.address = address
    }
  }

  /// What a form does, which shows in its button.
  public enum Action: Sendable {
    /// What the page is for.
    case primary
    /// One of several ways on.
    case usual
    /// Takes something away.
    case removal
    /// One of several people or things, of which a person takes one.
    case choice
    /// A way out, which is not what the page is for.
    case aside
  }

  /// A form that is posted.
  public struct Form: Sendable {
    /// A field that a person fills in.
    public struct Input: Sendable {
      /// The name in the request.
      public let name: String
      /// What the person reads.
      public let label: String
      /// What is in it.
      public let value: String
      /// `text`, `password`, or `textarea` for several lines.
      public let type: String
      /// What a person may choose; empty for a field of text.
      public let choices: [(value: String, text: String)]
      /// What a browser offers while a person types; empty for nothing.
      public let suggestions: [String]

      /// An empty field, unless a value is given.
      public init(
        _ name: String, label: String, value: String = "", type: String = "text",
        choices: [(value: String, text: String)] = [], suggestions: [String] = []
      ) {
        self.name = name
        self.label = label
        self.value = value
        self.type = type
        self.choices = choices
        self.suggestions = suggestions
      }
    }

    /// Where it goes.
    public let address: String
    /// What it carries along.
    public let fields: [(name: String, value: String)]
    /// What a person fills in.
    public let inputs: [Input]
    /// What its button says.
    public let button: String
    /// What it does.
    public let action: Action
    /// The heading above it; nil for none.
    public let heading: String?

    /// A form that posts to `address`.
    public init(
      to address: String, fields: [(name: String, value: String)] = [], inputs: [Input] = [],
      button: String, action: Action = .usual, heading: String? = nil
    ) {
      self.address = address
      self.fields = fields
      self.inputs = inputs
      self.button = button
      self.action = action
      self.heading = heading
    }
  }

  /// A table.
  public struct Table: Sendable {
    /// What it shows.
    public let caption: String
    /// The heads of its columns.
    public let heads: [String]
    /// Its rows, as long as the heads.
    public let rows: [[String]]
    /// Where each row leads; empty for rows that lead nowhere.
    public let links: [Link?]
    /// Whether it is shown only when a person asks for it.
    public let isFolded: Bool

    /// A table of `rows` under `heads`.
    public init(
      _ caption: String, heads: [String], rows: [[String]], links: [Link?] = [],
      isFolded: Bool = false
    ) {
      self.caption = caption
      self.heads = heads
      self.rows = rows
      self.links = links
      self.isFolded = isFolded
    }
  }

  /// Something that the page lists, such as a post: a heading, lines about it, and what can be done with it.
  public struct Entry: Sendable {
    /// Its name.
    public let heading: String
    /// Where its heading leads; nil where it leads nowhere.
    public let address: String?
    /// What it says; nil for nothing.
    public let text: String?
    /// Short remarks, such as a place and a time.
    public let remarks: [String]
    /// What can be done with it; nil for nothing.
    public let link: Link?
    /// Whether it is the one that the page is about now.
    public let isMarked: Bool

    /// An entry of a list.
    public init(
      _ heading: String, at address: String? = nil, text: String? = nil, remarks: [String] = [],
      link: Link? = nil, isMarked: Bool = false
    ) {
      self.heading = heading
      self.address = address
      self.text = text
      self.remarks = remarks
      self.link = link
      self.isMarked = isMarked
    }
  }

  /// The heading.
  public var heading: String
  /// Paragraphs.
  public var notes: [String]
  /// What a person just did, in a sentence; nil for nothing.
  public var outcome: String?
  /// What the page lists.
  public var entries: [Entry] = []
  /// Tables.
  public var tables: [Table] = []
  /// Links that look like buttons.
  public var links: [Link] = []
  /// Forms.
  public var forms: [Form] = []
  /// Addresses that the browser fetches as pictures: by them WS-Federation signs out elsewhere.
  public var signOutImages: [String] = []
  /// The code and the number of a refusal.
  public var details: (code: String, reference: String?)?
  /// What the page is for, where that is another page.
  public var primaryLink: Link?
  /// Links on top of the page.
  public var menu: [Link] = []
  /// A setting in the corner on top of the page, which opens when a person asks for it. Its heading says what is set.
  public var setting: Form?
  /// The link at the end of the page, back to where the person came from.
  public var nextLink: Link?

  /// A page that says something; forms, tables and links are added to it.
  public init(_ heading: String, notes: [String] = []) {
    self.heading = heading
    self.notes = notes
  }
}
