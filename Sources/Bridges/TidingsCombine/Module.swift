// Combine where there is one, OpenCombine where a client asks for it by the trait of that name, and nothing else.
// Both modules call theirs `Subscription` too.
#if canImport(Combine)
import Combine
typealias CombineSubscription = Combine.Subscription
#elseif OpenCombine
import OpenCombine
typealias CombineSubscription = OpenCombine.Subscription
#endif
