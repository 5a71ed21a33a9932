// A catalog makes routes of `Fingerpost`, and a client of `Fingerpost` sends these routes, so one import is enough.
@_exported public import Fingerpost
