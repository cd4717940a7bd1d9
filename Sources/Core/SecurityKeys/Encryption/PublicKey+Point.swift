package import TokenBasics

extension PublicKey {
  /// The key of a point on a named curve, as `dsig11:ECKeyValue` carries it (XML Signature 1.1,
  /// 4.5.2.3): uncompressed, and checked to be on the curve.
  ///
  /// - Throws: `key.unsupported` for another curve or form of the point, `key.unreadable` for a point
  ///   that is not on it.
  package init(curve: String, point: [UInt8]) throws(TokenError) {
    guard let (_, _, count) = Self.curves.first(where: { $0.0 == curve }),
      point.count == count, point.first == 4
    else {
      throw TokenError(
        .unsupportedKey, expected: "an uncompressed point of P-256, P-384 or P-521")
    }
    try self.init(point: point)
  }

  /// The key of an uncompressed point, whose length tells the curve.
  ///
  /// - Throws: `key.unreadable` for a point that is not on it.
  init(point: [UInt8]) throws(TokenError) {
    // OpenSSL puts no point into a key that is not on its curve; asking it again takes as long as making the key.
    try self.init(
      Storage(point: point), kind: .ec(coordinateBytes: point.count / 2),
      info: Self.info(ofPoint: point))
  }

  /// The SubjectPublicKeyInfo of an uncompressed point; nil for octets that are none.
  static func info(ofPoint point: [UInt8]) -> [UInt8]? {
    guard point.first == 4, let curve = curves.first(where: { $0.2 == point.count }) else {
      return nil
    }
    return curve.1 + point
  }

  /// The name of the curve and the uncompressed point; nil for a key of another kind or form.
  package var curveAndPoint: (curve: String, point: [UInt8])? {
    let der = der
    for (curve, header, count) in Self.curves
    where der.count == header.count + count && der.starts(with: header) {
      return (curve, Array(der.suffix(count)))
    }
    return nil
  }

  /// The name of each curve, the prefix of a point in a SubjectPublicKeyInfo (RFC 5480, 2), and
  /// the length of a point.
  private static let curves: [(String, [UInt8], Int)] = [
    (
      "urn:oid:1.2.840.10045.3.1.7",
      [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
      ], 65
    ),
    (
      "urn:oid:1.3.132.0.34",
      [
        0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05,
        0x2B, 0x81, 0x04, 0x00, 0x22, 0x03, 0x62, 0x00,
      ], 97
    ),
    (
      "urn:oid:1.3.132.0.35",
      [
        0x30, 0x81, 0x9B, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
        0x05, 0x2B, 0x81, 0x04, 0x00, 0x23, 0x03, 0x81, 0x86, 0x00,
      ], 133
    ),
  ]
}
