import CommandSupport
import LocalFiles

/// A metadata file piece by piece; one that cannot be read ends the command.
enum MetadataInput {
  static func open(_ path: String) -> FileChunks {
    do {
      return try FileChunks(path)
    } catch {
      end(path, error)
    }
  }

  /// The next piece; nil at the end.
  static func next(_ chunks: FileChunks, _ path: String) -> [UInt8]? {
    do {
      let chunk = try chunks.next()
      return chunk.isEmpty ? nil : chunk
    } catch {
      end(path, error)
    }
  }

  private static func end(_ path: String, _ failure: FileFailure) -> Never {
    CommandMessages.own.end(CommandFailure(.inputOutput, failure.sentence(reading: path)))
  }
}
