// Nearly every test names something of `Fingerpost`, such as `Mocks`, so one import is enough.
@_exported public import Fingerpost
@_exported public import FingerpostMocks
