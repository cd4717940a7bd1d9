extension Feature {
  /// Features of social feeds in the former programs.
  static let feeds: [Feature] = [
    Feature(
      "S3", "post a message to the wall",
      "S3 The historical wall gets its message whole and its token outside the address (RP-1)"),
    Feature(
      "S3", "post to a page today",
      "S3 A page feed of Facebook gets a form with the proof of the app secret"),
    Feature(
      "S3", "event text template",
      "S3 The text of an event comes from a template; what is filled in stays as it is"),
    Feature(
      "S3", "no error handling (todo)",
      "S3 Every service's refusal is one of the same few reasons"),
    Feature(
      "S3", "other networks: X",
      "S3 X gets JSON; an id stays text"),
    Feature(
      "S3", "other networks: LinkedIn",
      "S3 LinkedIn gets its version, its protocol and escaped text; the id is in a field"),
    Feature(
      "S3", "other networks: Mastodon",
      "S3 Mastodon gets a form with an idempotency key"),
    Feature(
      "S3", "other networks: Bluesky",
      "S3 Bluesky gets a record with its own name, time and facets"),
  ]
}
