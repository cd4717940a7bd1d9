import Synchronization
import TokenBasics

/// Makes guesses of secrets cost time, by a monotonic clock.
///
/// Wrong ones are counted for each name at each address, for each address, and for each name: ten, a hundred and a thousand at
/// once. An address from which the secret of a name was right before has a larger allowance for that name, a hundred at once
/// and then one a second: a stranger behind the same address does not lock the client out, and no sender guesses without end.
final class GuessLimit: Sendable {
  private struct Pair: Hashable {
    let name: String
    let address: String
  }

  /// A table for each rate: in one of all, few of a thousand guesses would say less than one of ten.
  private struct State {
    var pairs: Buckets<Pair>
    var knownPairs: Buckets<Pair>
    var addresses: Buckets<String>
    var names: Buckets<String>
    /// The addresses from which the secret of a name was right.
    var known: [String: Set<String>] = [:]
  }

  private let uptime: Uptime
  private let state: Mutex<State>

  /// - Parameter most: The most pairs, addresses and names that are counted, each.
  init(_ uptime: Uptime, most: Int = 20_000) {
    self.uptime = uptime
    state = Mutex(
      State(
        pairs: Buckets(BucketRate(burst: 10, perSecond: 0.1), most: most),
        knownPairs: Buckets(BucketRate(burst: 100, perSecond: 1), most: most),
        addresses: Buckets(BucketRate(burst: 100, perSecond: 1), most: most),
        names: Buckets(BucketRate(burst: 1_000, perSecond: 1), most: most)))
  }

  /// - Throws: `issuing.rate` where too many were wrong.
  func admit(_ name: String, from address: String) throws(TokenError) {
    let (name, address) = (CountedName.of(name), CountedName.of(address))
    let now = uptime.now
    let pair = Pair(name: name, address: address)
    let wait = state.withLock { state in
      state.known[name]?.contains(address) == true
        ? state.knownPairs.wait(pair, at: now)
        : max(
          state.pairs.wait(pair, at: now), state.addresses.wait(address, at: now),
          state.names.wait(name, at: now))
    }
    guard wait == .zero else {
      RequestRecord.note(wait: wait)
      throw TokenError(.issuingRate, expected: "fewer wrong secrets", found: "too many")
    }
  }

  /// A secret was wrong. Returns whether that was within the limit.
  @discardableResult
  func failed(_ name: String, from address: String) -> Bool {
    let (name, address) = (CountedName.of(name), CountedName.of(address))
    let now = uptime.now
    let pair = Pair(name: name, address: address)
    return state.withLock { state in
      let isKnown = state.known[name]?.contains(address) == true
      let areWithin = [
        isKnown ? state.knownPairs.take(pair, at: now) : state.pairs.take(pair, at: now),
        state.addresses.take(address, at: now), state.names.take(name, at: now),
      ]
      return !areWithin.contains(false)
    }
  }

  /// A secret was right.
  func succeeded(_ name: String, from address: String) {
    let (name, address) = (CountedName.of(name), CountedName.of(address))
    state.withLock { state in
      // Only the file of the service has names with a secret; this bounds what many reloads leave.
      if state.known[name] == nil, state.known.count >= Self.mostNames {
        state.known.remove(at: state.known.startIndex)
      }
      state.known[name, default: []].note(address, most: Self.mostAddresses)
    }
  }

  /// The octets of all names and addresses that are in memory.
  var countedOctets: Int {
    state.withLock { state in
      let known = state.known.flatMap { name, addresses in [name] + addresses }
      let texts =
        (state.pairs.keys + state.knownPairs.keys).flatMap { [$0.name, $0.address] }
        + state.addresses.keys
        + state.names.keys + known
      return texts.reduce(0) { $0 + $1.utf8.count }
    }
  }

  private static let mostNames = 10_000
  /// Of one name: one with more addresses forgets its own, and no other's.
  private static let mostAddresses = 100
}

extension Set<String> {
  /// Takes up a text, in the place of another one where there are too many.
  fileprivate mutating func note(_ text: String, most: Int) {
    guard !contains(text) else { return }
    if count >= most { remove(at: startIndex) }
    insert(text)
  }
}
