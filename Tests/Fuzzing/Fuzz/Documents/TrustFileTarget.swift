import Federation
import Foundation
import TestSupport
import XMLOracle

/// Trust files.
struct TrustFileTarget: FuzzTarget {
  private let files = MemoryFiles()

  var seeds: [(name: String, octets: [UInt8])] {
    [
      ("vectors", TestVector.bytes("trust.json")),
      (
        "everything",
        Array(
          """
          {"skew": 90, "audiences": ["https://rp.example/saml"], "certificateDates": "enforce",
           "limits": {"bytes": 65536, "depth": 40}, "decryptionKeys": ["keys/rp-rsa.key"],
           "issuers": [
             {"name": "https://idp.example/idp", "keys": ["keys/idp-rsa.crt", "keys/idp-ec256.crt"],
              "formats": ["saml11", "saml20"], "allow": ["sha1"], "projection": "all"},
             {"name": "*", "keys": ["hmac-file:keys/acs.key"], "formats": ["swt"]},
             {"metadata": "metadata/group.xml"}
           ]}
          """.utf8)
      ),
      ("empty", Array("{}".utf8)),
    ] + documented
  }

  /// The examples of the documentation.
  private var documented: [(name: String, octets: [UInt8])] {
    let file = TestVector.packageRoot.appending(path: "docs/trust-file.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "```").enumerated().compactMap { index, block in
      guard index % 2 == 1, let brace = block.firstIndex(of: "{") else { return nil }
      return ("documented-\(index)", Array(block[brace...].utf8))
    }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    JSONMutator.mutate(octets, &random)
  }

  func exercise(_ octets: [UInt8]) {
    let file = TrustFile(parsing: octets, files: files)
    let again = TrustFile(parsing: octets, files: files)
    require(file.errors.map(\.description) == again.errors.map(\.description), "the same again")
    require(file.warnings == again.warnings, "the same warnings again")
    require((file.trust == nil) == !file.errors.isEmpty, "trust, or errors")
    for error in file.errors {
      require(error.description.utf8.count < 4_096, "an error is short")
      require(error.node?.hasPrefix("line ") ?? false, "\(error.code) says where")
    }
    guard let trust = file.trust else { return }
    require((0...600).contains(trust.skew), "the skew is in range")
    require(trust.limits.bytes <= Limits.hardByteLimit, "no limit above the hard one")
    for issuer in trust.issuers {
      require(!issuer.keys.isEmpty, "an issuer without keys")
      require(!issuer.formats.isEmpty, "an issuer without formats")
    }
    // Accepted means usable: a token is verified with it.
    let token = Array("Issuer=a&HMACSHA256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3d".utf8)
    if let token = try? AnyToken(reading: token) {
      let report = TokenValidator(trust).report(on: token, at: Instant(secondsSinceEpoch: 0))
      require((try? report.get()) == nil, "a MAC of zeros is refused")
    }
  }
}
