#if NATS
import Testing
import TidingsNATS

@Suite("Credentials")
struct NATSCredentialsTests {
  @Test("The output of print and dump of credentials names the user and holds no secret")
  func shown() {
    for (credentials, description) in [
      (NATSCredentials.none, "NATSCredentials (none)"), (.token("s3cret"), "NATSCredentials (token)"),
      (.user("till", password: "s3cret"), "NATSCredentials (user 'till')"),
      (.file("till.creds"), "NATSCredentials (file 'till.creds')"),
    ] {
      var dumped = ""
      dump(credentials, to: &dumped)
      #expect("\(credentials)" == description)
      #expect(!dumped.contains("s3cret") && !String(reflecting: credentials).contains("s3cret"))
    }
  }
}
#endif
