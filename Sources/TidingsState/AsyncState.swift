/// The state of an asynchronous computation: see ``AsyncDerived``.
public enum AsyncState<Output: Sendable>: Sendable {
  /// The output is being computed for the current inputs. `previous` is the last output, for other inputs.
  case loading(previous: Output?)
  /// The output for the current inputs.
  case loaded(Output)
  /// The computation for the current inputs has thrown. `previous` is the last output.
  case failed(any Error, previous: Output?)

  /// The output for the current inputs; nil while there is none.
  public var output: Output? { if case .loaded(let output) = self { output } else { nil } }

  /// The output for the current inputs or, while there is none, the last output: what a screen keeps showing.
  public var latest: Output? {
    switch self {
    case .loaded(let output): output
    case .loading(let previous), .failed(_, let previous): previous
    }
  }

  /// Whether the output is being computed.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// The error of the computation, if it has failed.
  public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }
}
