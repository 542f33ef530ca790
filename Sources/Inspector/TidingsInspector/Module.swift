// The inspector: compiled with the trait `Inspector`, and otherwise an empty module, so that the package builds without FlyingFox.
