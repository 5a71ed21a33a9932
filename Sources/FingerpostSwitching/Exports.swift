// The environments that an app switches are those of `Fingerpost`, so one import is enough.
@_exported public import Fingerpost
