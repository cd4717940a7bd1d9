/// Whether a signature in the document element may refer to the whole document (`URI=""`) instead of
/// that element.
package enum WholeDocument: Sendable {
  /// It may not.
  case refused
  /// It may where nothing but white space and comments, which are not digested, stands beside the
  /// document element: then both are the same octets.
  case elementAlone
  /// It may. Processing instructions beside the document element are digested with it.
  case accepted
}
