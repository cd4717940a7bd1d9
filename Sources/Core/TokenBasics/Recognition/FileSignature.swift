import Octets

/// Files of other programs, told by their first bytes.
enum FileSignature {
  private struct Row {
    let offset: Int
    let beginning: [UInt8]
    let kind: TextKind
    let name: String

    init(text: String, _ kind: TextKind, _ name: String, at offset: Int = 0) {
      self.init(octets: Array(text.utf8), kind, name, at: offset)
    }

    init(octets beginning: [UInt8], _ kind: TextKind, _ name: String, at offset: Int = 0) {
      self.offset = offset
      self.beginning = beginning
      self.kind = kind
      self.name = name
    }
  }

  private static let rows: [Row] = [
    Row(octets: [0x89, 0x50, 0x4E, 0x47], .picture, "a picture (PNG)"),
    Row(octets: [0xFF, 0xD8, 0xFF], .picture, "a picture (JPEG)"),
    Row(text: "GIF8", .picture, "a picture (GIF)"),
    Row(text: "WEBP", .picture, "a picture (WebP)", at: 8),
    Row(text: "ftyp", .picture, "a picture or film (HEIC, MP4)", at: 4),
    Row(text: "II*\0", .picture, "a picture (TIFF)"),
    Row(text: "MM\0*", .picture, "a picture (TIFF)"),
    Row(octets: [0x1A, 0x45, 0xDF, 0xA3], .picture, "a film (Matroska)"),
    Row(text: "%PDF-", .document, "a PDF document"),
    Row(text: "%!PS", .document, "a PostScript document"),
    Row(text: "{\\rtf", .document, "a document in RTF"),
    Row(
      octets: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .document,
      "a file of Microsoft Office or Outlook (.doc, .xls, .msg)"),
    Row(octets: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .packed, "a 7-Zip archive"),
    Row(text: "Rar!", .packed, "a RAR archive"), Row(text: "BZh", .packed, "bzip2 data"),
    Row(octets: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .packed, "xz data"),
    Row(octets: [0x28, 0xB5, 0x2F, 0xFD], .packed, "Zstandard data"),
    Row(octets: [0x04, 0x22, 0x4D, 0x18], .packed, "LZ4 data"),
    Row(text: "MSCF", .packed, "a cabinet file (CAB)"),
    Row(text: "ustar", .packed, "a tar archive", at: 257),
    Row(octets: [0xD4, 0xC3, 0xB2, 0xA1], .networkCapture, "a capture of network packets (pcap)"),
    Row(octets: [0xA1, 0xB2, 0xC3, 0xD4], .networkCapture, "a capture of network packets (pcap)"),
    Row(
      octets: [0x0A, 0x0D, 0x0D, 0x0A], .networkCapture, "a capture of network packets (pcapng)"),
    Row(octets: [0, 0, 0, 2, 0, 0, 0, 0x14], .javaKeyStore, "a key store of Bouncy Castle (BKS)"),
    Row(octets: [0xFE, 0xED, 0xFE, 0xED], .javaKeyStore, TextKind.javaKeyStore.rawValue),
    Row(octets: [0xCE, 0xCE, 0xCE, 0xCE], .javaKeyStore, "a Java key store (JCEKS)"),
    Row(text: "CERT", .binary, "a certificate store of Windows (.sst)", at: 4),
    Row(text: "SQLite format 3", .binary, "an SQLite database"),
    Row(text: "bplist00", .binary, "a binary property list of Apple"),
    Row(octets: [0x7F, 0x45, 0x4C, 0x46], .binary, "a program (ELF)"),
    Row(octets: [0xCA, 0xFE, 0xBA, 0xBE], .binary, "a Java class file"),
    Row(octets: [0x05, 0x02, 0x00, 0x00, 0x00], .binary, "a Kerberos key table (keytab)"),
    Row(text: "regf", .binary, "a registry file of Windows"),
    Row(text: "ElfFile\0", .binary, "an event log of Windows (.evtx)"),
    Row(octets: [0x99, 0x01], .pgp, "a binary key of OpenPGP"),
    Row(octets: [0x99, 0x02], .pgp, "a binary key of OpenPGP"),
  ]

  /// The kind of a file of another program; nil for one of none that is in the table.
  static func recognise(_ octets: ArraySlice<UInt8>) -> RecognisedText? {
    guard
      let row = rows.first(where: { row in
        octets.dropFirst(row.offset).starts(with: row.beginning)
      })
    else { return office(octets) }
    // Letters begin texts too: a file of a program has other bytes beside them.
    let isText = ContentEncoding.isText(Array(octets.prefix(512)))
    guard row.kind == .document || !isText else { return nil }
    return RecognisedText(row.kind, name: row.name)
  }

  /// A ZIP archive that an office program or Java writes.
  private static func office(_ octets: ArraySlice<UInt8>) -> RecognisedText? {
    guard octets.starts(with: [0x50, 0x4B, 3, 4]) else { return nil }
    let beginning = octets.prefix(4_096)
    let names: [(part: String, name: String)] = [
      ("word/", "a Word document (.docx)"), ("xl/", "an Excel workbook (.xlsx)"),
      ("ppt/", "a PowerPoint file (.pptx)"), ("[Content_Types].xml", "a file of Microsoft Office"),
      ("mimetypeapplication/vnd.oasis", "an OpenDocument file"),
    ]
    return names.first { beginning.firstRange(ofBytes: $0.part) != nil }
      .map { RecognisedText(.document, name: $0.name) }
  }
}
