"""Kafka's message schemas as read from its jars, for generate.py, and the ranges of versions in them."""

import json
import os
import re
import sys
import zipfile
from pathlib import Path

JARS = ["kafka-clients", "kafka-metadata", "kafka-group-coordinator"]
# The version that an open range ends with.
NEVER = 32767


def patch(schemas):
    """Where we serve more than the schemas say: ListOffsets v0, for librdkafka before 1.8."""
    for side in ("Request", "Response"):
        schema = schemas["ListOffsets" + side]
        assert schema["validVersions"].startswith("1-")
        schema["validVersions"] = "0-" + schema["validVersions"][2:]
    topics = next(f for f in schemas["ListOffsetsRequest"]["fields"] if f["name"] == "Topics")
    partition = next(f for f in topics["fields"] if f["name"] == "Partitions")["fields"]
    partition.append(
        {"name": "MaxNumOffsets", "type": "int32", "versions": "0", "default": "1", "ignorable": True})
    topics = next(f for f in schemas["ListOffsetsResponse"]["fields"] if f["name"] == "Topics")
    partition = next(f for f in topics["fields"] if f["name"] == "Partitions")["fields"]
    at = next(i for i, f in enumerate(partition) if f["name"] == "ErrorCode")
    partition.insert(
        at + 1, {"name": "OldStyleOffsets", "type": "[]int64", "versions": "0", "ignorable": True})


def strip_comments(text):
    """Drops // comments, but not inside strings."""
    return re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*', lambda match: match.group(1) or "", text)


def read_schemas():
    library = Path(os.environ.get("PEERS_HOME") or Path.home() / ".cache/peers") / "kafka" / "lib"
    schemas = {}
    for jar in JARS:
        paths = sorted(library.glob(jar + "-[0-9]*.jar"))
        if not paths:
            sys.exit(f"no {jar} jar in {library}")
        with zipfile.ZipFile(paths[-1]) as archive:
            for name in archive.namelist():
                if name.startswith("common/") and name.endswith(".json"):
                    schema = json.loads(strip_comments(archive.read(name).decode()))
                    schemas[schema["name"]] = schema
    patch(schemas)
    return schemas


class Versions:
    """An inclusive range of versions, possibly empty."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    @staticmethod
    def parse(text, default=None):
        if text is None:
            return default
        if text == "none":
            return Versions(0, -1)
        if text.endswith("+"):
            return Versions(int(text[:-1]), NEVER)
        low, _, high = text.partition("-")
        return Versions(int(low), int(high or low))

    def __bool__(self):
        return self.low <= self.high

    def __contains__(self, version):
        return self.low <= version <= self.high

    def meet(self, other):
        return Versions(max(self.low, other.low), min(self.high, other.high))

    def condition(self, within):
        """Rust that is true for a version of `within` in this range: "true", "false", or a comparison."""
        met = self.meet(within)
        if not met:
            return "false"
        low, high = met.low > within.low, met.high < within.high
        if low and high:
            return f"version == {met.low}" if met.low == met.high else f"({met.low}..={met.high}).contains(&version)"
        if low:
            return f"version >= {met.low}"
        return f"version <= {met.high}" if high else "true"

    def text(self):
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"
