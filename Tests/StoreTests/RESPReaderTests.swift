import RedisStores
import Testing

@Suite("Replies of Redis")
struct RESPReaderTests {
  private static let stream = Array(
    """
    +OK\r\n:-12\r\n$5\r\na\r\nb\n\r\n$-1\r\n$0\r\n\r\n-ERR no\r\n*-1\r\n*0\r\n*3\r\n$1\r\nx\r\n:0\r\n+y\r\n\
    *3\r\n$1\r\n0\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n*0\r\n*1\r\n*0\r\n
    """.utf8)
  private static let replies: [RESPReply] = [
    .status(Array("OK".utf8)), .integer(-12), .octets(Array("a\r\nb\n".utf8)), .octets(nil),
    .octets([]), .error(Array("ERR no".utf8)), .list(nil), .list([]),
    .list([.octets(Array("x".utf8)), .integer(0), .status(Array("y".utf8))]),
    .list([
      .octets(Array("0".utf8)), .list([.octets(Array("a".utf8)), .octets(Array("b".utf8))]),
      .list([]),
    ]),
    .list([.list([])]),
  ]

  @Test("Every kind of reply is read, wherever the octets are cut")
  func cuts() throws {
    for cut in 0...Self.stream.count {
      var reader = RESPReader()
      let first = try reader.consume(Self.stream[..<cut])
      let second = try reader.consume(Self.stream[cut...])
      #expect(first + second == Self.replies && !reader.isPartial, "\(cut)")
    }
    for part in ["+a", "$3\r\na", "*2\r\n:1\r\n"] {
      var reader = RESPReader()
      #expect(try reader.consume(Array(part.utf8)) == [] && reader.isPartial)
    }
    var reader = RESPReader()
    var replies: [RESPReply] = []
    for octet in Self.stream { replies += try reader.consume([octet]) }
    #expect(replies == Self.replies)
  }

  @Test(
    "What is no reply, too long or nested twice is refused",
    arguments: [
      "HTTP/1.1 400 Bad Request\r\n", "OK\r\n", "+a\nb\r\n", "+a\nb\r", "+a\rb", ":\r\n", ":1x\r\n",
      ":01\r\n",
      ":-0\r\n", ":+1\r\n", ":9223372036854775808\r\n", "$-2\r\n", "$1\r\nab\r\n", "$1\r\naX\n",
      "$1\r\na\rX", "$4194305\r\n",
      "$99999999999999999999\r\n", "*1000001\r\n", "*1\r\n*1\r\n*1\r\n:1\r\n", "*1\r\n*1000000\r\n",
      "*-2\r\n", "%1\r\n",
      "\r\n",
      "_\r\n", "\u{16}\u{3}\u{1}", "+" + String(repeating: "a", count: 5_000),
    ])
  func refused(text: String) {
    var reader = RESPReader()
    let error = #expect(throws: TokenError.self) { try reader.consume(Array(text.utf8)) }
    #expect(error?.code == .storeProtocol)
  }

  @Test("A list of long values ends at its limit, and a value at its limit is read")
  func limits() throws {
    let value =
      Array("$\(RESPReader.valueLimit)\r\n".utf8)
      + [UInt8](repeating: 7, count: RESPReader.valueLimit) + [13, 10]
    var reader = RESPReader()
    #expect(try reader.consume(value).count == 1)
    _ = try reader.consume(Array("*1000\r\n".utf8))
    let error = #expect(throws: TokenError.self) {
      for _ in 0..<20 { _ = try reader.consume(value) }
    }
    #expect(error?.code == .storeProtocol)
  }

  @Test("A command is an array of bulk strings, and shows its name alone")
  func commands() {
    let command = RESPCommand("AUTH", [Array("pass\r\nword".utf8)])
    #expect(command.octets == Array("*2\r\n$4\r\nAUTH\r\n$10\r\npass\r\nword\r\n".utf8))
    #expect("\(command)" == "AUTH")
    var dumped = ""
    dump(command, to: &dumped)
    #expect(!dumped.contains("112"))
  }

  @Test("Addresses are read as they say")
  func addresses() throws {
    let whole = try RedisAddress("rediss://gate@store.example:6380/7")
    #expect(whole.isSecure && whole.user == "gate" && whole.host == "store.example")
    #expect(whole.port == 6_380 && whole.database == 7)
    #expect("\(whole)" == "rediss://store.example:6380/7")
    let short = try RedisAddress("redis://127.0.0.1")
    #expect(!short.isSecure && short.user == nil && short.port == 6_379 && short.database == 0)
    for (text, host, port) in [
      ("redis://[::1]", "::1", 6_379), ("rediss://u@[2001:db8::7]:6380/1", "2001:db8::7", 6_380),
      ("redis://[fe80::1%eth0]:1", "fe80::1%eth0", 1), ("redis://my_redis:7", "my_redis", 7),
    ] {
      let address = try RedisAddress(text)
      #expect(address.host == host && address.port == port && address.socket == nil)
      #expect(try RedisAddress("\(address)").host == host)
    }
    let socket = try RedisAddress("unix://gate@/run/redis/redis.sock?db=3")
    #expect(socket.socket == "/run/redis/redis.sock" && socket.user == "gate")
    #expect(socket.database == 3 && !socket.isSecure)
    #expect("\(socket)" == "unix:///run/redis/redis.sock?db=3")
    #expect(try RedisAddress("unix:///run/redis.sock").database == 0)
  }

  @Test(
    "Addresses with a password, without a host, or with parts that cannot be are refused",
    arguments: [
      "redis://:secret@h", "redis://u:secret@h", "http://h", "redis://", "redis://h:0",
      "redis://h:65536", "redis://h:x", "redis://h/1024", "redis://h/x", "redis://h/0?a=b",
      "redis://a@b@c", "redis://a/b@c", "redis://a@b@c/1", "redis://h/+1", "redis://h h",
      "redis://[::1", "redis://[::1]x", "redis://[h]",
      "redis://[::1]:0", "redis://::1", "redis://h:+1", "redis://@h", "redis:/h", "unix://",
      "unix://run/s",
      "unix://u:secret@/run/s", "unix:///run/s?x=1", "unix:///run/s?xy=1", "unix:///run/s k",
      "unix:///run/\u{e4}", "redis://h/\u{7f}",
      "unix:///" + String(repeating: "s", count: 100), "unix:///run/s?db=-1",
    ])
  func badAddresses(text: String) {
    let error = #expect(throws: TokenError.self) { try RedisAddress(text) }
    #expect(error?.code == .storeAddress)
    #expect(error.map { !"\($0)".contains("secret") } == true)
  }
}
