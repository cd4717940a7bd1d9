/// The release number, for all output that includes it.
enum ReleaseNumber {
  static let text = "0.1.0"
}
