#if Server
  import NIOHTTP1
  import Octets

  /// What the guard of a connection reads of a head, found in one pass over the fields: every request is asked.
  struct RequestHead {
    private let head: HTTPRequestHead
    private var hosts = 0
    private var hasUpgrade = false
    private var hasExpect = false

    init(_ head: HTTPRequestHead) {
      self.head = head
      for (name, _) in head.headers {
        let name = name.utf8.span
        switch name.count {
        case 4 where name.equalsIgnoringCase("Host"): hosts += 1
        case 6 where name.equalsIgnoringCase("Expect"): hasExpect = true
        case 7 where name.equalsIgnoringCase("Upgrade"): hasUpgrade = true
        default: break
        }
      }
    }

    /// Whether the decoder may read no request behind this one. It stops at every request to switch protocols, and no
    /// listener switches: without a `Connection: close` a proxy would send the request of another client on a connection
    /// where nobody reads it (RFC 9110, 7.8 and 9.3.6).
    var isLastToBeRead: Bool { head.method == .CONNECT || hasUpgrade }

    /// Whether there is one `Host` line, which HTTP/1.0 may leave out (RFC 9112, 3.2). Two readers of a request with
    /// several would take it for requests to two hosts.
    var namesOneHost: Bool { hosts == 1 || (hosts == 0 && head.version == .http1_0) }

    /// Whether the client waits for a `100 Continue` before it sends a body (RFC 9110, 10.1.1) that is within the limit: one
    /// that is too large is refused before it is sent.
    func expectsContinue(bodyLimit: Int) -> Bool {
      guard hasExpect, head.version == .http1_1,
        head.headers[canonicalForm: "Expect"].contains(where: {
          $0.utf8.elementsEqual("100-continue".utf8) || $0.utf8.elementsEqual("100-Continue".utf8)
        })
      else { return false }
      return head.headers.first(name: "Content-Length").flatMap { Int($0) }
        .map { $0 <= bodyLimit } ?? true
    }
  }
#endif
