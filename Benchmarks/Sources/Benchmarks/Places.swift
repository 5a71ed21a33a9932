/// Places for a limited number of tasks; the others wait in order.
actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The number of waiting tasks that got a place.
    private var served = 0

    init(_ count: Int) {
        free = count
    }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        guard served < waiting.count else {
            free += 1
            return
        }
        waiting[served].resume()
        served += 1
    }
}
