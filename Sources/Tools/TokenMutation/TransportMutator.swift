import Federation
import Octets
import TokenErrors

/// Makes variants of a message's wire form.
struct TransportMutator {
  private let packaging: WirePackaging
  private let original: [UInt8]
  private let list: MutationList

  init(
    _ packaging: WirePackaging, _ original: [UInt8], _ receive: @escaping (Mutation) -> Void
  ) {
    self.packaging = packaging
    self.original = original
    list = MutationList(original: original, receive)
  }

  func all() {
    switch packaging.encoding {
    case .none:
      break
    case .base64:
      let text = Base64.encode(packaging.octets)
      // Elsewhere these would change the format.
      let harmless = ["nbsp", "asterisk", "zero-width", "trailing-bits", "padding-extra"]
      for trick in Base64Tricks.variants(of: text)
      where harmless.contains(trick.name) && !packaging.isDeflated {
        list.add(
          "transport/base64-\(trick.name)", "the message is not canonical base64: \(trick.summary)",
          ["BIND-1"], .malformedBase64, Array(trick.text.utf8))
      }
    case .base64URL:
      break
    case .percentEncodedBase64:
      list.add(
        "transport/bad-escape", "an escape is none", ["BIND-2"], .malformedPercentEscape,
        original + Array("%zz".utf8))
    }
    if packaging.isDeflated, let stream = try? Base64.decode(original.span) {
      for (label, changed) in [("cut", Array(stream.dropLast())), ("longer", stream + [0])] {
        list.add(
          "transport/deflate-\(label)", "the DEFLATE stream does not end where the message does",
          ["BIND-5"], .malformedDeflate, Array(Base64.encode(changed).utf8))
      }
    }
  }
}
