import Desktop
import Testing

/// A machine that is on the bus.
private func present() -> PresenceMachine {
  var machine = PresenceMachine()
  _ = machine.started()
  machine.arrived()
  return machine
}

@Suite struct PresenceMachineTests {
  @Test func `starting connects, once`() {
    var machine = PresenceMachine()
    #expect([machine.started(), machine.started()] == [.connect, .nothing])
  }

  @Test func `a change on the bus is emitted`() {
    var machine = present()
    #expect(machine.changed() == .emitChange)
  }

  @Test func `a change while connecting is not kept`() {
    var machine = PresenceMachine()
    _ = machine.started()
    #expect(machine.changed() == .nothing)
  }

  @Test func `a lost bus is looked for a few times, ever more rarely, and then no more`() {
    var machine = present()
    let actions = (0...PresenceMachine.pauses.count).map { _ in
      let action = machine.lost()
      _ = machine.retryDue()
      return action
    }
    #expect(actions == PresenceMachine.pauses.map { .retry(after: $0) } + [.nothing])
  }

  @Test func `after giving up the next change looks again`() {
    var machine = present()
    for _ in 0...PresenceMachine.pauses.count {
      _ = machine.lost()
      _ = machine.retryDue()
    }
    #expect(machine.changed() == .connect)
  }

  @Test func `arriving again starts the count anew`() {
    var machine = present()
    _ = machine.lost()
    _ = machine.retryDue()
    machine.arrived()
    #expect(machine.lost() == .retry(after: PresenceMachine.pauses[0]))
  }

  @Test func `after stopping nothing connects`() {
    var machine = present()
    let actions = [machine.stopped(), machine.lost(), machine.retryDue(), machine.changed(), machine.started()]
    #expect(actions == [.disconnect, .nothing, .nothing, .nothing, .nothing])
  }
}
