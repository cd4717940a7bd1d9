/// Metrics in the text format of Prometheus 0.0.4.
package struct MetricText {
  /// What was written so far.
  package private(set) var text = ""

  /// What a metric is.
  package enum Kind: String { case counter, gauge, histogram }

  package init() {}

  /// Begins a metric: all samples up to the next one belong to it.
  package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// A sample. In the values of labels `\`, `"` and line feeds are escaped.
  package mutating func sample(
    _ name: String, _ labels: [(name: String, value: String)] = [], _ value: some Numeric
  ) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(scalar)
      }
    }.joined()
  }
}
