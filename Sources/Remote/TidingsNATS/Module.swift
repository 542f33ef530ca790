// NATS: compiled with the trait `NATS`, and otherwise an empty module, so that the package builds without libnats.
