// A client of `Fingerpost` sends the routes of a catalog, so one import is enough.
@_exported public import Fingerpost
