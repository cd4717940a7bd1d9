/// What kind of value a JSON value is; the raw value is what an error calls it.
package enum JSONKind: String, BitwiseCopyable, Sendable {
  case null = "null"
  case boolean = "a boolean"
  case number = "a number"
  case string = "a string"
  case array = "an array"
  case object = "an object"
}
