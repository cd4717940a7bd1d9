import Claims
import Octets
import SignIn
import TokenBasics

/// A store keeps a subject as members of the grant around it.
extension SignedInSubject {
  static var blank: Self { Self(ClaimSet(), from: .service, name: nil) }

  mutating func members(_ kept: inout KeptMembers) {
    var (provider, name) = (source.name, name)
    kept.member("provider", &provider)
    kept.member("name", &name)
    var claims = kept.isReading ? [] : claims.map { SubjectClaim(claim: $0) }
    kept.member("claims", &claims)
    if kept.isReading {
      var read = Self(
        ClaimSet(claims.map(\.claim)), from: provider.map { .provider($0) } ?? .service, name: name)
      (read.emails, read.authenticated, read.context) = (emails, authenticated, context)
      (read.methods, read.authorities) = (methods, authorities)
      self = read
    }
    kept.member("context", &context)
    kept.member("authenticated", &authenticated)
    kept.member("act", &actor)
    kept.member("emails", &emails, usually: [])
    kept.member("methods", &methods, usually: [])
    kept.member("authorities", &authorities, usually: [])
  }
}

/// A claim of a subject: its type, its value and the type of the value. The grant around it says from whom it is.
private struct SubjectClaim: KeptTexts {
  let claim: Claim

  init(claim: Claim) { self.claim = claim }

  var keptTexts: [String] { [claim.type.name, claim.value, claim.valueType] }

  init?(keptTexts texts: [String]) {
    guard texts.count == 3 else { return nil }
    claim = Claim(ClaimType(texts[0]), texts[1], valueType: texts[2])
  }
}

extension ActorChain: KeptMember {
  package func write(kept json: inout JSONWriter) { json.raw(self.json) }

  package init?(kept json: JSONValue) {
    guard let chain = try? Self(json, issuer: nil) else { return nil }
    self = chain
  }
}

extension ExchangedType: KeptText {
  package var keptText: String { uri }

  package init?(keptText text: String) {
    guard let known = Self.allCases.first(where: { $0.uri.hasSameBytes(as: text) }) else {
      return nil
    }
    self = known
  }
}
