/// The groups and keys of `almoner.conf`. A new key is a line here, a line where it is read, and a line in its man page.
extension ConfigurationSchema {
  static let configuration = Self(groups: [
    "issuer": GroupRule(.named, IssuerKey.self, and: IssuerOptionKey.all),
    "account": GroupRule(.named, AccountKey.self),
    "refresh": GroupRule(.single, RefreshKey.self),
    "store": GroupRule(.single, StoreKey.self),
  ])
}

enum IssuerKey: String, CaseIterable {
  case kind
  case origin
  case issuer
  case publishableKey = "publishable-key"
  case clientID = "client-id"
  case registerAt = "register-at"
  case redirectURI = "redirect-uri"
  case scopes
  case caFile = "ca-file"
  case proxy
  case grace
  case oracle
  case reuseBlast = "reuse-blast"
}

enum AccountKey: String, CaseIterable {
  case issuer
  case store
}

enum RefreshKey: String, CaseIterable {
  case forceInterval = "force-interval"
}

enum StoreKey: String, CaseIterable {
  case backend = "default"
  case keyFile = "key-file"
}
