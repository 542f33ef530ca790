import Tidings

let volume = Observed(0.5, changes: .distinct)
let shown = volume.observe { change in print(change.old ?? 0, "→", change.new) }
volume.update { $0 += 0.25 }
volume.set(0.75)
