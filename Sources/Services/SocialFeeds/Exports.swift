// `import SocialFeeds` is enough to post: secrets, addresses and the clock are part of what it takes.
@_exported public import HTTPExchange
@_exported public import TokenBasics
