@ObservedProperties open class Document {
  open var title = ""
}
