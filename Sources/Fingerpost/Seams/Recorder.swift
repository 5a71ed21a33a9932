/// Middleware that runs after authorization and around redirects. A recorder sees requests with their credentials, and
/// the response after all redirects. Only recorders need to see the credentials: they redact the credentials in the
/// files that they write.
package protocol Recorder: Middleware {}
