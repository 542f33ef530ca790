// The journal: compiled with the trait `SQLite`, and otherwise an empty module, so that the package builds without GRDB.
