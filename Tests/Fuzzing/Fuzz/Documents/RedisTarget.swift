import RedisStores
import SignIn
import TokenBasics
import XMLOracle

/// The replies of a shared store, whole and octet by octet.
struct RedisTarget: FuzzTarget {
  let seeds: [(name: String, octets: [UInt8])] = [
    ("kinds", Array("+OK\r\n:-12\r\n$5\r\na\r\nb\n\r\n$-1\r\n-ERR no\r\n*-1\r\n*0\r\n".utf8)),
    ("list", Array("*3\r\n$1\r\nx\r\n:0\r\n+y\r\n$4\r\nPONG\r\n".utf8)),
    ("address", Array("rediss://gate@redis.example:6380/7".utf8)),
  ]

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? { nil }

  func exercise(_ octets: [UInt8]) {
    let whole = Self.replies([octets[...]])
    let single = Self.replies(octets.indices.map { octets[$0...$0] })
    // An error ends both at the same reply; what was whole before it is given in a batch or not.
    require(whole.failed == single.failed, "an outcome that depends on where octets are cut")
    if !whole.failed { require(whole.replies == single.replies, "replies that depend on cuts") }
    guard let address = try? RedisAddress(String(decoding: octets, as: UTF8.self)) else { return }
    require(!address.description.contains("@"), "an address that shows its user")
  }

  private static func replies(
    _ parts: [ArraySlice<UInt8>]
  ) -> (replies: [RESPReply], failed: Bool) {
    var reader = RESPReader()
    var replies: [RESPReply] = []
    for part in parts {
      do throws(TokenError) {
        replies += try reader.consume(part)
      } catch {
        return (replies, true)
      }
    }
    return (replies, false)
  }
}
