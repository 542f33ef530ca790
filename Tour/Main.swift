import Tidings
@main struct T { static func main() {} }
