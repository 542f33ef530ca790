// This module shows a server its events, values, streams and hooks. Without the trait `Server` it is empty, so that the package
// builds without swift-metrics, swift-log, swift-service-lifecycle and swift-service-context.
