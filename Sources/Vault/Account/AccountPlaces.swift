/// Where in the index the accounts are that callers see: by name and by id. A caller's word is found without a walk.
struct AccountPlaces {
  private var places: [String: Int] = [:]
  /// The place of the only account there is; nil with none or several.
  private var only: Int?

  init(_ entries: [AccountEntry]) {
    let visible = entries.indices.filter { entries[$0].phase == .signedIn }
    places.reserveCapacity(2 * visible.count)
    for place in visible {
      // Where a name is another account's id, the earlier entry is meant.
      for word in [entries[place].account.name, entries[place].account.id.text] where places[word] == nil {
        places[word] = place
      }
    }
    only = visible.count == 1 ? visible.first : nil
  }

  /// The account with this name or id; the only one, if the caller names none. Nil does not mean that there is none.
  func place(_ selector: String?) -> Int? {
    guard let selector else { return only }
    return places[selector]
  }
}
