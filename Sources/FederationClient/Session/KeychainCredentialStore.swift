#if canImport(Security)
  import Security
  import Synchronization
  public import TokenErrors

  /// Keeps credentials in the Keychain as one item that leaves neither the device nor its unlocked state.
  /// The Keychain has no step that reads and writes at once: one process uses an item at a time. The
  /// file-based keychain of macOS, which programs without entitlements get, knows no such attribute and
  /// guards the item by its own access list.
  public final class KeychainCredentialStore: CredentialStore {
    private let service: String
    private let turn = Mutex<Void>(())

    /// A store in the item of that service name, such as the program's identifier.
    public init(service: String) { self.service = service }

    /// The stored content.
    /// // - Throws: `session.store-*`.
    public func read() throws(TokenError) -> StoredCredentials {
      try turn.withLock { _ throws(TokenError) in try current() }
    }

    /// Changes the stored content. Returns it as it is then.
    /// // - Throws: `session.store-*`, and what `change` throws.
    @discardableResult
    public func update(
      _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
    ) throws(TokenError) -> StoredCredentials {
      try turn.withLock { _ throws(TokenError) in
        var content = try current()
        try change(&content)
        try write(content.json)
        return content
      }
    }

    private func current() throws(TokenError) -> StoredCredentials {
      let search = item
      search.set(kSecReturnData, kCFBooleanTrue)
      search.set(kSecMatchLimit, kSecMatchLimitOne)
      guard let search = search.dictionary else { throw Self.error(errSecAllocate) }
      var found: CFTypeRef?
      let status = unsafe SecItemCopyMatching(search, &found)
      if status == errSecItemNotFound { return StoredCredentials() }
      guard status == errSecSuccess else { throw Self.error(status) }
      guard let found, CFGetTypeID(found) == CFDataGetTypeID() else {
        throw Self.error(errSecDecode)
      }
      // The type was asked for; a conditional cast to a Core Foundation type always succeeds.
      let data = unsafe unsafeDowncast(found, to: CFData.self)
      let octets = unsafe UnsafeBufferPointer(
        start: CFDataGetBytePtr(data), count: CFDataGetLength(data))
      return try StoredCredentials(json: unsafe Array(octets))
    }

    private func write(_ octets: [UInt8]) throws(TokenError) {
      let change = KeychainAttributes()
      change.set(kSecValueData, KeychainAttributes.data(octets))
      guard let query = item.dictionary, let values = change.dictionary else {
        throw Self.error(errSecAllocate)
      }
      var status = SecItemUpdate(query, values)
      if status == errSecItemNotFound {
        let new = item
        new.set(kSecValueData, KeychainAttributes.data(octets))
        new.set(kSecAttrAccessible, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
        guard let new = new.dictionary else { throw Self.error(errSecAllocate) }
        status = SecItemAdd(new, nil)
      }
      guard status == errSecSuccess else { throw Self.error(status) }
    }

    /// What names the item.
    private var item: KeychainAttributes {
      let item = KeychainAttributes()
      item.set(kSecClass, kSecClassGenericPassword)
      item.set(kSecAttrService, KeychainAttributes.string(service))
      item.set(kSecAttrAccount, KeychainAttributes.string("credentials"))
      return item
    }

    private static func error(_ status: OSStatus) -> TokenError {
      TokenError(.sessionStoreFile, node: "Keychain", found: "status \(status)")
    }
  }
#endif
