import CommandSupport
import Federation
import Octets
import TokenBasics

/// The JSON object of an entity.
enum MetadataRecord {
  static func write(_ entity: EntityDescriptor, at now: Instant, to json: inout JSONWriter) {
    json.object { json in
      json.member("entityID", entity.entityID)
      json.member("validUntil", entity.validUntil?.rfc3339)
      json.member("cacheDuration", entity.cacheDuration?.description)
      json.name("expired")
      json.bool(entity.hasExpired(at: now))
      json.name("roles")
      json.array { json in
        for role in entity.roles { write(role, &json) }
      }
      json.name("keys")
      json.array { json in
        for role in entity.roles {
          for key in role.keys { write(key, of: role, now, &json) }
        }
      }
      json.name("endpoints")
      json.array { json in
        for role in entity.roles {
          for endpoint in role.endpoints { write(endpoint, of: role, &json) }
        }
      }
    }
    json.endLine()
  }

  private static func write(_ role: EntityRole, _ json: inout JSONWriter) {
    json.object { json in
      json.member("role", role.name)
      json.name("protocols")
      json.array { json in role.protocols.forEach { json.string($0) } }
      json.name("issuesTokens")
      json.bool(role.issuesTokens)
    }
  }

  private static func write(
    _ entry: EntityKey, of role: EntityRole, _ now: Instant, _ json: inout JSONWriter
  ) {
    json.object { json in
      json.member("role", role.name)
      json.member("use", entry.use.rawValue)
      do throws(TokenError) {
        let key = try entry.key()
        json.member("kind", key.kindName)
        json.member("fingerprint", key.fingerprint)
        guard case .certificate(let certificate) = key.material else { return }
        json.member("notBefore", certificate.notBefore.rfc3339)
        json.member("notAfter", certificate.notAfter.rfc3339)
        json.name("daysLeft")
        json.integer(days(from: now, to: certificate.notAfter))
      } catch {
        json.name("error")
        json.object { Record.members(of: error, &$0) }
      }
    }
  }

  private static func write(
    _ endpoint: MetadataEndpoint, of role: EntityRole, _ json: inout JSONWriter
  ) {
    json.object { json in
      json.member("role", role.name)
      json.member("type", endpoint.name)
      json.member("binding", endpoint.binding)
      json.member("location", endpoint.location)
      json.member("responseLocation", endpoint.responseLocation)
      json.member("index", endpoint.index)
      json.member("refused", endpoint.problem?.rawValue)
    }
  }

  /// Whole days, rounded down: -1 from the first second after the end.
  private static func days(from now: Instant, to end: Instant) -> Int {
    let seconds = end.seconds - now.seconds
    return Int((seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400)
  }
}

/// Writes entities as they are read, or counts them.
struct MetadataDisplay {
  let now: Instant
  let only: String?
  let counts: Bool
  private var entities = 0
  private var shown = 0
  private var roles: [EntityRole.Kind: Int] = [:]

  init(now: Instant, only: String?, counts: Bool) {
    self.now = now
    self.only = only
    self.counts = counts
  }

  mutating func show(_ entities: [EntityDescriptor]) {
    self.entities += entities.count
    let wanted = entities.filter { entity in
      only.map { $0.hasSameBytes(as: entity.entityID) } ?? true
    }
    shown += wanted.count
    for role in wanted.flatMap(\.roles) { roles[role.kind, default: 0] += 1 }
    guard !counts else { return }
    let now = now
    let records = Parallel.map(wanted) { entity in
      var json = JSONWriter()
      MetadataRecord.write(entity, at: now, to: &json)
      return json.bytes
    }
    for record in records { CommandMessages.own.writeOrEnd(record) }
  }

  /// Ends the output; returns whether any requested entity was found.
  func finish() -> Bool {
    if counts {
      var json = JSONWriter()
      json.object { json in
        json.name("entities")
        json.integer(only == nil ? entities : shown)
        for (name, kind) in Self.names {
          json.name(name)
          json.integer(roles[kind] ?? 0)
        }
      }
      json.endLine()
      CommandMessages.own.writeOrEnd(json.bytes)
    }
    return only == nil || shown > 0
  }

  private static let names: [(StaticString, EntityRole.Kind)] = [
    ("identityProviders", .identityProvider), ("serviceProviders", .serviceProvider),
    ("securityTokenServices", .securityTokenService),
    ("applicationServices", .applicationService), ("attributeAuthorities", .attributeAuthority),
  ]
}
