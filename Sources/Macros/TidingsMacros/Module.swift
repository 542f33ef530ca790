// A file that declares a model names `Observed`, `Derived` and `transaction`, and so does what the macros write there.
@_exported public import Tidings
