// What tests of calls need, so that they import this module alone.
@_exported public import Fingerpost
@_exported public import FingerpostFiles
@_exported public import LoopbackServer
@_exported public import TestSupport
