import TidingsMacros

@ObservedProperties class Sheet {
  var title = ""
}

@ObservedProperties final class Letter: Sheet {
  var recipient = "Ada"
  // error: 'line' reads 'title', which this class does not declare: write '$title.value' if it is observed where it is declared
  @Derived var line: String { self.title + recipient }
}
