import Associations
import Testing
import Time

@Suite struct AssociationCacheTests {
  private let clock = ManualClock()

  private func file(_ text: String = listing()) throws -> AssociationFinding {
    .file(try AssociationFile(reading: box(text), of: host))
  }

  private func isFetched(_ cache: inout AssociationCache) -> Bool { cache.wanted(host, at: clock.now) == .fetch }

  @Test func `G2 a site that un-lists us is believed when its file has been good for an hour`() throws {
    var cache = AssociationCache()
    #expect(isFetched(&cache))
    let listed = cache.finished(host, try file(), at: clock.now)
    clock.advance(by: AssociationCache.fileLife - .seconds(1))
    #expect(cache.wanted(host, at: clock.now) == .use(listed))
    clock.advance(by: .seconds(1))
    #expect(isFetched(&cache))
    let unlisted = try file(#"{"version":1,"apps":[]}"#)
    #expect(cache.finished(host, unlisted, at: clock.now).finding == unlisted)
    #expect(AssociationCache.fileLife <= .seconds(86_400) && AssociationCache.absentLife < AssociationCache.fileLife)
  }

  @Test func `G2 a site whose file is gone lists nobody at once, and is asked again soon`() throws {
    var cache = AssociationCache()
    _ = cache.wanted(host, at: clock.now)
    _ = cache.finished(host, try file(), at: clock.now)
    clock.advance(by: AssociationCache.fileLife)
    #expect(isFetched(&cache))
    #expect(cache.finished(host, .absent, at: clock.now).finding == .absent)
    clock.advance(by: AssociationCache.absentLife)
    #expect(isFetched(&cache))
  }

  @Test func `G3 a site that cannot be reached keeps its last good file for a week`() throws {
    var cache = AssociationCache()
    _ = cache.wanted(host, at: clock.now)
    let good = cache.finished(host, try file(), at: clock.now)
    clock.advance(by: AssociationCache.lastGoodLife - .seconds(1))
    #expect(isFetched(&cache))
    let kept = cache.finished(host, .unreachable("status 500"), at: clock.now)
    #expect(kept.finding == good.finding && kept.askedAt == good.askedAt && kept.trouble == "status 500")
    clock.advance(by: AssociationCache.unreachableLife)
    #expect(isFetched(&cache))
    #expect(cache.finished(host, .unreachable("x"), at: clock.now).finding == .unreachable("x"))
    #expect(AssociationCache.lastGoodLife <= .seconds(7 * 86_400))
  }

  @Test func `G3 a site that could never be reached lists nobody`() {
    var cache = AssociationCache()
    _ = cache.wanted(host, at: clock.now)
    #expect(cache.finished(host, .unreachable("x"), at: clock.now).finding == .unreachable("x"))
  }

  @Test func `one fetch is under way for all who ask`() throws {
    var cache = AssociationCache()
    #expect(isFetched(&cache))
    #expect(cache.wanted(host, at: clock.now) == .wait)
    let answer = cache.finished(host, try file(), at: clock.now)
    #expect(cache.wanted(host, at: clock.now) == .use(answer))
  }

  @Test func `G6 of ten thousand sites six a minute are asked, and a few are remembered`() {
    var cache = AssociationCache()
    var fetched = 0
    for number in 0..<10_000 {
      let site = sampleHost("a\(number).example")
      switch cache.wanted(site, at: clock.now) {
      case .fetch:
        fetched += 1
        _ = cache.finished(site, .absent, at: clock.now)
      case .later(let seconds): #expect((1...60).contains(seconds))
      case .use, .wait: Issue.record("nobody asked before")
      }
    }
    #expect(fetched == AssociationCache.fetchesPerMinute)
    clock.advance(by: .seconds(60))
    #expect(cache.wanted(sampleHost("b.example"), at: clock.now) == .fetch)
  }
}
