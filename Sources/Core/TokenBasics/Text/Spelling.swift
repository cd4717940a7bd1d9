/// Finds the name that a person meant.
package enum Spelling {
  /// The known name nearest to a written one; nil where none is near.
  package static func nearest(to written: String, among known: [String]) -> String? {
    let letters = Array(written.lowercased().utf8.prefix(64))
    var best: (name: String, distance: Int)?
    for name in known {
      let other = Array(name.lowercased().utf8.prefix(64))
      let distance = distance(letters, other)
      guard distance <= max(letters.count, other.count) / 3, distance < best?.distance ?? .max
      else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  /// How many letters are inserted, dropped, replaced or swapped with their neighbour between two names.
  package static func distance(_ from: String, _ to: String) -> Int {
    distance(Array(from.utf8.prefix(64)), Array(to.utf8.prefix(64)))
  }

  private static func distance(_ from: [UInt8], _ to: [UInt8]) -> Int {
    var before: [Int] = []
    var row = Array(0...to.count)
    for (place, letter) in from.enumerated() {
      var next = [place + 1]
      for (column, other) in to.enumerated() {
        var least = min(next[column] + 1, row[column + 1] + 1)
        least = min(least, row[column] + (letter == other ? 0 : 1))
        if place > 0, column > 0, letter == to[column - 1], from[place - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[to.count]
  }
}
