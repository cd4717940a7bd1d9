import RedisStores
import Testing

@Suite("Errors of a shared server")
struct RedisErrorTests {
  @Test("Another server may answer where this one is demoted, loading or full, and not otherwise")
  func kinds() {
    for (text, isOther) in [
      ("READONLY You can't write against a read only replica.", true), ("LOADING", true),
      ("MASTERDOWN Link with MASTER is down", true), ("NOAUTH Authentication required.", true),
      ("OOM command not allowed", true), ("MISCONF x", true), ("NOREPLICAS x", true),
      ("CLUSTERDOWN x", true), ("ERR unknown command", false), ("WRONGTYPE x", false),
      ("NOPERM x", false), ("readonly", false), ("", false),
    ] {
      #expect(RESPReply.error(Array(text.utf8)).namesAnotherServer == isOther, "\(text)")
    }
    for reply in [RESPReply.status(Array("READONLY".utf8)), .octets(nil), .list([])] {
      #expect(!reply.namesAnotherServer)
    }
  }
}
