#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CommandSupport
import FederationClient
import LocalFiles
import SecurityKeys

/// Reads a secret from a file or an environment variable, because arguments are public.
enum SecretSource {
  /// - Parameter name: The beginning of the options' names, such as `password`.
  /// - Throws: exit code 2 unless exactly one of the two is given, 3 for a file that cannot be read.
  static func secret(
    _ name: String, file: String?, environment: String?
  ) throws(CommandFailure) -> Secret {
    guard let secret = try optional(name, file: file, environment: environment) else {
      throw CommandFailure(.usage, "--\(name)-file or --\(name)-env is needed")
    }
    return secret
  }

  static func optional(
    _ name: String, file: String?, environment: String?
  ) throws(CommandFailure) -> Secret? {
    let octets: [UInt8]
    switch (file, environment) {
    case (nil, nil): return nil
    case (let file?, nil):
      octets = try InputFile.read(file, limit: 1 << 20)
      warn(of: file)
    case (nil, let variable?):
      guard let value = unsafe getenv(variable) else {
        throw CommandFailure(
          .usage, "--\(name)-env names no variable of the environment (\(SecretMark.of(variable)))")
      }
      octets = Array(unsafe String(cString: value).utf8)
    default:
      throw CommandFailure(.usage, "--\(name)-file and --\(name)-env exclude each other")
    }
    guard let text = SecretText.of(octets) else {
      throw CommandFailure(.usage, "the \(name) is empty, or not UTF-8")
    }
    return Secret(text)
  }

  /// A secret that others on the machine can read is none.
  private static func warn(of file: String) {
    guard file != "-", let mode = (try? OpenFile(reading: file))?.status?.mode, mode & 0o044 != 0
    else { return }
    CommandMessages.own.warning(
      "others can read \(file), mode \(String(mode, radix: 8)): chmod 600 \(file)"
    )
  }
}
