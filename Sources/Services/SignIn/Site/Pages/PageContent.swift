/// A page of parts, in the order in which they are shown. Every text is escaped by the renderer.
public struct PageContent: Sendable {
  /// A link that looks like a button.
  public struct Link: Sendable {
    /// What it says.
    public let text: String
    /// Where it leads.
    public let address: String

    /// A link.
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

      /// A field.
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

    /// A form.
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

    /// A table.
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
  /// Pictures without a meaning to people, fetched for what their servers do: WS-Federation signs out so.
  public var pings: [String] = []
  /// The code and the number of a refusal.
  public var details: (code: String, reference: String?)?
  /// Where to go from here.
  public var onward: Link?

  /// A page.
  public init(_ heading: String, notes: [String] = []) {
    self.heading = heading
    self.notes = notes
  }
}
