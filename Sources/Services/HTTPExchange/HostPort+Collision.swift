extension HostPort {
  /// Whether both cannot be listened at.
  package func collides(with other: Self) -> Bool {
    if socket != nil || other.socket != nil { return socket == other.socket }
    guard port == other.port else { return false }
    return host == other.host || isEverywhere || other.isEverywhere
      || (isUsualLoopback && other.isUsualLoopback)
  }

  private var isEverywhere: Bool {
    IPAddress(host[...])?.octets.allSatisfy { $0 == 0 } ?? false
  }

  /// `localhost`, or the address that it usually is.
  private var isUsualLoopback: Bool { ["localhost", "127.0.0.1"].contains(host) }
}
