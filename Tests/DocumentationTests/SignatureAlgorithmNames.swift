import SecurityKeys

enum SignatureAlgorithmNames {
  static let modern = SignatureAlgorithm.all.filter { !$0.isLegacy }.map(\.name)
  static let exceptions = LegacyException.all.map(\.name)
}
