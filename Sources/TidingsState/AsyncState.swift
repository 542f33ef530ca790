/// What is known of a value that takes time: see ``AsyncDerived``.
public enum AsyncState<Output: Sendable>: Sendable {
  /// It is being computed for the inputs of now. `previous` is the last output that there was, for other inputs.
  case loading(previous: Output?)
  /// The output for the inputs of now.
  case loaded(Output)
  /// The computation for the inputs of now has thrown. `previous` is the last output that there was.
  case failed(any Error, previous: Output?)

  /// The output for the inputs of now, nil while there is none.
  public var output: Output? { if case .loaded(let output) = self { output } else { nil } }

  /// The output for the inputs of now or, while there is none, the last that there was: what a screen goes on showing.
  public var latest: Output? {
    switch self {
    case .loaded(let output): output
    case .loading(let previous), .failed(_, let previous): previous
    }
  }

  /// Whether it is being computed.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// What the computation has thrown, if it has.
  public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }
}
