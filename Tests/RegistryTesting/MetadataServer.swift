public import HTTPExchange

/// A metadata server that a test tells what to do.
public protocol MetadataServer: Sendable {
  /// Where the metadata is.
  var url: HTTPURL { get }
  /// From now on, every request meets this.
  func serve(_ served: ServedMetadata) async throws
  /// The `If-None-Match` fields of the requests so far; empty where there was none.
  var conditions: [String] { get }
}
