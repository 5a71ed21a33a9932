/// Middleware that runs after authorization, so that it sees requests with their credentials, and the response after
/// redirects. Only recorders need to see the credentials, to redact them in the files that they write.
package protocol Recorder: Middleware {}
