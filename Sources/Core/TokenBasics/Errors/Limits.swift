import Octets

/// How much work one token may cause, checked before the work is done.
///
/// Every number is far above what issuers send and far below what hurts. A trust file can move each
/// one up or down.
public struct Limits: Hashable, Sendable {
  /// Bytes of one token as it travels and of one document: 1 MiB. A response with 500 group claims
  /// has about 100 kB.
  public var bytes = 1 << 20
  /// Depth of nested elements: 100. libxml2 itself stops at 256.
  public var depth = 100
  /// Elements of a document: 20,000.
  public var elements = 20_000
  /// Different names of a document: 8,192. Elements, attributes, instructions, and what declarations
  /// name.
  public var names = 8_192
  /// Attributes of one element: 256. libxml2 spends quadratic time on more.
  public var attributes = 256
  /// Namespace declarations of one element: 128.
  public var namespaces = 128
  /// References of one XML Signature outside SAML: 64. SAML always has one.
  public var references = 64
  /// Transforms of one reference: 4.
  public var transforms = 4
  /// Prefixes in one `InclusiveNamespaces` list: 64.
  public var inclusivePrefixes = 64
  /// Encrypted keys beside one EncryptedData: 8. Each may cost a private-key operation.
  public var encryptedKeys = 8
  /// Private-key operations of one token: 8, each about a millisecond. Wrong keys of a rollover and
  /// other recipients' encrypted keys count.
  public var privateKeyOperations = 8
  /// Bytes that a DEFLATE stream may inflate to: 1 MiB.
  public var inflatedBytes = 1 << 20
  /// Name-value pairs of a Simple Web Token: 1,000.
  public var pairs = 1_000
  /// Nesting of JSON: 32.
  public var jsonDepth = 32
  /// Members of one JSON object: 4,096.
  public var jsonMembers = 4_096

  /// The ceiling of ``bytes`` and ``inflatedBytes``: 10 MiB. Offsets inside a document are 32 bits
  /// wide, and nothing that is genuine comes near.
  public static let hardByteLimit = 10 << 20

  /// The defaults.
  public init() {}
}
