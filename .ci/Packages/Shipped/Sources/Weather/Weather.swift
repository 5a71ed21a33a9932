import Fingerpost

@main
struct Weather {
    static func main() {
        do { print(try Environment.load("Production").analytics.key.reveal()) } catch { print(error) }
    }
}
