#if Client
  import Foundation

  /// A connection to 127.0.0.1 that sends any octets and never waits.
  final class RawConnection: Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
      #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #endif
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      let length = socklen_t(MemoryLayout.size(ofValue: address))
      let isConnected = unsafe withUnsafeBytes(of: &address) { bytes in
        guard let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        else { return false }
        return unsafe connect(descriptor, address, length) == 0
      }
      guard isConnected else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .ECONNREFUSED) }
    }

    /// Sends as many octets as possible without waiting.
    func send(_ octets: [UInt8]) {
      #if canImport(Darwin)
        let flags = Int32(MSG_DONTWAIT)
      #else
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      #endif
      _ = unsafe octets.withUnsafeBytes { bytes in
        unsafe Foundation.send(descriptor, bytes.baseAddress, bytes.count, flags)
      }
    }

    /// Whether the other end has neither closed the connection nor responded.
    var isOpen: Bool {
      var octet: UInt8 = 0
      let flags = Int32(MSG_DONTWAIT)
      return unsafe recv(descriptor, &octet, 1, flags) < 0 && errno == EAGAIN
    }

    deinit { close(descriptor) }
  }
#endif
