import Federation
import Foundation

/// The folder of a trust file, from which its key files are read.
struct TrustFolder: FileSource {
  let folder: URL

  func read(_ path: String) throws(TokenError) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: folder.appending(path: path)))
    } catch {
      throw TokenError(.trustFileReference, node: path)
    }
  }
}

/// The verdict on each token, in the order of the tokens: subject and roles, or the code of the error.
///
/// - Throws: `policy.trust-file-…` for a trust file with errors. A bad token throws nothing: it is a verdict.
func verdicts(
  on tokens: [[UInt8]], trustFile: URL, at now: Instant
) throws -> [String] {
  let folder = TrustFolder(folder: trustFile.deletingLastPathComponent())
  let bytes = Array(try Data(contentsOf: trustFile))
  let trust = try TrustFile(parsing: bytes, files: folder).get()
  let validator = TokenValidator<AnyToken>(trust)
  return tokens.map { octets in
    do throws(TokenError) {
      let verified = try validator.validate(AnyToken(reading: octets), at: now)
      return "\(verified.facts.subject ?? "-") \(verified.projectedClaims[.role])"
    } catch {
      return error.code.rawValue
    }
  }
}
