@_exported public import FingerpostFiles
// Every test needs these.
@_exported public import TestSupport
