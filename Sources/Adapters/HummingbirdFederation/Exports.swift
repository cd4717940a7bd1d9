#if Server
  // `import HummingbirdFederation` is enough for a service.
  @_exported public import SignIn
#endif
