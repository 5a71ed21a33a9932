// Tests of calls need these modules, so they import only this one.
@_exported public import Fingerpost
@_exported public import FingerpostFiles
@_exported public import LoopbackServer
@_exported public import TestSupport
