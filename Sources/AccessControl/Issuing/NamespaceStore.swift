import Synchronization
public import TokenService

/// The namespace that a site serves now; replaced as a whole when its rules or keys change.
public final class NamespaceStore: Sendable {
  private let namespace: Mutex<ServiceNamespace>

  /// Serves this namespace.
  public init(_ namespace: ServiceNamespace) { self.namespace = Mutex(namespace) }

  /// The namespace.
  public var current: ServiceNamespace { namespace.withLock { $0 } }

  /// Serves another one from now on.
  public func replace(with other: ServiceNamespace) { namespace.withLock { $0 = other } }
}
