import CZlib
import Octets
package import TokenBasics

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
    let status = unsafe stream.finish(octets, into: &output) { stream in
      unsafe CZlib.deflate(&stream, Z_FINISH)
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
    let status = unsafe stream.finish(octets, into: &output) { stream in
      unsafe CZlib.inflate(&stream, Z_FINISH)
    }
    let written = unsafe output.count - Int(stream.avail_out)
    guard written < output.count else {
      throw TokenError(.deflateTooLarge, expected: "at most \(limit) bytes")
    }
    guard status == Z_STREAM_END, unsafe stream.avail_in == 0 else {
      let rest = unsafe Int(stream.avail_in)
      var found: String?
      if status == Z_STREAM_END {
        found = "\(rest) bytes behind the end of the data"
      } else if output.first == ASCII.lessThan {
        found = "XML that is cut after \(written) bytes"
      }
      throw TokenError(.malformedDeflate, node: "byte \(octets.count - rest)", found: found)
    }
    output.removeLast(output.count - written)
    return output
  }
}

extension z_stream {
  /// Runs one call over all octets, with all of `output` for what it writes.
  fileprivate mutating func finish(
    _ octets: [UInt8], into output: inout [UInt8], _ step: (inout z_stream) -> Int32
  ) -> Int32 {
    var input = octets
    return unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe next_in = input.baseAddress
        unsafe avail_in = UInt32(input.count)
        unsafe next_out = output.baseAddress
        unsafe avail_out = UInt32(output.count)
        return unsafe step(&self)
      }
    }
  }
}
