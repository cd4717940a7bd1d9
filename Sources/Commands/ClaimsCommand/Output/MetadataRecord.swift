import Federation
import Octets

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
