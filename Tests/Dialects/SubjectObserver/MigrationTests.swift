import Testing
import Tidings

enum Mail: Sendable {
  case arrived(from: String)
  case lost(count: Int)
}

final class PostOffice: Sendable {
  let mail = Event<Mail>("post.mail")
}

@MainActor final class Letterbox {
  private(set) var senders: [String] = []
  func follow(_ office: PostOffice) {
    office.mail.observe(with: self) { box, mail in
      if case .arrived(let sender) = mail { box.senders.append(sender) }
    }
  }
}

@MainActor
@Suite("The migration page: the same program in the core's own types")
struct MigrationTests {
  @Test("A letterbox is notified of mail, by its type")
  func letterbox() {
    let (office, box) = (PostOffice(), Letterbox())
    box.follow(office)
    office.mail.emit(.arrived(from: "Ada"))
    office.mail.emit(.lost(count: 2))
    #expect(box.senders == ["Ada"])
  }
}
