package import HTTPExchange
import IssuerRegistry
import Octets
import Synchronization
import TokenBasics

/// Documents in which clients describe themselves, each at the https address that is its `client_id` (Client ID Metadata
/// Document, 3 and 4).
///
/// A stranger names the address, so it is asked for little, seldom, and never but by https at port 443 of a named host, which
/// the transport of ``ClientRegistration`` reaches on the internet alone; on loopback also where this service is there itself. Nothing of an answer that is no such document is shown.
package final class ClientDocuments: Sendable {
  private struct State {
    var remembered: [String: (description: ClientDescription, until: Duration)] = [:]
  }

  private let transport: any HTTPTransport
  private let isOnLoopback: Bool
  private let uptime: Uptime
  private let limit: RateLimit
  private let senders: SenderLimit
  private let state = Mutex(State())
  private let questions = SharedQuestions<String, ClientDescription>()

  /// - Parameter isOnLoopback: Whether this service is on loopback.
  init(_ transport: any HTTPTransport, isOnLoopback: Bool, _ uptime: Uptime) {
    self.transport = transport
    self.isOnLoopback = isOnLoopback
    self.uptime = uptime
    limit = RateLimit(perSecond: Self.mostPerSecond, uptime)
    senders = SenderLimit(BucketRate(burst: 20, perSecond: 0.2), uptime)
  }

  /// The address of a `client_id`; nil for one that is none of a document.
  func address(_ id: String) -> HTTPURL? { Self.address(id, isOnLoopback: isOnLoopback) }

  /// As ``address(_:)``.
  package static func address(_ id: String, isOnLoopback: Bool) -> HTTPURL? {
    guard id.utf8.count <= mostOctetsOfAddress, let url = try? HTTPURL(id),
      url.text.hasSameBytes(as: id), url.path != "/", url.query == nil
    else { return nil }
    let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
    guard !segments.contains(where: { $0 == "." || $0 == ".." }),
      !url.path.lowercasedASCII.contains("%2e")
    else { return nil }
    if url.origin.isLoopback { return isOnLoopback ? url : nil }
    guard url.origin.scheme == "https", url.origin.port == 443, isName(url.origin.host) else {
      return nil
    }
    return url
  }

  /// Whether a host is a name with a dot, and not a number by which a machine within the network is reached.
  private static func isName(_ host: String) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last else { return false }
    return !host.hasPrefix("[") && last.utf8.contains(where: ASCII.isLetter)
      && !["local", "localhost", "internal", "arpa"].contains(String(last))
  }

  /// What the client says of itself.
  ///
  /// - Throws: `registration.document` where there is no such document; `issuing.rate`.
  func description(_ address: HTTPURL) async throws(TokenError) -> ClientDescription {
    let id = address.text
    let now = uptime.now
    let known = state.withLock { $0.remembered[id] }
    if let known, now < known.until { return known.description }
    do throws(TokenError) {
      // The sender's own first: one that is held back takes nothing of what others have.
      if let sender = RequestRecord.current?.sender { try senders.take(sender) }
      try limit.take()
    } catch {
      // What was good goes on for a day rather than be held back by strangers.
      if let known, now < known.until + .seconds(Self.mostAge) { return known.description }
      throw error
    }
    return try await questions.answer(about: id) { await self.ask(address) }
  }

  private func ask(_ address: HTTPURL) async -> Result<ClientDescription, TokenError> {
    do throws(TokenError) {
      let request = try FetchedDocument.request(
        address, upTo: Self.mostOctets, timeout: .seconds(5))
      let response = try await transport.response(to: request)
      let description = try Self.read(
        FetchedDocument.octets(of: response, upTo: Self.mostOctets), at: address)
      remember(description, of: address, for: FetchedDocument.maxAge(response))
      return .success(description)
    } catch {
      return .failure(
        TokenError(
          .registrationDocument, node: address.description, expected: error.expected,
          found: "\(error.code)"))
    }
  }

  /// What a document at an address says.
  ///
  /// - Throws: `input.json-*`, `registration.*`.
  package static func read(
    _ octets: [UInt8], at address: HTTPURL
  ) throws(TokenError) -> ClientDescription {
    let json = try JSONParser.parse(octets)
    guard json["client_id"]?.string.hasSameBytes(as: address.text) == true else {
      throw TokenError(.registrationMetadata, node: "client_id", expected: address.text)
    }
    // Client ID Metadata Document, 4.1: everyone can read the document.
    for name in ["client_secret", "client_secret_expires_at"] where json[name] != nil {
      throw TokenError(.registrationMetadata, node: name, expected: "nothing")
    }
    return try ClientDescription(json, isExact: true)
  }

  private func remember(
    _ description: ClientDescription, of address: HTTPURL, for seconds: Int64?
  ) {
    let now = uptime.now
    let kept = min(max(seconds ?? Self.usualAge, Self.leastAge), Self.mostAge)
    state.withLock { state in
      if state.remembered.count >= Self.capacity {
        state.remembered = state.remembered.filter { $0.value.until > now }
      }
      if state.remembered.count >= Self.capacity { state.remembered.removeAll() }
      state.remembered[address.text] = (description, now + .seconds(kept))
    }
  }

  /// Of one document: the text recommends 5 KiB.
  private static let mostOctets = 5 << 10
  private static let mostOctetsOfAddress = 500
  /// Of all addresses together; one sender has twenty at once, and then one in five seconds.
  private static let mostPerSecond = 10
  private static let capacity = 1_000
  /// Seconds: an hour without `max-age`, which may say a minute to a day.
  private static let usualAge: Int64 = 3_600
  private static let leastAge: Int64 = 60
  private static let mostAge: Int64 = 86_400
}
