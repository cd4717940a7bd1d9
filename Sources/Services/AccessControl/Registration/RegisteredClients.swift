import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// A client that registered itself.
struct RegisteredClient {
  /// Its `client_id`: its place among the others and a random number, so that no two are taken for each other.
  private(set) var id: String
  private(set) var description: ClientDescription
  private(set) var issued: Instant
  /// Whether a person signed in to it since.
  private(set) var isUsed: Bool
  /// Stands for the network address that registered it; empty where that is not known, and in records of earlier releases.
  private(set) var sender: String

  init(
    id: String, _ description: ClientDescription, issued: Instant, isUsed: Bool = false,
    by sender: String = ""
  ) {
    self.sender = sender
    self.id = id
    self.description = description
    self.issued = issued
    self.isUsed = isUsed
  }

  /// Seconds: a day for one that is never used, ninety days from the last use for others.
  var lifetime: Int64 { isUsed ? 7_776_000 : 86_400 }

  /// The place in a `client_id`; nil where there is none. Whether the client is there, its whole identifier says.
  static func place(_ id: String) -> Int? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 ? Int(parts[1]) : nil
  }
}

extension RegisteredClient: KeptValue {
  static var blank: Self {
    Self(
      id: "", ClientDescription(redirects: [], name: nil), issued: Instant(secondsSinceEpoch: 0))
  }

  mutating func members(_ kept: inout KeptMembers) {
    kept.member("id", &id)
    kept.member("issued", &issued)
    kept.member("used", &isUsed)
    kept.member("sender", &sender, usually: "")
    kept.members(
      of: &description, write: { $0.write(to: &$1) },
      read: { try? ClientDescription($0, isExact: false) })
  }
}

extension IssuingService {
  /// Registers a client. A full register makes room at the cost of the sender that has most unused clients, so that one sender
  /// cannot fill it.
  ///
  /// - Parameter address: The network address of the sender; nil where it is not known.
  /// - Throws: `registration.full`, and what the store throws.
  func register(
    _ description: ClientDescription, among most: Int, from address: String?
  ) async throws(TokenError) -> RegisteredClient {
    let sender = address.map {
      Base64.encode(Array(key.code(for: "registration:" + $0).prefix(16)), .url)
    }
    let place = try await place(among: most)
    let client = RegisteredClient(
      id: "client-\(place)-\(random.hex(16))", description,
      issued: Instant(secondsSinceEpoch: clock.now.seconds), by: sender ?? "")
    try await keep(client, at: place)
    return client
  }

  /// A free place, or that of the unused client to drop for another one.
  private func place(among most: Int) async throws(TokenError) -> Int {
    var seen: [Int: RegisteredClient] = [:]
    for _ in 0..<Self.tries {
      let place = random.number(below: most)
      guard seen[place] == nil else { continue }
      guard let client = try await registered(at: place) else { return place }
      seen[place] = client
    }
    let unused = Dictionary(grouping: seen.filter { !$0.value.isUsed }, by: \.value.sender)
    guard let crowd = unused.values.max(by: { $0.count < $1.count }), crowd.count > 1,
      let oldest = crowd.min(by: { $0.value.issued < $1.value.issued })
    else { throw TokenError(.registrationFull, expected: "fewer than \(most) clients") }
    return oldest.key
  }

  /// The client of a `client_id`; nil for none.
  func registeredClient(_ id: String) async throws(TokenError) -> RegisteredClient? {
    guard let place = RegisteredClient.place(id), let client = try await registered(at: place),
      client.id.hasSameBytes(as: id)
    else { return nil }
    return client
  }

  /// Notes that a person signed in to a client: it is kept for longer.
  func noteUse(of party: RelyingParty) async throws(TokenError) {
    guard let client = try await registeredClient(party.realm),
      let place = RegisteredClient.place(client.id)
    else { return }
    try await keep(
      RegisteredClient(
        id: client.id, client.description, issued: client.issued, isUsed: true, by: client.sender),
      at: place)
  }

  private func registered(at place: Int) async throws(TokenError) -> RegisteredClient? {
    try await grants.kept(under: .client(at: place))
  }

  private func keep(_ client: RegisteredClient, at place: Int) async throws(TokenError) {
    try await grants.keep(
      client, under: .client(at: place), until: clock.now.advanced(bySeconds: client.lifetime))
  }

  /// How many places are tried before the register counts as full.
  private static let tries = 16
}

extension RandomSource {
  /// A number from 0 up to another one.
  fileprivate func number(below most: Int) -> Int {
    let number = octets(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(number % UInt64(max(1, most)))
  }
}
