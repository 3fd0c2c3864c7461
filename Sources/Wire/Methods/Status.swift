package import JSON

extension Wire {
  /// Says how the daemon is.
  package enum Status: VarlinkMethod {
    package static let name = "Status"

    package struct Parameters: WireStruct, Equatable {
      package static let fields: [WireField] = [.optional("strays", .bool)]

      /// Whether the open stores are looked into for what belongs to no account.
      package let strays: Bool

      package init(strays: Bool = false) { self.strays = strays }

      package init(members: JSONObject) throws(JSONMemberError) {
        strays = try members.bool(ifPresent: "strays") ?? false
      }

      package func write(to writer: inout JSONWriter) {
        if strays { writer.member("strays", strays) }
      }
    }

    package struct Reply: WireStruct, Equatable {
      package static let fields: [WireField] = [
        .required("version", .string),
        .required("pid", .int),
        .required("locked", .bool),
        .required("memoryLocked", .bool),
        .required("confined", .bool),
        .required("accounts", .array(.named("Account"))),
        .required("notes", .array(.string)),
        .optional("strays", .array(.named("Stray"))),
      ]

      package let version: String
      package let pid: Int64
      package let locked: Bool
      /// The kernel promised to keep secrets out of swap.
      package let memoryLocked: Bool
      /// The children confine themselves fully on this kernel: seccomp always, and Landlock, which it may lack.
      package let confined: Bool
      package let accounts: [Account]
      /// What deserves attention, in words.
      package let notes: [String]
      /// Nil when nobody asked, or the daemon is locked.
      package let strays: [Stray]?

      package init(
        version: String, pid: Int64, locked: Bool, memoryLocked: Bool, confined: Bool, accounts: [Account],
        notes: [String], strays: [Stray]? = nil
      ) {
        self.version = version
        self.pid = pid
        self.locked = locked
        self.memoryLocked = memoryLocked
        self.confined = confined
        self.accounts = accounts
        self.notes = notes
        self.strays = strays
      }

      package init(members: JSONObject) throws(JSONMemberError) {
        version = try members.string("version")
        pid = try members.int("pid")
        locked = try members.bool("locked")
        memoryLocked = try members.bool("memoryLocked")
        confined = try members.bool("confined")
        accounts = try members.structs("accounts", of: Account.self)
        notes = try members.strings("notes")
        strays = try members.structs(ifPresent: "strays", of: Stray.self)
      }

      package func write(to writer: inout JSONWriter) {
        writer.member("version", version)
        writer.member("pid", pid)
        writer.member("locked", locked)
        writer.member("memoryLocked", memoryLocked)
        writer.member("confined", confined)
        writer.member("accounts", structs: accounts)
        writer.member("notes", strings: notes)
        writer.member("strays", structs: strays)
      }
    }
  }
}
