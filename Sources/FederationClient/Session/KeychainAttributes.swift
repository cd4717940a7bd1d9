#if canImport(Security)
  import Security

  /// A Core Foundation dictionary for the Keychain functions. Swift dictionaries bridge to it only with
  /// Foundation, which is not imported here.
  @safe struct KeychainAttributes {
    /// Nil if Core Foundation is out of memory.
    let dictionary: CFMutableDictionary?

    init() {
      dictionary = unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
        unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
          unsafe CFDictionaryCreateMutable(nil, 0, keys, values)
        }
      }
    }

    /// The dictionary retains both.
    func set(_ key: CFString, _ value: CFTypeRef?) {
      guard let dictionary, let value else { return }
      unsafe CFDictionarySetValue(
        dictionary, Unmanaged.passUnretained(key).toOpaque(),
        Unmanaged.passUnretained(value).toOpaque())
    }

    static func string(_ text: String) -> CFString? {
      let octets = Array(text.utf8)
      return unsafe octets.withUnsafeBufferPointer { buffer in
        unsafe CFStringCreateWithBytes(
          nil, buffer.baseAddress, buffer.count, CFStringBuiltInEncodings.UTF8.rawValue, false)
      }
    }

    static func data(_ octets: [UInt8]) -> CFData? {
      unsafe octets.withUnsafeBufferPointer { buffer in
        unsafe CFDataCreate(nil, buffer.baseAddress, buffer.count)
      }
    }
  }
#endif
