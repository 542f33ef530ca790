/// This program again, small, in a process of its own.
enum Child {
  /// Runs the child by `fork`, which Swift does not offer, and `exec`. Between the two the child runs on one thread, in a copy of
  /// memory where the other threads may have held locks.
  ///
  /// - Returns: the exit status; 128 and more for a signal.
  static func run() -> CInt {
    typealias Fork = @convention(c) () -> pid_t
    guard let address = dlsym(nil, "fork") else { return -1 }
    let fork = unsafeBitCast(address, to: Fork.self)
    // All that needs memory is done before.
    guard let path = strdup(CommandLine.arguments[0]) else { return -1 }
    let words: [String] = ["faults", "load", "--threads", "2", "--values", "200"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer {
      free(path)
      for argument in arguments { free(argument) }
    }
    let child = fork()
    if child == 0 {
      execv(path, &arguments)
      _exit(127)
    }
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }
}
