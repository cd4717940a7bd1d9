extension Array {
  /// An array of up to `capacity` elements, written in place.
  @inline(__always)
  package init(
    unsafeUninitializedCapacityOf capacity: Int,
    initializingWith body: (inout OutputSpan<Element>) -> Void
  ) {
    unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      body(&output)
      count = unsafe output.finalize(for: buffer)
    }
  }
}
