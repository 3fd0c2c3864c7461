import Commands
import Testing

@Suite struct LocalesTests {
  @Test(arguments: [
    (["LANG": "de_AT.UTF-8@euro"], ["de-AT"]),
    (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "ar"], ["ar"]),
    (["LANG": "de_DE", "LANGUAGE": "ru:de_DE:en"], ["ru", "de-DE", "en"]),
    (["LANG": "C.UTF-8", "LANGUAGE": "ru"], []),
    (["LC_ALL": "POSIX"], []),
    ([:], []),
    (["LANG": "de DE"], []),
    (["LANG": "x"], []),
  ])
  func `locales become language tags`(variables: [String: String], tags: [String]) {
    #expect(Locales.tags(Environment(variables)) == tags)
  }

  @Test func `only the first few are passed on`() {
    #expect(Locales.tags(Environment(["LANG": "de", "LANGUAGE": "aa:bb:cc:dd:ee:ff"])).count == Locales.most)
  }
}
