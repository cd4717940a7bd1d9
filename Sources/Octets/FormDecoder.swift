import CByteVectors

/// Decodes form-encoded text (`application/x-www-form-urlencoded`) from its start to its end, `&` and `=`
/// left as they are.
package struct FormDecoder {
  /// Marks as ``FormMark`` has them, at most so many at a time.
  package typealias Marks = InlineArray<96, UInt64>

  private var form = cvectors_form()
  /// Whether to do as on a processor without wide vectors, where one has them.
  private let isPlain: Bool

  package init(isPlain: Bool = false) { self.isPlain = isPlain }

  /// Texts must be shorter: 256 MiB.
  private static var limit: Int { 1 << 28 }

  /// How many octets of the text were decoded; more than it has for none that are left.
  private var count: Int { Int(truncatingIfNeeded: form.read) }

  /// Whether an octet so far is no printable ASCII, a space or a quotation mark.
  package var hasOthers: Bool { form.has_others != 0 }

  /// Decodes more of `text`, and appends it to `octets`, of which there were none at first; returns how
  /// many marks there are in that, nil at the end.
  package mutating func decode(
    _ text: Span<UInt8>, to octets: inout [UInt8], _ marks: inout Marks
  ) -> Int? {
    guard count < text.count, text.count < Self.limit else { return nil }
    var found = 0
    // Decoding makes nothing longer; eighty octets behind the last are overwritten.
    octets.append(addingCapacity: text.count - count + 80) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, added in
        let written = form.written
        found = unsafe decode(text, &marks, buffer.baseAddress)
        added = Int(truncatingIfNeeded: form.written - written)
      }
    }
    return found
  }

  private mutating func decode(
    _ text: Span<UInt8>, _ marks: inout Marks, _ output: UnsafeMutablePointer<UInt8>?
  ) -> Int {
    guard let output = unsafe output else { return 0 }
    let function = unsafe isPlain ? cvectors_decode_form_each : cvectors_decode_form
    var room = marks.mutableSpan
    return unsafe text.withUnsafeBufferPointer { text in
      unsafe room.withUnsafeMutableBufferPointer { room in
        unsafe function(text.baseAddress, text.count, &form, output, room.baseAddress, room.count)
      }
    }
  }
}
