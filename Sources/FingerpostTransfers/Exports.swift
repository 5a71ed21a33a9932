// Transfers are calls of a client of `Fingerpost`, so one import is enough.
@_exported public import Fingerpost
