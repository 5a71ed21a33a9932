import Fingerpost

@main
struct Weather {
    static func main() { print(Route.get("today")) }
}
