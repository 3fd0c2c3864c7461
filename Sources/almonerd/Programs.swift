import Courier
import EventLoop
import SignIn

/// The child programs, opened when the daemon starts, so that an upgrade in between cannot mix versions.
struct Programs {
  let directory: String
  let courier: CourierProgram
  let callback: CallbackProgram

  init(loop: EventLoop, user: UInt32) throws {
    guard let directory = Machine.ownDirectory else {
      throw DaemonFailure(text: "the directory of this program cannot be told", status: 1)
    }
    self.directory = directory
    courier = try CourierProgram(path: directory + "/almoner-courier")
    callback = try CallbackProgram(path: directory + "/almoner-callback", loop: loop, user: user)
  }
}
