// swift-tools-version: 6.2
import PackageDescription

// ALMONER_SANITIZE leaves the zero-on-free allocator out: it and AddressSanitizer both own `free`.
// ALMONER_FAULTS compiles the crash points, and the faults that a test asks for.
// ALMONER_FUZZ adds the program that feeds what a fuzzer makes up to everything that reads strange bytes.
// All make a build that is for tests only and must never be installed.
let sanitize = Context.environment["ALMONER_SANITIZE"] != nil
let faults = Context.environment["ALMONER_FAULTS"] != nil
let fuzz = Context.environment["ALMONER_FUZZ"] != nil
/// SwiftPM's own `--sanitize` takes one sanitizer only.
let fuzzing = "-sanitize=fuzzer,address"

let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
  ] + (faults ? [.define("FAULTS")] : []) + (fuzz ? [.unsafeFlags([fuzzing])] : [])

let sectionGC = ["-Xlinker", "--gc-sections", "-Xlinker", "-s"]

/// How a program is linked in release builds.
enum Linking {
  /// Everything static, libc included: the CLI.
  case fullyStatic
  /// The Swift runtime static, system libraries dynamic: the daemon and its children.
  case staticRuntime

  var compile: [String] {
    switch self {
    case .fullyStatic: ["-static-executable"]
    case .staticRuntime: ["-static-stdlib"]
    }
  }
  // Not -static-pie: SwiftPM writes a run path into every program, and the C library's start-up of a static PIE stops
  // (SIGSEGV in an assertion) when it finds one. `--disable-local-rpath` would help, but a plain build has to work.
  var link: [String] { compile + ["-use-ld=lld"] + sectionGC }
}

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func program(_ name: String, _ linking: Linking, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies,
    swiftSettings: strict + [.unsafeFlags(linking.compile, .when(configuration: .release))],
    linkerSettings: [.unsafeFlags(linking.link, .when(configuration: .release))])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name + "Tests", dependencies: [.target(name: name)] + dependencies, swiftSettings: strict)
}

func system(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let zeroFree: [Target.Dependency] = sanitize ? [] : ["CZeroFree"]

let fuzzer: [Target] =
  !fuzz
  ? []
  : [
    .executableTarget(
      name: "almoner-fuzz",
      dependencies: [
        "Associations", "CCurl", "CLinux", "Configuration", "Exchange", "HTTPServer", "JOSE", "JSON", "Journal",
        "OAuth", "Secrets", "Sodium", "Time", "Vault", "Wire",
      ],
      path: "Tests/Fuzz", exclude: ["Corpus", "Words"],
      swiftSettings: strict, linkerSettings: [.unsafeFlags([fuzzing])])
  ]

let package = Package(
  name: "almoner",
  products: [.library(name: "AlmonerClient", targets: ["AlmonerClient"])],
  targets: [
    // C: one module for each outside thing. Only the door of the same name imports it.
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CZeroFree", cSettings: [.define("_GNU_SOURCE")]),
    system("CSodium", "libsodium", "libsodium-dev"),
    system("CSecret", "libsecret-1", "libsecret-1-dev"),
    system("CSystemd", "libsystemd", "libsystemd-dev"),
    system("CCurl", "libcurl", "libcurl4-openssl-dev"),
    system("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
    system("COpenSSL", "libcrypto", "libssl-dev"),
    system("CQRencode", "libqrencode", "libqrencode-dev"),

    // Doors.
    library("CrashPoints"),
    library("Time"),
    library("Secrets", ["CLinux"]),
    library("Sodium", ["Secrets", "CSodium"]),
    library("JSON", ["Secrets"]),
    library("JOSE", ["JSON", "Secrets", "Sodium", "COpenSSL"]),
    library("EventLoop", ["CLinux", "Time"]),
    library("SecretService", ["CrashPoints", "EventLoop", "Secrets", "Time", "CSecret", "CLinux"]),
    library("Systemd", ["CSystemd", "CLinux"]),
    library("Curl", ["CrashPoints", "Exchange", "Secrets", "Time", "CCurl", "CLinux"]),
    library("HTTPServer", ["CMicroHTTPD", "Secrets"]),
    library("Confinement", ["CLinux"]),
    library("QRCode", ["CQRencode"]),

    // Contracts.
    library("LocalSocket", ["CLinux", "Secrets"]),
    library("Wire", ["JSON", "Secrets"]),
    library("Exchange", ["Secrets", "Time"]),
    library("Journal", ["CLinux", "CrashPoints", "Exchange", "Secrets", "Sodium", "Time"]),

    // Standards.
    library("OAuth", ["Exchange", "JOSE", "JSON", "Secrets", "Sodium", "Time"]),
    library("AlmonerClient", ["JSON", "LocalSocket", "Secrets", "Wire"], exclude: ["Examples"]),

    // Middle.
    library("Vault", ["Exchange", "JSON", "OAuth", "Secrets", "Sodium", "Time"]),

    // Edge.
    library("Configuration", ["CLinux", "Exchange", "OAuth", "Secrets", "Sodium", "Vault"], exclude: ["Presets"]),
    library(
      "Stores",
      [
        "CLinux", "Configuration", "CrashPoints", "EventLoop", "JSON", "SecretService", "Secrets", "Sodium", "Time",
        "Vault",
      ]),
    library(
      "Courier",
      [
        "CLinux", "Configuration", "CrashPoints", "EventLoop", "Exchange", "Journal", "Secrets", "Sodium", "Time",
        "Vault",
      ]),
    library("Issuers", ["Exchange", "JOSE", "JSON", "OAuth", "Secrets", "Sodium", "Time", "Vault"]),
    library("Associations", ["Exchange", "JSON", "OAuth", "Secrets", "Time", "Vault"]),
    library("SignIn", ["CLinux", "EventLoop", "Exchange", "OAuth", "Secrets", "Sodium", "Time", "Vault"]),
    library(
      "Server",
      [
        "Associations", "CLinux", "Configuration", "EventLoop", "Exchange", "JSON", "LocalSocket", "OAuth", "Secrets",
        "SignIn", "Time", "Vault", "Wire",
      ]),
    library("Desktop", ["CLinux", "EventLoop", "Systemd", "Time", "Vault"]),
    library(
      "Commands", ["CLinux", "JSON", "LocalSocket", "Secrets", "Wire"],
      exclude: ["Callback/org.almoner.Almoner.desktop"]),

    // Programs.
    program(
      "almonerd", .staticRuntime,
      [
        "Associations", "CLinux", "Configuration", "Courier", "CrashPoints", "Desktop", "EventLoop", "Exchange",
        "Issuers",
        "LocalSocket", "SecretService", "Secrets", "Server", "SignIn", "Sodium", "Stores", "Systemd", "Time", "Vault",
      ] + zeroFree),
    program(
      "almoner-courier", .staticRuntime,
      ["CLinux", "Confinement", "CrashPoints", "Curl", "Exchange", "Journal", "Secrets", "Sodium", "Time"] + zeroFree),
    program(
      "almoner-callback", .staticRuntime, ["CLinux", "Confinement", "Exchange", "HTTPServer", "Secrets"] + zeroFree),
    program("almoner", .fullyStatic, ["Commands"]),
    program("almoner-qr", .staticRuntime, ["QRCode"]),
    program("almoner-example", .staticRuntime, ["AlmonerClient"]),
    program(
      "almoner-sandbox", .staticRuntime, ["CLinux", "HTTPServer", "JOSE", "JSON", "Secrets", "Sodium", "Time"]),

    // Tests.
    tests("Time", []),
    tests("Secrets", []),
    tests("Sodium", ["Secrets"]),
    tests("JSON", ["Secrets"]),
    tests("JOSE", ["JSON", "Secrets", "Sodium"]),
    tests("EventLoop", ["CLinux", "Time"]),
    tests("SecretService", ["EventLoop", "Secrets"]),
    tests("Systemd", []),
    tests("Confinement", []),
    tests("QRCode", []),
    tests("Curl", ["Exchange", "Secrets", "Time"]),
    tests("HTTPServer", ["Secrets"]),
    tests("LocalSocket", ["CLinux", "Secrets"]),
    tests("Wire", ["JSON", "Secrets"]),
    tests("AlmonerClient", ["JSON", "LocalSocket", "Secrets", "Wire"]),
    tests("Exchange", ["Secrets", "Time"]),
    tests("Journal", ["CLinux", "Exchange", "Secrets", "Sodium", "Time"]),
    tests("OAuth", ["Exchange", "JOSE", "JSON", "Secrets", "Sodium", "Time"]),
    tests("Vault", ["EventLoop", "Exchange", "JSON", "OAuth", "Secrets", "Sodium", "Time"]),
    tests("Configuration", ["CLinux", "Exchange", "OAuth", "Secrets", "Vault"]),
    tests(
      "Stores",
      ["CLinux", "Configuration", "EventLoop", "Exchange", "SecretService", "Secrets", "Sodium", "Time", "Vault"]),
    tests(
      "Courier", ["CLinux", "Configuration", "EventLoop", "Exchange", "Journal", "Secrets", "Sodium", "Time", "Vault"]),
    tests("Issuers", ["Exchange", "JOSE", "JSON", "OAuth", "Secrets", "Sodium", "Time", "Vault"]),
    tests("Associations", ["Exchange", "OAuth", "Secrets", "Time", "Vault"]),
    tests("SignIn", ["EventLoop", "Exchange", "OAuth", "Secrets", "Time", "Vault"]),
    tests(
      "Server",
      [
        "Associations", "CLinux", "Configuration", "EventLoop", "Exchange", "JSON", "LocalSocket", "OAuth", "Secrets",
        "SignIn", "Time", "Vault", "Wire",
      ]),
    tests("Desktop", ["EventLoop", "Systemd", "Time"]),
    tests("Commands", ["JSON", "LocalSocket", "Secrets", "Wire"]),
  ] + fuzzer)
