#if Server
  public import HTTPExchange
  import HTTPTypes
  public import Hummingbird
  import NIOCore
  import SignIn

  extension WebRequest {
    /// A request without its body.
    public init(head request: Request) {
      let target = request.head.path ?? "/"
      let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
      var fields = HTTPExchange.HTTPFields(capacity: request.headers.count + 1)
      // Hummingbird has parsed them; one that is refused here is one that HTTP does not allow.
      for field in request.headers { try? fields.append(field.name.rawName, field.value) }
      // Of HTTP/1 too it is a part of its own here; a second line is a field still.
      if let host = request.head.authority { try? fields.append("Host", host) }
      self.init(
        method: request.method.rawValue, path: String(target[..<(mark ?? target.endIndex)]),
        query: mark.map { String(target[target.utf8.index(after: $0)...]) }, fields: fields)
    }

    /// A request with those of its fields alone: to look at a few is faster than to copy all.
    init(head request: Request, only names: [HTTPField.Name]) {
      let target = request.head.path ?? "/"
      let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
      self.init(
        method: request.method.rawValue, path: String(target[..<(mark ?? target.endIndex)]),
        query: mark.map { String(target[target.utf8.index(after: $0)...]) },
        fields: HTTPExchange.HTTPFields(of: request, only: names))
    }

    /// A request with its body.
    ///
    /// - Throws: 413 for a body beyond the limit; 400 for one that ends before it is whole, as where the connection
    ///   broke off: half a form is another form.
    public init(_ request: Request, bodyLimit: Int) async throws {
      self.init(head: request)
      let announced = request.headers[.contentLength].flatMap { Int($0) }
      if let announced, announced > bodyLimit { throw HTTPError(.contentTooLarge) }
      var octets: [UInt8] = []
      for try await part in request.body {
        guard octets.count + part.readableBytes <= bodyLimit else {
          throw HTTPError(.contentTooLarge)
        }
        octets.append(contentsOf: part.readableBytesView)
      }
      if let announced, announced != octets.count { throw HTTPError(.badRequest) }
      body = octets
    }
  }

  extension HTTPExchange.HTTPFields {
    /// The fields of these names that a request has.
    init(of request: Request, only names: [HTTPField.Name]) {
      self.init()
      for name in names {
        for value in request.headers[values: name] { try? append(name.rawName, value) }
      }
    }
  }

  extension Response {
    /// What a site answers, as Hummingbird sends it.
    public init(_ response: HTTPExchange.HTTPResponse) {
      var headers = HTTPTypes.HTTPFields()
      headers.reserveCapacity(response.fields.list.count)
      for (name, value) in response.fields.list {
        guard let name = HTTPField.Name(name) else { continue }
        headers.append(HTTPField(name: name, value: value))
      }
      self.init(
        status: .init(code: response.status), headers: headers,
        body: response.body.isEmpty
          ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
    }
  }
#endif
