/// The release, for everything that names it.
enum ReleaseNumber {
  static let text = "0.1.0"
}
