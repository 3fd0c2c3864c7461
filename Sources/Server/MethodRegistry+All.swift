extension MethodRegistry {
  /// Every method that the daemon serves. A new one is a file in `Handlers` and a line here.
  package static func all(_ services: Services) -> Self {
    Self([
      GetInfoHandler(version: services.version),
      GetInterfaceDescriptionHandler(),
      GetAccessTokenHandler(services),
      RefreshHandler(services),
      ReportRejectedHandler(services),
      GetIdentityHandler(services),
      GetDPoPProofHandler(services),
      GetMonitoringTokenHandler(services),
      CheckSessionHandler(services),
      CheckAssociationHandler(services),
      RegisterClientHandler(services),
      SignInHandler(services),
      CompleteSignInHandler(services),
      StepUpHandler(services),
      SignOutHandler(services),
      ListHandler(services),
      StatusHandler(services),
      MonitorHandler(services),
      LockHandler(services),
      UnlockHandler(services),
    ])
  }
}
