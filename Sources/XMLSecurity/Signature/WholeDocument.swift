/// Whether a signature in the document element may refer to the whole document (`URI=""`) instead of
/// that element.
package enum WholeDocument: Sendable {
  /// Not allowed.
  case refused
  /// Allowed where only white space and comments, which are not digested, surround the document
  /// element: then both are the same octets.
  case elementAlone
  /// Allowed. Processing instructions around the document element are digested with it.
  case accepted
}
