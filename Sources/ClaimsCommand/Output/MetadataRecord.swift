import Federation
import StrictJSON

/// The JSON object of an entity.
enum MetadataRecord {
  static func write(_ entity: EntityDescriptor, at now: Instant, to json: inout JSONWriter) {
    json.object { json in
      json.name("entityID")
      json.string(entity.entityID)
      member("validUntil", entity.validUntil?.rfc3339, &json)
      member("cacheDuration", entity.cacheDuration?.description, &json)
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
      json.name("role")
      json.string(role.name)
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
      json.name("role")
      json.string(role.name)
      json.name("use")
      json.string(entry.use.rawValue)
      do throws(TokenError) {
        let key = try entry.key()
        json.name("kind")
        json.string(key.kindName)
        json.name("fingerprint")
        json.string(key.fingerprint)
        guard case .certificate(let certificate) = key.material else { return }
        json.name("notBefore")
        json.string(certificate.notBefore.rfc3339)
        json.name("notAfter")
        json.string(certificate.notAfter.rfc3339)
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
      json.name("role")
      json.string(role.name)
      json.name("type")
      json.string(endpoint.name)
      member("binding", endpoint.binding, &json)
      json.name("location")
      json.string(endpoint.location)
      member("responseLocation", endpoint.responseLocation, &json)
      member("index", endpoint.index, &json)
      member("refused", endpoint.problem?.rawValue, &json)
    }
  }

  /// Whole days, rounded down: -1 from the first second after the end.
  private static func days(from now: Instant, to end: Instant) -> Int {
    let seconds = end.seconds - now.seconds
    return Int((seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400)
  }

  private static func member(_ name: StaticString, _ text: String?, _ json: inout JSONWriter) {
    guard let text else { return }
    json.name(name)
    json.string(text)
  }
}
