// A catalog makes routes of `Fingerpost`, and a client of `Fingerpost` sends them, so one import is enough.
@_exported public import Fingerpost
