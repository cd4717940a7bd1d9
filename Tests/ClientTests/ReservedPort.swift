#if Client
  import Foundation

  /// A reserved port of 127.0.0.1: bound as long as this value lives, but without a listener.
  final class ReservedPort: Sendable {
    let number: Int
    private let descriptor: Int32

    init() throws {
      #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #endif
      // A listener sets the same option, which lets both bind the port.
      var yes: Int32 = 1
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      var length = socklen_t(MemoryLayout.size(ofValue: address))
      let isBound = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        return unsafe bind(descriptor, address, length) == 0
          && getsockname(descriptor, address, &length) == 0
      }
      guard isBound else {
        let error = POSIXError(POSIXError.Code(rawValue: errno) ?? .EADDRNOTAVAIL)
        close(descriptor)
        throw error
      }
      number = Int(UInt16(bigEndian: address.sin_port))
      self.descriptor = descriptor
    }

    deinit { close(descriptor) }
  }
#endif
