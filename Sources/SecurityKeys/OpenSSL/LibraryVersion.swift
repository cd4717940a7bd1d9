import COpenSSL

/// The version of OpenSSL that is loaded.
package enum CryptographyLibrary {
  package static var version: String {
    guard let text = unsafe OpenSSL_version(OPENSSL_VERSION_STRING) else { return "unknown" }
    return unsafe String(cString: text)
  }
}
