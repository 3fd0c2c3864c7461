import Vault

/// Reads the three keys that say more of an issuer's rotation than its kind does.
enum RotationKeys {
  /// `base` with what the group's `grace`, `oracle` and `reuse-blast` change in it.
  static func read<Key: RawRepresentable<String>>(
    from group: inout GroupReader, grace: Key, oracle: Key, reuseBlast: Key, over base: RotationPolicy
  ) -> RotationPolicy {
    var policy = base
    if let value = group.value(grace, .grace) { policy.grace = value }
    if let value = group.value(oracle, .oracle) { policy.oracle = value }
    if let value = group.value(reuseBlast, .reuseBlast) { policy.reuseBlast = value }
    return policy
  }

  /// How ``ValueRule/grace`` reads it back.
  static func write(_ grace: RotationPolicy.Grace) -> String {
    switch grace {
    case .none: "none"
    case .window(let window): DurationText.write(window)
    case .untilUsed: "until-used"
    }
  }
}

extension ValueRule where Value == RotationPolicy.Grace {
  static let grace = Self(
    expectation: "none, until-used, or a duration such as 30s",
    read: { text in
      switch text {
      case "none": RotationPolicy.Grace.none
      case "until-used": .untilUsed
      default: DurationText.read(text).map(RotationPolicy.Grace.window)
      }
    })
}

extension ValueRule where Value == RotationPolicy.Oracle {
  static let oracle = Self(expectation: "none or session", read: RotationPolicy.Oracle.init(rawValue:))
}

extension ValueRule where Value == RotationPolicy.ReuseBlast {
  static let reuseBlast = Self(
    expectation: "session, user or unknown", read: RotationPolicy.ReuseBlast.init(rawValue:))
}
