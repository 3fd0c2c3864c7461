/// The groups and keys of `accounts.conf`. An account's group has its id as label, which names it for good.
extension ConfigurationSchema {
  static let accountIndex = Self(groups: [
    "index": GroupRule(.single, IndexKey.self),
    "account": GroupRule(.named, IndexAccountKey.self, and: IssuerOptionKey.all),
  ])
}

enum IndexKey: String, CaseIterable {
  case version
}

enum IndexAccountKey: String, CaseIterable {
  case name
  case standing
  case renews
  case kind
  case issuer
  case issuerName = "issuer-name"
  case environment
  case clientID = "client-id"
  case redirectURI = "redirect-uri"
  case scopes
  case store
  case grace
  case oracle
  case reuseBlast = "reuse-blast"
  case caFile = "ca-file"
  case proxy
}
