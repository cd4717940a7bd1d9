#if canImport(Security)
  import Security
  import Synchronization
  public import TokenErrors

  /// Keeps credentials in the Keychain as one item that leaves neither the device nor its unlocked state.
  /// The Keychain has no step that reads and writes at once: one process uses an item at a time.
  public final class KeychainCredentialStore: CredentialStore {
    private let service: String
    private let turn = Mutex<Void>(())

    /// A store in the item of that service name, such as the program's identifier.
    public init(service: String) { self.service = service }

    public func read() throws(TokenError) -> StoredCredentials {
      try turn.withLock { _ throws(TokenError) in try current() }
    }

    @discardableResult
    public func update(
      _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
    ) throws(TokenError) -> StoredCredentials {
      try turn.withLock { _ throws(TokenError) in
        var content = try current()
        try change(&content)
        let octets = content.json
        let data = octets.withUnsafeBufferPointer { CFDataCreate(nil, $0.baseAddress, $0.count) }
        var status = SecItemUpdate(
          query as CFDictionary, [kSecValueData: data as Any] as CFDictionary)
        if status == errSecItemNotFound {
          var item = query
          item[kSecValueData] = data
          item[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
          status = SecItemAdd(item as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw Self.error(status) }
        return content
      }
    }

    private func current() throws(TokenError) -> StoredCredentials {
      var search = query
      search[kSecReturnData] = true
      var found: CFTypeRef?
      let status = SecItemCopyMatching(search as CFDictionary, &found)
      if status == errSecItemNotFound { return StoredCredentials() }
      guard status == errSecSuccess, let found, CFGetTypeID(found) == CFDataGetTypeID() else {
        throw Self.error(status)
      }
      let data = unsafeDowncast(found, to: CFData.self)
      let octets = UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data))
      return try StoredCredentials(json: Array(octets))
    }

    private var query: [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service,
        kSecAttrAccount: "credentials",
      ]
    }

    private static func error(_ status: OSStatus) -> TokenError {
      TokenError(.sessionStoreFile, node: "Keychain", found: "status \(status)")
    }
  }
#endif
