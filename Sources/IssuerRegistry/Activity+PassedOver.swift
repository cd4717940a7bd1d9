extension Activity {
  /// A key of a source that cannot be used, with its place there.
  static func passedOver(_ error: TokenError, of source: String) -> Self {
    Self(
      "registry.passed-over",
      [("source", source), ("code", error.code.rawValue), ("place", error.node ?? "")])
  }
}
