import CLibXML2

/// The version of libxml2.
package enum XMLLibrary {
  /// That in use, and that of the build where it is another.
  package static let version: String = {
    let digits = unsafe String(cString: cxml_version()).prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number != LIBXML_VERSION else { return LIBXML_DOTTED_VERSION }
    let used = "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    return "\(used), built for \(LIBXML_DOTTED_VERSION)"
  }()
}
