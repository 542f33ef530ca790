import Testing
import Tidings

@MainActor final class Profile {
  let renamed = Event<String>("profile.renamed")
  var name = "" { didSet { renamed.emit(name) } }
}

@MainActor final class ProfileScreen {
  private(set) var title = ""
  func follow(_ profile: Profile) {
    profile.renamed.observe(with: self) { screen, name in screen.title = name }
  }
}

@MainActor
@Suite("The migration page: the same program in the core's own types")
struct MigrationTests {
  @Test("A screen shows the name as soon as it changes")
  func screen() {
    let (profile, screen) = (Profile(), ProfileScreen())
    screen.follow(profile)
    profile.name = "Ada"
    #expect(screen.title == "Ada")
  }
}
