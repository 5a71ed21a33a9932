/// Middleware that sees what goes over the wire: it runs below authorization, so requests have their credentials, and it gets the answer
/// after redirects. Only a recorder needs that, to keep credentials out of what it writes.
package protocol Recorder: Middleware {}
