import Dispatch
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Calls a closure when a file may have been replaced or written, by events of the system.
///
/// It watches the folder, because a file that is replaced is another one.
final class FileWatch: @unchecked Sendable {  // written once
  private let source: any DispatchSourceProtocol

  init?(_ file: URL, _ changed: @escaping @Sendable () -> Void) {
    let path = file.deletingLastPathComponent().path
    #if os(Linux)
    let name = file.lastPathComponent
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, path, UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)) >= 0 else {
      close(descriptor)
      return nil
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    source.setEventHandler {
      // The store's own lock is in the same folder: its events are none of the file.
      let names = Self.readNames(descriptor)
      if names.contains(name) || names.contains("") { changed() }
    }
    #else
    let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: .write)
    source.setEventHandler(handler: changed)
    #endif
    source.setCancelHandler { close(descriptor) }
    self.source = source
    source.activate()
  }
  deinit { source.cancel() }

  #if os(Linux)
  /// The names in the events that wait. Where events were lost, there is one without a name.
  private static func readNames(_ descriptor: Int32) -> Set<String> {
    var names: Set<String> = []
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count <= 0 { return }
        let header = MemoryLayout<inotify_event>.size
        var place = 0
        while place + header <= count {
          let length = Int(buffer.load(fromByteOffset: place, as: inotify_event.self).len)
          let name = buffer[(place + header)..<min(count, place + header + length)].prefix { $0 != 0 }
          names.insert(String(decoding: name, as: UTF8.self))
          place += header + length
        }
      }
    }
    return names
  }
  #endif
}

/// The observation of a notification, which ends with it.
final class Observation: @unchecked Sendable {  // written once
  private let token: any NSObjectProtocol
  init(_ token: any NSObjectProtocol) { self.token = token }
  deinit { NotificationCenter.default.removeObserver(token) }
}
