extension MobileService {
  var isAppService: Bool {
    if case .appService = dialect { true } else { false }
  }
}
