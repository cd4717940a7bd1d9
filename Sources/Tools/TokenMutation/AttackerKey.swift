import SecurityKeys
import TokenBasics

/// An untrusted key.
///
/// It is published on purpose and the same everywhere, so that the same token gives the same
/// variants. It protects nothing.
enum AttackerKey {
  /// The private key, nil only where OpenSSL does not support RSA.
  static let key = (try? Base64.decode(Array(privateKey.utf8).span))
    .flatMap { try? PrivateKey(pemOrDER: $0) }

  /// Its self-signed certificate, in base64.
  static let certificate = """
    MIICoTCCAYmgAwIBAgIBATANBgkqhkiG9w0BAQsFADATMREwDwYDVQQDDAhhdHRhY2tlcjAgFw0yMDAxMDEwMDAwMD\
    BaGA8yMTIwMDEwMTAwMDAwMFowEzERMA8GA1UEAwwIYXR0YWNrZXIwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEK\
    AoIBAQC1USpXhh2XUMWv/cOphU9JlNeFjQS9e02h97Jp/tmZGqago5UbDggFwIrkGFBjz8TlSlk1aTkv6/ZFuIbQty\
    oTosw4fjwTVvqBwQEKRxITF5ECbSdjgWOZv89um+ZN3WKMmhg/cVsQuAi24tG+E7GsshNDA7cFHQSG0he4TQqIhNh9\
    lQsRN7vJWg4LMXl492GIa4qRvoCLkhI2mMqBdUwYaKylhYjUtYx0cwPteryL/SHvn1yBXyBXF4DDTXPoz5kMlYKlO4\
    FFrEZNWCFZIQi3kw56BFzDnFwMPb3KTQRY/oLbWnKs9VmKNzmncFek7or9cLIK3v0PbAHt0yip5UZpAgMBAAEwDQYJ\
    KoZIhvcNAQELBQADggEBALOCX+j9pWbf7o55HEoGJki5GmmGC6viyrg0GHX2sUbYRZ5//1eyzUvyiTTtkrDzoLLQWk\
    LQYBsfCRaT55IHl7VX6CgPt5hdmlsRl56KqkB2D+zpzMPmutuK9HHyE0YIn4QMP4a9I5C0ZHoSD7GPsU5hM9oANyHc\
    1wXxnZYWbTOogS4WZ5oh1bnW/wRMZrzhuocahHQjeSJIGZm72Pmkw9XQmPUDxY2zJzR9jUU0GRwgiZXzqvF3wv/Io0\
    VN48Qxax9yw4IuFnVJJrsIX3QaspxoErBsvS3APW4Ymc+RJzwbIv+6BpgZxInLVR4bOlt4v/1Fi2qM+RTIuoddD08N\
    cos=
    """

  private static let privateKey = """
    MIIEowIBAAKCAQEAtVEqV4Ydl1DFr/3DqYVPSZTXhY0EvXtNofeyaf7ZmRqmoKOVGw4IBcCK5BhQY8/E5UpZNWk5L+\
    v2RbiG0LcqE6LMOH48E1b6gcEBCkcSExeRAm0nY4Fjmb/PbpvmTd1ijJoYP3FbELgItuLRvhOxrLITQwO3BR0EhtIX\
    uE0KiITYfZULETe7yVoOCzF5ePdhiGuKkb6Ai5ISNpjKgXVMGGispYWI1LWMdHMD7Xq8i/0h759cgV8gVxeAw01z6M\
    +ZDJWCpTuBRaxGTVghWSEIt5MOegRcw5xcDD29yk0EWP6C21pyrPVZijc5p3BXpO6K/XCyCt79D2wB7dMoqeVGaQID\
    AQABAoIBAFiDU/FAJofsxWTBs9e4nVklUQUAL3U0kVRlL/Kwl5c3PGqlELARbHcqZGMvP2dKUStB3UTGpkUvopyslR\
    uknuTRD3LwpPEn/8iB6LkUss0hLwgJMzZPPskaqu+rKYWPcoGC5B1sf/EsdgyZs5xfzteoYuDPGnRjkwch3rR435B+\
    vinrSlKIlQMdYU/6zWrtyALyKQMHdWxrkusGDhOnn/ndvTc01FpbP7s+CgIiVHdsfaeOfwXB0pV/JkGa0LHtsSuUg1\
    D3GwHtcq7Bz+/BD6IznbOiFYYW66DKtMoMTZfomPjiNkYr2aP85SsVp2VKDSav3tNuAv0d/XFLL6uddbUCgYEA7kGo\
    RnL7EWyETlH+5Fmqhs+CY+sHv5hqKLsxfosdHCOar0duyaAiqYQmJpyaoEXwapyXka0nYfhqtGqtXdo4OOt6QJSxgV\
    rZzyVGZ2C8DuKIeCiuoz0nzX0o38BoKYhHWrZSRPuv53KBxJkDUKP/vltJeA8qIkhQBmNihmFz9Q8CgYEAwtH2ScbS\
    lwRO9snhXI9fAsXzxQdCXVhSclbV8bJlYI4SjE2g/yVXdO9HIh0T0B1s1R9amxSb7D3GIDDEnqgsfs5MhIX4KPU+qQ\
    WT5sBl8OZvZunRY/gXtPITlRi+ldKP9QqoHb/6PR1EB/wSQGy2esDrdx9Ilmr0DKNkdJ5bPQcCgYB02NR7QHarU+oL\
    MyFrwiHkna5X7HNPXqNpuGyMoBM1sqxxG/pUfemh80J2m0UmJ0bCMmwPMLlozdkfBFZj+dqq56l8NLBdPT4m3iQKHS\
    H9ttGxBFqpihuUJra+DXHINKKx9UqhtEHPo5PK5DQA/300UTbV37INQCOnDmTKfM7OtwKBgHymcnrJ57wQWaW1jaf3\
    Y8cWeN47ws6O0FGwFbtLdWnN/TggAz682bRL1KuTBzZFXXkPUp2fFhSVgcre6S7KU43e2T6BqUIriCgFFZiyyYbVKb\
    ojKIJaHnD74mOnLWoXC1yxsNc4Ghg4PWsOcW8fH7Jy9TWGop77V6Mud/vVxnLJAoGBAKGipY4VQK3KK9ZMHOdY4VGM\
    k3wRzAPvHHr8EQqZ2gIolLmLgOXGNOTRvBkF4GpeDCDNL0UVDC3gWsinWVGb85hzBuVXFxDNkCUjdd8hmNfhK/OIMA\
    av0DU3q3N47v/Ea3mg9Q7XUKi6V0VowP40PkE6lGn6JxkvmKLfSJioZAUo
    """
}

/// The texts of a public key that a confused verifier may use as an HMAC secret.
enum PublicKeyText {
  static func spellings(of key: PublicKey) -> [(name: String, octets: [UInt8])] {
    let pem = pem(key.der, "PUBLIC KEY")
    return [("der", key.der), ("pem", pem), ("pem-without-line-end", pem.dropLast())]
  }

  static func pem(_ der: [UInt8], _ label: String) -> [UInt8] {
    var lines = ["-----BEGIN \(label)-----"]
    var rest = Base64.encode(der)[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return Array((lines + ["-----END \(label)-----", ""]).joined(separator: "\n").utf8)
  }
}
