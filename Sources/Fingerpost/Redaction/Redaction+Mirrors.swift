import Foundation

// What `dump`, debuggers and failed expectations show of a value is its mirror, which is as public as its description.

extension Route: CustomReflectable {
    /// The name, the method and the path. Parameters and bodies may hold secrets.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["name": name, "method": method, "path": Redaction.url(path.text), "mock": mock as Any],
            displayStyle: .struct)
    }
}

extension HTTPHeaders: CustomReflectable {
    /// The fields, credentials left out.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: map { ($0.name.rawValue, $0.name.isSensitive ? Redaction.placeholder : $0.value) },
            displayStyle: .struct)
    }
}

extension LoggedCall: CustomReflectable {
    /// What is known of the call, credentials left out.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": name, "route": route, "request": request.map(Redaction.request) as Any, "source": source as Any,
                "status": status as Any, "error": error as Any, "started": started, "ended": ended as Any,
            ], displayStyle: .struct)
    }
}

extension Response: CustomReflectable {
    /// Everything but the credentials of the request and of the headers. The body is shown as the value alone.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "value": value, "status": status, "headers": headers.description, "data": "\(data.count) bytes",
                "request": Redaction.request(request), "source": source, "attempts": attempts, "duration": duration,
            ], displayStyle: .struct)
    }
}

extension APIError: CustomReflectable {
    /// What the description tells, and no more of what is as it came than that it is there.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": kind, "message": message, "fix": fix as Any, "route": route as Any,
                "environment": environment as Any, "request": request as Any, "mock": mock as Any,
                "status": status as Any, "headers": headers?.description as Any,
                "body": body.map { "\($0.count) bytes" } as Any,
                "serverMessage": serverMessage as Any, "response": response.map { "\(type(of: $0))" } as Any,
                "attempts": attempts as Any, "codingPath": codingPath as Any, "fragment": fragment as Any,
                "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ], displayStyle: .struct)
    }
}
