/// Small files that stand in place of another one and only say where it is.
enum SurrogateText {
  private struct Row: Sendable {
    let beginning: String
    /// What else occurs in it.
    let marks: [String]
    let name: String
    let remark: String
  }

  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.count <= TextSample.length else { return nil }
    let row = rows.first { row in
      sample.begins(row.beginning) && row.marks.allSatisfy { sample.has($0) }
    }
    guard let row else { return nil }
    var text = RecognisedText(.surrogate, name: row.name)
    text.remark = row.remark
    return text
  }

  private static let addressRemark =
    "this file holds only an address: download the file that it names (curl -o FILE ADDRESS)"
  private static let storeRemark =
    "this only stands for the file, which is stored elsewhere: get the file itself"

  private static let rows: [Row] = [
    Row(
      beginning: "[", marks: ["[InternetShortcut]", "URL="],
      name: "an internet shortcut of Windows (.url)", remark: addressRemark),
    Row(
      beginning: "[Desktop Entry]", marks: ["\nURL"], name: "a link of a desktop (.desktop)",
      remark: addressRemark),
    Row(
      beginning: "<", marks: ["<plist", "<key>URL</key>"], name: "a link of macOS (.webloc)",
      remark: addressRemark),
    Row(
      beginning: "version https://git-lfs.github.com/", marks: ["oid "],
      name: "a pointer of Git LFS", remark: storeRemark + " (git lfs pull)"),
    Row(
      beginning: "/annex/objects/", marks: [], name: "a pointer of git-annex",
      remark: storeRemark + " (git annex get)"),
  ]
}
