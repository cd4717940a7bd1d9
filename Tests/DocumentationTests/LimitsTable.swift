import Claims
import TokenBasics

/// The threat model's table of limits: the numbers are the code's.
enum LimitsTable {
  static var text: String {
    let limits = Limits()
    let rows: [(String, String, String)] = [
      (
        "bytes of a token, also after inflating", "\(limits.bytes >> 20) MiB",
        "a response with 500 groups has about 100 kB; 10 MiB is the ceiling of any setting"
      ),
      (
        "depth of XML", "\(limits.depth)",
        "genuine messages stay under 20; deep nesting is how walks and stacks are exhausted"
      ),
      ("elements", "\(limits.elements)", "bounds the tree, whatever its shape"),
      (
        "different names", "\(limits.names)",
        "libxml2 keeps each in a dictionary that slows down when it holds tens of thousands"
      ),
      (
        "attributes of an element", "\(limits.attributes)",
        "libxml2 compares each with every other before a caller can stop it"
      ),
      (
        "namespace declarations of an element", "\(limits.namespaces)",
        "inclusive canonicalization prints them again and again"
      ),
      (
        "prefixes in a PrefixList", "\(limits.inclusivePrefixes)",
        "exclusive canonicalization looks up each at every element"
      ),
      ("transforms of a reference", "\(limits.transforms)", "SAML has two"),
      (
        "references of a signature outside SAML", "\(limits.references)",
        "each is a walk and a digest; SAML has one"
      ),
      (
        "encrypted keys, private-key operations",
        "\(limits.encryptedKeys), "
          + "\(limits.privateKeyOperations)",
        "each operation takes about a millisecond and any sender can cause it"
      ),
      ("pairs of a Simple Web Token", "\(limits.pairs)", "genuine tokens have some tens"),
      ("depth of JSON", "\(limits.jsonDepth)", "the parser recurses"),
      (
        "members of a JSON object", "\(limits.jsonMembers)",
        "each name is compared with those before it, and becomes a claim"
      ),
      (
        "clock skew", "\(Trust.defaultSkew) s, at most \(Trust.skewRange.upperBound) s",
        "clocks that are kept differ by far less, and each second prolongs every stolen token"
      ),
    ]
    return "| what | default | why |\n| --- | --- | --- |\n"
      + rows.map { "| \($0.0) | \($0.1) | \($0.2) |\n" }.joined()
  }
}
