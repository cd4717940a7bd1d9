/// The release number, for all output that includes it.
package enum ReleaseNumber {
  package static let text = "0.1.0"
}
