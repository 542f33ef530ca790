import Foundation
import Tidings
import TidingsPersistence

let file = FileManager.default.temporaryDirectory.appending(path: "volume-\(UUID()).json")
let store = PersistentStore(file: file)
let volume = store.value("volume", default: 0.5)
volume.update { $0 += 0.25 }
await store.close()
print("stored:", PersistentStore(file: file).value("volume", default: 0.0).value)
try FileManager.default.removeItem(at: file)
try? FileManager.default.removeItem(at: file.appendingPathExtension("lock"))
