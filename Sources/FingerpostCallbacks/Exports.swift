// Whoever uses callbacks also uses the client of `Fingerpost`, so one import is enough.
@_exported public import Fingerpost
