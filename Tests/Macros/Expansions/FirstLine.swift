@ObservedProperties @MainActor final class Meter { @ObservedAs(.every) var count: Int = 0 }
