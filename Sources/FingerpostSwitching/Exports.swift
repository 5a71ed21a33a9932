// Whoever switches environments also uses the environments of `Fingerpost`, so one import is enough.
@_exported public import Fingerpost
