import Octets
package import SecurityKeys
package import TokenBasics
package import XMLTree

/// What one reference of a signature in a document covers, for a person to see.
///
/// No verdict relies on it: a format verifies from the element that it reads, by ``SignedElement``. This starts
/// at the signatures instead, and so finds what else a document has signed, and what not, also in a document that
/// no format can read.
package struct SignatureCoverage: Sendable {
  package enum State: Sendable {
    /// The signature and the digest fit, by one of the keys.
    case valid(KeyRing.Match)
    /// The first of them that does not.
    case invalid(TokenError)
  }

  package let signature: Element
  /// The `URI` of the reference.
  package let uri: String?
  /// The elements with the identifier that the reference names, in document order.
  package let candidates: [Element]
  /// The one whose digest fits; where none does, the first.
  package let target: Element?
  package let isWholeDocument: Bool
  /// Whether the signature itself is left out of what is digested.
  package let isEnveloped: Bool
  package let method: CanonicalizationMethod?
  package let state: State

  package var isValid: Bool { if case .valid = state { true } else { false } }

  /// The subtree that is digested.
  package var subtree: Subtree? {
    guard let target else { return nil }
    guard isEnveloped else { return isWholeDocument ? target.document.subtree : target.subtree }
    return isWholeDocument
      ? target.document.subtree(omitting: signature) : target.omitting(signature).subtree
  }

  /// The coverage of each reference, in document order; at most as many signatures as `limits` allows references.
  package static func all(
    in document: Document, keys: KeyRing, at now: Instant, limits: Limits
  ) -> [SignatureCoverage] {
    let elements = document.root.descendants(named: DSName.signature).prefix(limits.references)
    guard !elements.isEmpty else { return [] }
    let identified = document.elementsByIdentifier
    var scratch = OctetWriter()
    var found: [SignatureCoverage] = []
    // Each digest may be of the whole document.
    var digests = limits.references
    for element in elements where found.count < limits.references {
      do throws(TokenError) {
        let signature = try Signature(
          reading: element, allowsObjects: true, allowsOthers: true, limits: limits)
        let state = Self.state(signature, keys, now, &scratch)
        for reference in signature.references {
          found.append(
            Self(signature, reference, state, identified, budget: &digests, &scratch))
        }
      } catch {
        found.append(Self(unreadable: element, error, identified))
      }
    }
    return found
  }

  private static func state(
    _ signature: Signature, _ keys: KeyRing, _ now: Instant, _ scratch: inout OctetWriter
  ) -> State {
    do throws(TokenError) {
      return .valid(try signature.match(keys, at: now, &scratch))
    } catch {
      return .invalid(error)
    }
  }

  private init(
    _ signature: Signature, _ reference: Reference, _ value: State,
    _ identified: [[UInt8]: [Element]], budget: inout Int, _ scratch: inout OctetWriter
  ) {
    self.signature = signature.element
    uri = reference.uri
    let document = signature.element.document
    isWholeDocument = reference.isToDocument
    candidates =
      isWholeDocument ? [document.root] : Self.elements(reference.uri, identified)
    var state = value
    var method: CanonicalizationMethod?
    var isEnveloped = false
    var target = candidates.first
    do throws(TokenError) {
      let steps = try reference.canonicalization()
      (method, isEnveloped) = (steps.method, steps.isEnveloped)
      guard target != nil else {
        throw TokenError(
          .referenceUnresolved, node: reference.node.path,
          found: reference.uri.map(TokenError.excerpt) ?? "no URI")
      }
      var mismatch: TokenError?
      for candidate in candidates.prefix(4) {
        guard budget > 0 else {
          throw TokenError(.tooManyReferences, node: signature.element.path)
        }
        budget -= 1
        let subtree =
          isWholeDocument
          ? (isEnveloped ? document.subtree(omitting: signature.element) : document.subtree)
          : (isEnveloped ? candidate.omitting(signature.element).subtree : candidate.subtree)
        do throws(TokenError) {
          try reference.check(subtree, steps.method, &scratch)
          target = candidate
          mismatch = nil
          break
        } catch {
          mismatch = mismatch ?? error
        }
      }
      if let mismatch { throw mismatch }
    } catch {
      // The value is checked first, as a format does.
      if case .valid = value { state = .invalid(error) }
    }
    self.method = method
    self.isEnveloped = isEnveloped
    self.target = target
    self.state = state
  }

  /// A signature that cannot be read; what it refers to is shown all the same.
  private init(
    unreadable element: Element, _ error: TokenError, _ identified: [[UInt8]: [Element]]
  ) {
    signature = element
    uri = element.firstDescendant(named: [DSName.reference])?.attribute(DSName.uri)
    isWholeDocument = uri?.isEmpty == true
    candidates = Self.elements(uri, identified)
    target = candidates.first
    isEnveloped = true
    method = nil
    state = .invalid(error)
  }

  private static func elements(
    _ uri: String?, _ identified: [[UInt8]: [Element]]
  ) -> [Element] {
    guard let uri, uri.utf8.first == UInt8(ascii: "#") else { return [] }
    return identified[Array(uri.utf8.dropFirst())] ?? []
  }
}
