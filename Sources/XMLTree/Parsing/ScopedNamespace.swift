import CLibXML2

/// A namespace declaration of an element that is open, in strings of the parser's dictionary.
@safe struct ScopedNamespace {
  let prefix: UnsafePointer<xmlChar>?
  let uri: UnsafePointer<xmlChar>?
}
