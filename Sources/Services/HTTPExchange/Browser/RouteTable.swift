import Octets

/// The addresses of a service: what answers at each path, and by which methods.
///
/// A path is in the table once. A request by a method that its path has not is told apart from one for a path that there is not,
/// so a service needs no second list of its paths to answer 405 (RFC 9110, 15.5.6).
package struct RouteTable<Handler: Sendable>: Sendable {
  /// What there is for a request.
  package enum Match {
    /// This answers it.
    case found(Handler)
    /// The path has other methods alone: those, in the order in which they were added, for `Allow`, and what answers the
    /// first of them, which may have a refusal of its own.
    case otherMethod(Handler, allowed: [String])
    /// There is no such path.
    case nothing
  }

  private var paths: [OctetKey: [(method: String, handler: Handler)]] = [:]

  /// A table without routes.
  package init() {}

  /// Adds a route. Where a path has the method already, what was added first stays.
  package mutating func add(_ methods: [String], _ path: String, _ handler: Handler) {
    var known = paths[OctetKey(Array(path.utf8))] ?? []
    for method in methods where !known.contains(where: { $0.method == method }) {
      known.append((method, handler))
    }
    paths[OctetKey(Array(path.utf8))] = known
  }

  /// What answers a request of that method for that path; both are compared by octets.
  package func match(_ method: String, _ path: String) -> Match {
    guard let known = paths[OctetKey(Array(path.utf8))], let first = known.first else {
      return .nothing
    }
    let fitting = known.first { $0.method.utf8.elementsEqual(method.utf8) }
    return fitting.map { .found($0.handler) }
      ?? .otherMethod(first.handler, allowed: known.map(\.method))
  }
}
