/// Something that happened on GitHub: a notification, or an event of ``GitHub/activity``.
struct Notice: Decodable, Sendable {
    struct Subject: Decodable, Sendable {
        let title: String
    }

    let reason: String
    let subject: Subject
}
