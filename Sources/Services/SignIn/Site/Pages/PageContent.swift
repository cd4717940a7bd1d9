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

      /// An empty field, unless a value is given.
      public init(_ name: String, label: String, value: String = "", type: String = "text") {
        self.name = name
        self.label = label
        self.value = value
        self.type = type
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

    /// A form that posts to `address`.
    public init(
      to address: String, fields: [(name: String, value: String)] = [], inputs: [Input] = [],
      button: String
    ) {
      self.address = address
      self.fields = fields
      self.inputs = inputs
      self.button = button
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

    /// A table of `rows` under `heads`.
    public init(_ caption: String, heads: [String], rows: [[String]]) {
      self.caption = caption
      self.heads = heads
      self.rows = rows
    }
  }

  /// The heading.
  public var heading: String
  /// Paragraphs.
  public var notes: [String]
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
