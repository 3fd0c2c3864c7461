import Time

extension AccountSession {
  /// Asks, and waits when the answer is not there yet. A caller that goes away only removes itself.
  ///
  /// Asking, entering and beginning happen in one step, without a suspension between them: work that is begun before
  /// its caller waits may end before, and nobody would wake the caller.
  func askAndWait(_ request: AccessRequest) async throws(VaultError) -> AccessGrant {
    let ticket = waiters.ticket()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<AccessGrant, VaultError>, Never>) in
        ask(WaitingRoom.Waiter(request: request, continuation: continuation), ticket)
      }
    } onCancel: {
      Task(executorPreference: tools.executor) { await self.callerLeft(ticket) }
    }
    return try result.get()
  }

  private func ask(_ waiter: WaitingRoom.Waiter, _ ticket: UInt64) {
    guard !Task.isCancelled else { return waiter.continuation.resume(returning: .failure(Self.callerLeft)) }
    let now = tools.clock.now
    switch machine.asked(waiter.request, at: now) {
    case .answer(let generation, let shorter):
      waiter.continuation.resume(
        returning: .success(grant(generation, waiter.request, shorter: shorter, at: now)))
    case .refuse(let error):
      waiter.continuation.resume(returning: .failure(error))
    case .begin(let work):
      waiters.enter(ticket, waiter)
      begin(work)
      watchDeadline(of: waiter)
    case .join:
      waiters.enter(ticket, waiter)
      watchDeadline(of: waiter)
    }
  }

  private static let callerLeft = VaultError.temporary(account: nil, message: "the caller went away", retryAfter: 1)

  private func callerLeft(_ ticket: UInt64) {
    waiters.leave(ticket)?.continuation.resume(returning: .failure(Self.callerLeft))
  }

  /// Asks about everybody again, now that the work ended.
  func answerWaiters(after work: SessionMachine.Work, refreshed: Bool) {
    let now = tools.clock.now
    for (ticket, waiter) in waiters.emptyInTurn() {
      var request = waiter.request
      // Who forced joined this refresh; it must not become one refresh a caller.
      if work == .rotate { request.isForced = false }
      switch machine.askedAgain(request, after: work, at: now) {
      case .answer(let generation, let shorter):
        waiter.continuation.resume(
          returning: .success(grant(generation, waiter.request, shorter: shorter, refreshed: refreshed, at: now)))
      case .refuse(let error):
        waiter.continuation.resume(returning: .failure(error))
      case .begin(let next):
        begin(next)
        waiters.enter(ticket, waiter)
      case .join:
        waiters.enter(ticket, waiter)
      }
    }
    if waiters.isEmpty {
      deadlineWatch?.cancel()
      deadlineWatch = nil
    } else {
      watchDeadlines()
    }
  }

  /// Answers those whom the present token serves, while the work goes on for the others.
  func releaseServable() {
    guard case .holding(let generation) = machine.state, generation.isVerified else { return }
    let now = tools.clock.now
    let left = generation.lifeLeft(at: now)
    guard left > .zero else { return }
    for (ticket, waiter) in waiters.empty() {
      // The account's own token reaches further than this caller asked for: never in place of a narrowed one.
      if waiter.request.narrowing != nil {
        waiters.enter(ticket, waiter)
        continue
      }
      let shorter = left < waiter.request.minimumLife
      waiter.continuation.resume(
        returning: .success(grant(generation, waiter.request, shorter: shorter, at: now)))
    }
  }

  /// The same for one who joined: thousands may, so it does not look at all the others.
  private func watchDeadline(of waiter: WaitingRoom.Waiter) {
    if let watched = watchedDeadline, deadlineWatch != nil, watched <= waiter.request.deadline { return }
    watchDeadlines()
  }

  /// Keeps one timer for all waiters, armed for the earliest deadline.
  private func watchDeadlines() {
    guard let earliest = waiters.earliestDeadline else { return }
    if let watched = watchedDeadline, deadlineWatch != nil, watched <= earliest { return }
    deadlineWatch?.cancel()
    watchedDeadline = earliest
    deadlineWatch = Task(executorPreference: tools.executor) {
      do { try await self.tools.clock.sleep(until: earliest) } catch { return }
      await self.deadlinePassed()
    }
  }

  private func deadlinePassed() {
    deadlineWatch = nil
    let now = tools.clock.now
    for waiter in waiters.expired(at: now) { waiter.continuation.resume(returning: timedOut(waiter.request, at: now)) }
    watchDeadlines()
  }

  /// A caller whose time is up gets the present token if it still lives: the refresh may be slow, the token is good.
  private func timedOut(_ request: AccessRequest, at now: BootInstant) -> Result<AccessGrant, VaultError> {
    let error = VaultError.temporary(
      account: account.name, message: "no answer within the time asked for", retryAfter: 5)
    if case .holding(let main) = machine.state, main.isVerified,
      let generation = request.narrowing.map({ machine.narrowed.token($0) }) ?? main
    {
      let left = generation.lifeLeft(at: now)
      if left > .zero {
        var grant = grant(generation, request, shorter: left < request.minimumLife, at: now)
        if request.isForced { grant.hindrance = error }
        return .success(grant)
      }
    }
    return .failure(error)
  }
}
