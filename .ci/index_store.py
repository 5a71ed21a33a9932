"""Reads the references between files from the index that the Swift compiler writes in debug builds.

A thin layer over the C API of the toolchain's libIndexStore, which indexstore/indexstore.h in the toolchain declares.
"""
import collections
import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys

Reference = collections.namedtuple("Reference", "file line defined_in name")  # file paths are relative to Sources


class NoIndex(Exception):
    """The index is missing, or older than the sources."""


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


class Handle(ctypes.c_void_p):
    """A pointer that ctypes does not convert to an integer, so that it can be passed on."""


RESULTS = {  # the result types of the C functions, by the suffixes of their names
    "_create": Handle, "_symbol": Handle, "_name": Text, "_usr": Text, "_main_file": Text,
    "_roles": ctypes.c_uint64, "kind": ctypes.c_int, "_apply_f": ctypes.c_bool,
}
RECORD = 2  # a kind of unit dependency
DEFINES, CHILD_OF, EXTENDED_BY = 0b11, 1 << 9, 1 << 14  # roles of occurrences and relations
ACCESSORS = {3, 4, *range(1000, 1004), *range(1014, 1019)}  # subkinds; only their property counts


class Index:
    def __init__(self, store):
        # On Linux and macOS the library is next to the toolchain's resource folder.
        info = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
        folder = pathlib.Path(info["paths"]["runtimeResourcePath"]).parent
        self.library = ctypes.CDLL(str(folder / ("libIndexStore." + ("dylib" if sys.platform == "darwin" else "so"))))
        self.store = self.open(self.store_create, os.fsencode(store))

    def __getattr__(self, name):
        """The function of the C API with this name after `indexstore_`."""
        function = getattr(self.library, "indexstore_" + name)
        function.restype = next((result for end, result in RESULTS.items() if name.endswith(end)), None)
        setattr(self, name, function)
        return function

    def open(self, create, *arguments):
        handle = create(*arguments, None)
        if not handle:
            raise NoIndex("The index cannot be read.")
        return handle

    def each(self, apply, *arguments, read=str, item=Handle):
        """The items that a function of the C API passes to its callback, each converted by `read`."""
        items, callback = [], ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, item)
        if not apply(*arguments, None, callback(lambda _, item: items.append(read(item)) or True)):
            raise NoIndex("The index cannot be read.")
        return items

    def units(self):
        """For each compiled file: its path, its compile time in nanoseconds, the names of its records."""
        def dependency(item):
            return self.unit_dependency_get_kind(item), str(self.unit_dependency_get_name(item))

        for name in self.each(self.store_units_apply_f, self.store, 0, item=Text):
            unit = self.open(self.unit_reader_create, self.store, name.encode())
            seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
            self.unit_reader_get_modification_time(unit, ctypes.byref(seconds), ctypes.byref(nanoseconds))
            dependencies = self.each(self.unit_reader_dependencies_apply_f, unit, read=dependency)
            yield (str(self.unit_reader_get_main_file(unit)), seconds.value * 10**9 + nanoseconds.value,
                   [name for kind, name in dependencies if kind == RECORD])
            self.unit_reader_dispose(unit)

    def occurrences(self, record):
        """For each occurrence of a symbol in the record's file: USR, name, line, roles, [(role, USR) of relations]."""
        symbols, line = {}, ctypes.c_uint()

        def relation(item):
            return self.symbol_relation_get_roles(item), str(self.symbol_get_usr(self.symbol_relation_get_symbol(item)))

        def occurrence(item):
            symbol = self.occurrence_get_symbol(item)
            if symbol.value not in symbols:
                is_accessor = self.symbol_get_subkind(symbol) in ACCESSORS
                symbols[symbol.value] = None if is_accessor else (
                    str(self.symbol_get_usr(symbol)), str(self.symbol_get_name(symbol)))
            self.occurrence_get_line_col(item, ctypes.byref(line), None)
            return symbols[symbol.value] and (
                *symbols[symbol.value], line.value, self.occurrence_get_roles(item),
                self.each(self.occurrence_relations_apply_f, item, read=relation))

        reader = self.open(self.record_reader_create, self.store, record.encode())
        found = self.each(self.record_reader_occurrences_apply_f, reader, read=occurrence)
        self.record_reader_dispose(reader)
        return filter(None, found)


def read_occurrences(sources, scratch, files):
    """The occurrences in the files: (file, occurrence)."""
    stores = [*scratch.glob("debug/index/store"), *scratch.glob("*/debug/index/store")]
    if not stores:
        raise NoIndex(f"There is no index in {scratch}.")
    index, newest = Index(stores[0]), {}
    for path, time, records in index.units():
        file = os.path.relpath(os.path.realpath(path), os.path.realpath(sources))
        # A file that a build tool uses too is compiled twice. Units of deleted files stay in the index.
        if file in files and time > newest.get(file, (0, []))[0]:
            newest[file] = time, records
    for file in sorted(files):
        if file not in newest:
            raise NoIndex(f"The index lacks Sources/{file}.")
        if newest[file][0] < (sources / file).stat().st_mtime_ns:
            raise NoIndex(f"The index is older than Sources/{file}.")
    return [(file, found) for file, (_, records) in sorted(newest.items())
            for record in records for found in index.occurrences(record)]


def read_references(sources, scratch, files):
    """Every use of a symbol of one file in another file, from the index of the build in `scratch`.

    Implicit uses count too: the initializer behind a literal (role: reference), and the default implementation that a
    type relies on, at the place where the type declares its conformance (no role).
    """
    definitions, extended, uses = {}, {}, []
    for file, (usr, name, line, roles, relations) in read_occurrences(sources, scratch, files):
        if roles & DEFINES:
            definitions.setdefault(usr, (name, file, [parent for role, parent in relations if role & CHILD_OF]))
        else:
            uses.append((file, line, usr))
            extended.update((extension, usr) for role, extension in relations if role & EXTENDED_BY)

    def module(file):
        return file.split(os.sep)[0]

    def full_name(usr):
        usr = extended[usr] if extended.get(usr) in definitions else usr
        name, _, parents = definitions[usr]
        return ".".join([full_name(parent) for parent in parents if parent in definitions] + [name])

    references = {Reference(file, line, definitions[usr][1], full_name(usr)) for file, line, usr in uses
                  if usr in definitions}
    # The index lacks the error types of `do throws(Failure)` and of function types, `() throws(Failure) -> Value`.
    homes = collections.defaultdict(set)
    for usr, (_, file, _) in definitions.items():
        homes[module(file), full_name(usr)].add(file)
    for file in files:
        for line, text in enumerate((sources / file).read_text(encoding="utf-8").splitlines(), 1):
            for name in re.findall(r"\bthrows\(([\w.]+)\)", text.split("//")[0]):
                home = homes.get((module(file), name), ())
                references.update(Reference(file, line, found, name) for found in home if len(home) == 1)
    return sorted(reference for reference in references if reference.file != reference.defined_in)
