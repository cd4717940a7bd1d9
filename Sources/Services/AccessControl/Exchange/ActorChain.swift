import Octets
package import TokenBasics

/// Those who act for a subject, the present one first, each with the one before (`act`, RFC 8693, 4.1).
public struct ActorChain: Hashable, Sendable {
  /// One of them.
  public struct Actor: Hashable, Sendable {
    /// The name.
    public let subject: String
    /// Who gives the name; nil where it is not said.
    public let issuer: String?

    /// An actor.
    public init(_ subject: String, of issuer: String?) {
      self.subject = subject
      self.issuer = issuer
    }
  }

  /// Those who act, the present one first; one at least.
  public let actors: [Actor]

  /// The most of them: a longer chain is a mistake.
  public static let most = 5

  /// An actor, and those who acted before.
  ///
  /// - Throws: `exchange.actor` for more than ``most``.
  init(_ actor: Actor, before earlier: ActorChain?) throws(TokenError) {
    actors = [actor] + (earlier?.actors ?? [])
    guard actors.count <= Self.most else {
      throw TokenError(
        .exchangeActor, node: "act", expected: "at most \(Self.most) one for the other",
        found: "\(actors.count)")
    }
  }

  /// Reads the member of a token.
  ///
  /// - Parameter issuer: Of the token, where an actor says none.
  /// - Throws: `exchange.actor` for another shape.
  package init(_ json: JSONValue, issuer: String?) throws(TokenError) {
    var actors: [Actor] = []
    var next: JSONValue? = json
    while let json = next {
      guard let subject = json["sub"]?.string, !subject.isEmpty,
        json["iss"] == nil || json["iss"]?.string != nil, actors.count < Self.most
      else {
        throw TokenError(
          .exchangeActor, node: "act", expected: "objects with sub, at most \(Self.most)")
      }
      actors.append(Actor(subject, of: json["iss"]?.string ?? issuer))
      next = json["act"]
    }
    self.actors = actors
  }

  /// The member, as JSON.
  package var json: [UInt8] {
    var json = JSONWriter(capacity: 128)
    Self.write(actors[...], to: &json)
    return json.bytes
  }

  private static func write(_ actors: ArraySlice<Actor>, to json: inout JSONWriter) {
    json.object { json in
      guard let first = actors.first else { return }
      json.member("sub", first.subject)
      json.member("iss", first.issuer)
      guard actors.count > 1 else { return }
      json.name("act")
      write(actors.dropFirst(), to: &json)
    }
  }
}

/// Who may become the actor for a subject (`may_act`, RFC 8693, 4.4).
package struct AllowedActor {
  private let subject: String?
  private let issuer: String?
  private let client: String?
  /// The issuer of the token, whose name `sub` is without an `iss` beside it.
  private let tokenIssuer: String

  /// - Parameter tokenIssuer: The issuer of the token that has the member.
  /// - Throws: `exchange.actor` for a member that names no actor.
  package init(_ json: JSONValue, of tokenIssuer: String) throws(TokenError) {
    self.tokenIssuer = tokenIssuer
    subject = json["sub"]?.string
    issuer = json["iss"]?.string
    client = json["client_id"]?.string
    guard subject != nil || client != nil, json["iss"] == nil || issuer != nil else {
      throw TokenError(.exchangeActor, node: "may_act", expected: "an object with sub or client_id")
    }
  }

  /// Whether it is the actor of an actor token.
  ///
  /// - Parameters:
  ///   - names: By which the actor is known: what its token says, and what tokens of ours would say.
  ///   - client: The client that presents both.
  func allows(_ names: [ActorChain.Actor], client: String) -> Bool {
    if let own = self.client, !own.hasSameBytes(as: client) { return false }
    guard let subject else { return true }
    return names.contains { name in
      name.subject.hasSameBytes(as: subject)
        && name.issuer?.hasSameBytes(as: issuer ?? tokenIssuer) == true
    }
  }

  /// Whether it is the client itself. A provider may name a client of ours by its identifier alone.
  ///
  /// - Parameter own: The client, as tokens of ours name it.
  func allows(client own: ActorChain.Actor) -> Bool {
    for name in [client, subject] {
      if let name, !name.hasSameBytes(as: own.subject) { return false }
    }
    return issuer.map { own.issuer?.hasSameBytes(as: $0) == true } ?? true
  }
}
