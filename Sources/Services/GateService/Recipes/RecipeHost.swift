package import HTTPExchange

/// A host of the gate's file, as the configuration of a proxy needs it.
package struct RecipeHost: Sendable {
  /// The origin that browsers see.
  package let origin: HTTPOrigin
  /// Where its application listens; the gate itself for a host that has none.
  package let application: HostPort
  /// The names of the headers that tell its application who asks.
  package let headers: [String]
  /// The path of the description of its protected resource; nil for none.
  package let description: String?

  /// A host.
  package init(
    origin: HTTPOrigin, application: HostPort, headers: [String], description: String? = nil
  ) {
    self.origin = origin
    self.application = application
    self.headers = headers
    self.description = description
  }

  /// Whether its connections are encrypted.
  var isSecure: Bool { origin.scheme == "https" }

  /// The address on which a proxy listens for it; nil for every address of the machine.
  var listener: String? {
    guard origin.isLoopback else { return nil }
    return origin.host == "localhost" ? "127.0.0.1" : origin.host
  }

  /// The part of the names of its files of TLS that comes before the extension.
  var fileName: String { origin.host }
}

/// A file of a recipe.
package struct RecipeFile: Hashable, Sendable {
  /// Its name.
  package let name: String
  /// What it holds, with a line feed at its end.
  package let text: String
}
