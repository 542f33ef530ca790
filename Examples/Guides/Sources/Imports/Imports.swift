// The programs in `Snippets` import the products that this target depends on.
