#if Server
  import NIOHTTP1

  extension HTTPRequestHead {
    /// Whether the decoder may read no request behind this one. It stops at every request to switch protocols, and no
    /// listener switches: without a `Connection: close` a proxy would send the request of another client on a connection
    /// where nobody reads it (RFC 9110, 7.8 and 9.3.6).
    var isLastToBeRead: Bool { method == .CONNECT || headers.contains(name: "Upgrade") }

    /// Whether there is one `Host` line, which HTTP/1.0 may leave out (RFC 9112, 3.2). Two readers of a request with
    /// several would take it for requests to two hosts.
    var namesOneHost: Bool {
      let count = headers["Host"].count
      return count == 1 || (count == 0 && version == .http1_0)
    }
  }
#endif
