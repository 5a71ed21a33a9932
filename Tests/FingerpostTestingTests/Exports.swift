// Every test needs these.
@_exported public import CallSupport
