// A relay as a service: compiled with the trait `Service`, and otherwise an empty module, so that the package builds without
// swift-service-lifecycle.
