import CZlib
import Octets
package import TokenErrors

/// Writes raw DEFLATE (RFC 1951), as the SAML 2.0 Redirect binding uses it.
package enum Deflate {
  /// The compressed octets; nil when zlib has no memory.
  package static func deflate(_ octets: [UInt8]) -> [UInt8]? {
    guard octets.count <= Limits.hardByteLimit else { return nil }
    // Text compresses; what does not grows by some octets in each block.
    var output = [UInt8](repeating: 0, count: octets.count + octets.count / 8 + 1024)
    var stream = unsafe z_stream()
    guard unsafe cz_deflate_init_raw(&stream) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    var input = octets
    let status = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        return unsafe CZlib.deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { return nil }
    output.removeLast(unsafe Int(stream.avail_out))
    return output
  }
}

/// Raw DEFLATE (RFC 1951), as the SAML 2.0 Redirect binding uses it.
package enum Inflate {
  /// Inflates `octets` into at most `limit` bytes. The stream must end where the octets end.
  ///
  /// - Throws: `input.deflate`, `input.deflate-too-large`.
  package static func inflate(_ octets: [UInt8], limit: Int) throws(TokenError) -> [UInt8] {
    // One byte more than allowed, to distinguish "too large" from "just fits".
    var output = [UInt8](repeating: 0, count: min(limit, Limits.hardByteLimit) + 1)
    var stream = unsafe z_stream()
    guard unsafe cz_inflate_init_raw(&stream) == Z_OK else { throw TokenError(.malformedDeflate) }
    defer { unsafe inflateEnd(&stream) }
    var input = octets
    let status = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        return unsafe CZlib.inflate(&stream, Z_FINISH)
      }
    }
    let written = unsafe output.count - Int(stream.avail_out)
    guard written < output.count else {
      throw TokenError(.deflateTooLarge, expected: "at most \(limit) bytes")
    }
    guard status == Z_STREAM_END, unsafe stream.avail_in == 0 else {
      throw TokenError(
        .malformedDeflate, node: unsafe "byte \(octets.count - Int(stream.avail_in))")
    }
    output.removeLast(output.count - written)
    return output
  }
}
