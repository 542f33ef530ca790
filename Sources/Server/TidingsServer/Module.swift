// What a server sees of its events, values, streams and hooks: compiled with the trait `Server`, and otherwise an empty module, so
// that the package builds without swift-metrics, swift-log, swift-service-lifecycle and swift-service-context.
