/// Where the token of a record came from, as far as the record says it.
struct LineOrigin {
  /// Any JSON, as the line has it.
  var id: [UInt8]?
  /// Counted from 1; with `--line-numbers` alone.
  var line: Int?
  /// With `--line-numbers` and several files alone.
  var file: String?
}
