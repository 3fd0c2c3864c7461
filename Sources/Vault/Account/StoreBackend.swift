/// Where an account's tokens live. Chosen at sign-in, a property of the account, never changed silently.
package enum StoreBackend: String, CaseIterable, Sendable {
  case secretService = "secret-service"
  case sealedFile = "sealed-file"
}
