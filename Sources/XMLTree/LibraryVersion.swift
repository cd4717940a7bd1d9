import CLibXML2

/// The version of libxml2 that the build saw.
package enum XMLLibrary {
  package static var version: String { LIBXML_DOTTED_VERSION }
}
