/// Where in the index the accounts are that callers see: by name and by id. A caller's word is found without a walk.
struct AccountPlaces {
  private var names: [String: UInt32] = [:]
  private var ids: [AccountID: UInt32] = [:]
  /// The place of the only account there is; nil with none or several.
  private var only: Int?

  init(_ entries: [AccountEntry]) {
    let visible = entries.indices.filter { entries[$0].phase == .signedIn }
    names.reserveCapacity(visible.count)
    ids.reserveCapacity(visible.count)
    for place in visible {
      let account = entries[place].account
      if names[account.name] == nil { names[account.name] = UInt32(place) }
      if ids[account.id] == nil { ids[account.id] = UInt32(place) }
    }
    only = visible.count == 1 ? visible.first : nil
  }

  /// The account with this name or id; the only one, if the caller names none. Nil does not mean that there is none.
  func place(_ selector: String?) -> Int? {
    guard let selector else { return only }
    let named = names[selector].map(Int.init)
    guard let id = AccountID(selector), let identified = ids[id].map(Int.init) else { return named }
    // Where a name is another account's id, the earlier entry is meant.
    return named.map { min($0, identified) } ?? identified
  }
}
