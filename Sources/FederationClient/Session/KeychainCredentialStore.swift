#if canImport(Security)
  import Security
  import Synchronization
  public import TokenErrors

  /// Stores credentials in one Keychain item that is accessible on this device only, while it is unlocked.
  /// The Keychain has no atomic read and write: only one process at a time may use an item. The file-based
  /// keychain of macOS, which programs without entitlements use, does not support this attribute and guards
  /// the item by its access list.
  public final class KeychainCredentialStore: CredentialStore {
    private let service: String
    private let turn = Mutex<Void>(())

    /// A store in the item of that service name, such as the program's identifier.
    public init(service: String) { self.service = service }

    /// The content of the item; empty if there is none.
    /// - Throws: `session.store-file` with the Keychain's status; `session.store-version`, `input.json-*`.
    public func read() throws(TokenError) -> StoredCredentials {
      try turn.withLock { _ throws(TokenError) in try current() }
    }

    /// Changes the content of the item, or adds the item.
    /// - Throws: What ``read()`` throws, and errors of `change`.
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
      // The type ID is checked above; a conditional cast to a Core Foundation type always succeeds.
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

    /// The attributes that identify the item.
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
