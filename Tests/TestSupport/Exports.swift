// Every test needs these.
@_exported public import Foundation
@_exported public import Testing
