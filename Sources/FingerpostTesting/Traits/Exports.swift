// Nearly every test uses names from `Fingerpost` and `FingerpostMocks`, so tests import only this module.
@_exported public import Fingerpost
@_exported public import FingerpostMocks
