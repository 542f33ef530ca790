#if NATS
/// How a process proves its identity to the broker.
///
/// ```swift
/// let transport = try NATSTransport(
///   "tls://broker:4222", credentials: .file("shop.creds"), trusting: .certificate("ca.pem"))
/// ```
public struct NATSCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  enum Kind: Sendable {
    case none
    case user(String, password: String)
    case token(String)
    case file(String)
  }
  let kind: Kind

  /// The kind and the user or file, never a password or a token.
  public var description: String {
    switch kind {
    case .none: "NATSCredentials (none)"
    case .user(let name, _): "NATSCredentials (user '\(name)')"
    case .token: "NATSCredentials (token)"
    case .file(let path): "NATSCredentials (file '\(path)')"
    }
  }
  /// Without children: what `dump` shows ends in logs, and so must hold no secret.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }

  /// None: for a broker that asks for none, or for a client certificate only.
  public static var none: NATSCredentials { NATSCredentials(kind: .none) }

  /// A user and a password.
  ///
  /// - Parameters:
  ///   - name: The user.
  ///   - password: The password; sent in the clear unless the connection uses TLS.
  public static func user(_ name: String, password: String) -> NATSCredentials {
    NATSCredentials(kind: .user(name, password: password))
  }

  /// A token.
  ///
  /// - Parameter token: The token; sent in the clear unless the connection uses TLS.
  public static func token(_ token: String) -> NATSCredentials { NATSCredentials(kind: .token(token)) }

  /// A file with a JWT and its seed, as the broker's tools write it; read again at each connection.
  ///
  /// - Parameter path: The file.
  public static func file(_ path: String) -> NATSCredentials { NATSCredentials(kind: .file(path)) }
}

/// Which broker a process believes, and the certificate with which it presents itself.
public struct NATSTrust: Sendable {
  let isSecure: Bool
  let authorities: String?
  let host: String?
  let identity: (certificate: String, key: String)?

  /// TLS only where the server's address begins with `tls:`, and then with the certificate authorities of the system.
  public static var system: NATSTrust { NATSTrust(isSecure: false, authorities: nil, host: nil, identity: nil) }

  /// TLS with certificate authorities of your own.
  ///
  /// - Parameters:
  ///   - authorities: A PEM file.
  ///   - host: The name that the server's certificate must have; that of the address unless given.
  ///   - identity: The PEM files of the certificate and the key with which this process presents itself, if it has one.
  public static func certificate(
    _ authorities: String, host: String? = nil, identity: (certificate: String, key: String)? = nil
  ) -> NATSTrust {
    NATSTrust(isSecure: true, authorities: authorities, host: host, identity: identity)
  }
}
#endif
