import CommandSupport
import Federation
import Octets

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
