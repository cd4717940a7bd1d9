import COctets

/// The memory of long documents in a command that judges many of them.
package enum LongBlocks {
  /// Has the C library keep them for the next document, up to 64 MiB a thread, where it would give them back to the
  /// system. To be called before the first document.
  package static func keep() { cmemory_keep_long_blocks() }
}
