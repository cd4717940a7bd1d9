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
      /// `text` or `password`.
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

  /// The heading.
  public var heading: String
  /// Paragraphs.
  public var notes: [String]
  /// What a person just did, in a sentence; nil for nothing.
  public var outcome: String?
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
  /// The link at the end of the page, back to where the person came from.
  public var nextLink: Link?

  /// A page that says something; forms, tables and links are added to it.
  public init(_ heading: String, notes: [String] = []) {
    self.heading = heading
    self.notes = notes
  }
}
