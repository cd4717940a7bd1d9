#if Client
  import HTTPExchange
  import RegistryTesting

  /// The metadata server of the story, over sockets.
  struct LoopbackMetadata: MetadataServer {
    let server: LoopbackServer
    /// Another host, as far as HTTP goes.
    let other: LoopbackServer
    let url: HTTPURL
    static let flood = 200_000_000

    init() async throws {
      server = try LoopbackServer()
      other = try LoopbackServer()
      url = try HTTPURL("http://127.0.0.1:\(server.port)/metadata?token=hidden")
      try await other.start()
      other.reply(.octets(Self.response("200 OK", [], ServedMetadata.forged.document)))
    }

    var conditions: [String] {
      server.requests.map { request in
        request.split(separator: "\r\n").lazy.compactMap { line in
          line.hasPrefix("If-None-Match: ") ? String(line.dropFirst(15)) : nil
        }.first ?? ""
      }
    }

    func serve(_ served: ServedMetadata) async throws {
      guard served != .down else { return try await server.stop() }
      server.reply(reply(served))
      try await server.start()
    }

    private func reply(_ served: ServedMetadata) -> LoopbackServer.Reply {
      let document = served.document
      switch served {
      case .serverError: return .octets(Self.response("500 Internal Server Error", [], []))
      case .notModified: return .octets(Self.head("304 Not Modified", ["ETag: \"current\""]))
      case .truncated:
        let whole = Self.response("200 OK", [], document)
        return .octets(Array(whole.dropLast(100)))
      case .truncatedSilently:
        return .octets(Self.head("200 OK", []) + document.dropLast(100))
      case .slow: return .drip(Self.head("200 OK", ["Content-Length: 100000"]))
      case .huge:
        return .flood(
          Self.head("200 OK", ["Content-Length: \(Self.flood)"]), count: Self.flood)
      case .hugeUndeclared: return .flood(Self.head("200 OK", []), count: Self.flood)
      case .redirect:
        return .octets(
          Self.response(
            "302 Found", ["Location: http://localhost:\(other.port)/metadata"], []))
      case .bomb:
        return .octets(
          Self.response("200 OK", ["Content-Encoding: gzip"], GzipBomb.octets))
      case .badFields:
        return .octets(Self.response("200 OK", ["X-Bell: \u{7}"], document))
      case .loginPage:
        return .octets(Self.response("200 OK", ["Content-Type: text/html"], document))
      default:
        let tag = served.entityTag.map { ["ETag: \($0)"] } ?? []
        return .octets(Self.response("200 OK", ["Content-Type: text/plain"] + tag, document))
      }
    }

    static func head(_ status: String, _ fields: [String]) -> [UInt8] {
      let lines = ["HTTP/1.1 \(status)"] + fields + ["Connection: close", "", ""]
      return Array(lines.joined(separator: "\r\n").utf8)
    }

    static func response(_ status: String, _ fields: [String], _ body: [UInt8]) -> [UInt8] {
      head(status, fields + ["Content-Length: \(body.count)"]) + body
    }
  }
#endif
