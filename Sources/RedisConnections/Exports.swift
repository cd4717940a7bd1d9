#if Redis
  // `import RedisConnections` is enough to give a service its shared stores.
  @_exported public import RedisStores
#endif
