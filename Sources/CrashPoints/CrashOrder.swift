#if FAULTS
  import Glibc
  import Synchronization

  /// Who dies where, in the words of `ALMONER_FAULT_CRASH`: `POINT [VICTIM [MICROSECONDS [TIME]]]`.
  ///
  /// `sealedRenamed` kills the process that gets there; `r4 both 1500` daemon and courier, 1,500 microseconds after the
  /// step began; `intentSynced daemon 0 2` the daemon when it gets there the second time.
  package struct CrashOrder: Sendable {
    package enum Victim: String, Sendable {
      case daemon, courier, both
    }

    package let text: String
    let point: CrashPoint
    let victim: Victim?
    let microseconds: Int
    var left: Int

    package init?(_ text: String) {
      let words = text.split(separator: " ").map(String.init)
      guard let name = words.first, let point = CrashPoint.allCases.first(where: { "\($0)" == name }) else {
        return nil
      }
      self.text = text
      self.point = point
      victim = words.count > 1 ? Victim(rawValue: words[1]) : nil
      microseconds = words.count > 2 ? min(Int(words[2]) ?? 0, 999_999) : 0
      left = words.count > 3 ? Int(words[3]) ?? 1 : 1
    }
  }

  /// The order under which this process runs, and whom it can reach.
  package enum CrashScene {
    /// What a courier says besides the messages of ours, none of which is one byte long: its order is carried out, and
    /// the daemon dies with it or does not.
    private enum LastWord {
      static let mine: UInt8 = 254
      static let yours: UInt8 = 255
    }

    private enum Role: Sendable {
      /// With the process id of the courier that was started last.
      case daemon(courier: Int32)
      /// With the descriptor of the channel to the daemon.
      case courier(channel: Int32)
    }

    private static let order = Mutex<CrashOrder?>(
      unsafe getenv("ALMONER_FAULT_CRASH").flatMap { unsafe CrashOrder(String(cString: $0)) })
    private static let role = Mutex(Role.daemon(courier: 0))
    private static let doomed = Atomic<Int32>(0)

    /// What the daemon hands to its couriers, whose environment is empty: the haste and the order.
    package static var words: String { "\(Haste.factor) \(order.withLock { $0?.text ?? "" })" }

    package static func courierStarted(_ process: Int32) { role.withLock { $0 = .daemon(courier: process) } }

    package static func courierEnded(_ process: Int32) {
      role.withLock { role in
        if case .daemon(process) = role { role = .daemon(courier: 0) }
      }
    }

    /// This process is a courier, and was handed these words.
    package static func becomeCourier(_ words: String?, channel: Int32) {
      let parts = (words ?? "").split(separator: " ", maxSplits: 1)
      Haste.become(parts.first.flatMap { Int64($0) } ?? 1)
      order.withLock { $0 = parts.count > 1 ? CrashOrder(String(parts[1])) : nil }
      role.withLock { $0 = .courier(channel: channel) }
    }

    /// Whether these bytes were a last word. Does what it says: an order is for one courier, not for the next.
    package static func heard(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard bytes.count == 1, unsafe bytes[0] >= LastWord.mine else { return false }
      if unsafe bytes[0] == LastWord.yours { die() }
      order.withLock { $0 = nil }
      return true
    }

    private static func die() -> Never {
      while true { raise(SIGKILL) }
    }

    static func reached(_ point: CrashPoint) {
      let due = order.withLock { (order) -> CrashOrder? in
        guard order?.point == point else { return nil }
        order?.left -= 1
        guard let due = order, due.left == 0 else { return nil }
        return due
      }
      guard let due else { return }
      switch role.withLock({ $0 }) {
      case .daemon(let courier): strike(due, courier: courier)
      case .courier(let channel): strike(due, channel: channel)
      }
    }

    private static func strike(_ order: CrashOrder, courier: Int32) {
      let victim = order.victim ?? .daemon
      doomed.store(victim == .daemon ? 0 : courier, ordering: .sequentiallyConsistent)
      let sparesDaemon = victim == .courier
      guard order.microseconds > 0 else { return sparesDaemon ? killCourier() : killBoth() }
      var timer = itimerval()
      timer.it_value.tv_usec = Int(order.microseconds)
      if sparesDaemon { signal(SIGALRM, onAlarmCourier) } else { signal(SIGALRM, onAlarmBoth) }
      _ = unsafe setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil)
    }

    fileprivate static func killCourier() {
      let courier = doomed.load(ordering: .sequentiallyConsistent)
      if courier > 1 { kill(courier, SIGKILL) }
    }

    fileprivate static func killBoth() {
      killCourier()
      die()
    }

    /// A confined courier can signal nobody. It asks the daemon to die, and waits until that is done.
    private static func strike(_ order: CrashOrder, channel: Int32) {
      let victim = order.victim ?? .courier
      var word = victim == .courier ? LastWord.mine : LastWord.yours
      _ = unsafe send(channel, &word, 1, Int32(MSG_NOSIGNAL))
      while victim != .courier, unsafe recv(channel, &word, 1, 0) > 0 {}
      if victim != .daemon { die() }
    }
  }

  private func onAlarmCourier(_: Int32) { CrashScene.killCourier() }
  private func onAlarmBoth(_: Int32) { CrashScene.killBoth() }

  extension CrashPoint {
    /// The process is here: dies, or kills, if that was ordered.
    package func reached() { CrashScene.reached(self) }
  }
#endif
