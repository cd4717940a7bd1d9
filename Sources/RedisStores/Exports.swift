// `import RedisStores` is enough to give a service its stores.
@_exported public import RedisProtocol
@_exported public import ServiceConfiguration
@_exported public import SingleSignOn
