import Foundation
import Tidings

extension Notification.Name { static let saved = Notification.Name("saved") }
func before() {
  let observer = NotificationCenter.default.addObserver(forName: .saved, object: nil, queue: nil) { note in
    if let path = note.userInfo?["path"] as? String { print("saved", path) }
  }
  NotificationCenter.default.post(name: .saved, object: nil, userInfo: ["path": "letter.txt"])
  NotificationCenter.default.removeObserver(observer)
}
before()

let saved = Event<String>("document.saved")
let shown = saved.observe { path in print("saved", path) }
saved.emit("letter.txt")
