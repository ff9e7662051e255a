#!/usr/bin/env python3
"""Writes src/tools/dump_log/schemas/ from the record schemas in Apache Kafka's jars.

    python3 src/tools/dump_log/generate.py            write the files
    python3 src/tools/dump_log/generate.py --check    fail if the committed files are not what would be written

A development-time tool, never run by the build. It needs Kafka 4.4.0 unpacked at $PEERS_HOME/kafka (default
~/.cache/peers/kafka) and rustfmt. Names, types and versions of the fields are taken, the schemas' texts are not.
"""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEAD = "// Written by src/tools/dump_log/generate.py from Kafka's record schemas; do not edit.\n\n"
NEVER = 32767

# file -> (head, jar, selection)
FILES = {
    "metadata": ("Records of the metadata log.", "kafka-metadata", lambda s: s["type"] == "metadata"),
    "groups": (
        "Keys and values in `__consumer_offsets`.",
        "kafka-group-coordinator",
        lambda s: s["type"].startswith("coordinator-"),
    ),
    "transactions": (
        "Keys and values in `__transaction_state`.",
        "kafka-transaction-coordinator",
        lambda s: s["type"].startswith("coordinator-"),
    ),
    "shares": (
        "Keys and values in `__share_group_state`.",
        "kafka-share-coordinator",
        lambda s: s["type"].startswith("coordinator-"),
    ),
    "control": (
        "Control records of consensus, and what members of classic groups send each other.",
        "kafka-clients",
        lambda s: s["name"]
        in {
            "LeaderChangeMessage",
            "SnapshotHeaderRecord",
            "SnapshotFooterRecord",
            "KRaftVersionRecord",
            "VotersRecord",
            "ConsumerProtocolSubscription",
            "ConsumerProtocolAssignment",
        },
    ),
}

PRIMITIVES = {
    "bool": "Bool",
    "int8": "Int8",
    "int16": "Int16",
    "uint16": "Uint16",
    "int32": "Int32",
    "uint32": "Uint32",
    "int64": "Int64",
    "float64": "Float64",
    "string": "Text",
    "bytes": "Bytes",
    "uuid": "Uuid",
}


def read_schemas(jar, selected):
    library = Path(os.environ.get("PEERS_HOME") or Path.home() / ".cache/peers") / "kafka" / "lib"
    paths = sorted(library.glob(jar + "-[0-9]*.jar"))
    if not paths:
        sys.exit(f"no {jar} jar in {library}")
    with zipfile.ZipFile(paths[-1]) as archive:
        for name in sorted(archive.namelist()):
            if name.startswith("common/") and name.endswith(".json"):
                text = archive.read(name).decode()
                text = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda m: m.group(1) or "", text)
                schema = json.loads(text)
                if selected(schema):
                    yield schema


def versions(text):
    if text in (None, "none"):
        return NEVER, NEVER
    low, _, high = text.replace("+", f"-{NEVER}").partition("-")
    return int(low), int(high or low)


def snake(name):
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name).upper()


def camel(name):
    return name[0].lower() + name[1:]


def kind(field, structs):
    kind = field["type"]
    if kind.startswith("[]"):
        inner = kind[2:]
        if inner in PRIMITIVES:
            return f"Array(&{PRIMITIVES[inner]})"
        return f"Array(&Struct(&[{fields(field, structs)}]))"
    if kind in PRIMITIVES:
        return PRIMITIVES[kind]
    return f"Struct(&[{fields(field, structs)}])"


def fields(holder, structs):
    listed = holder.get("fields")
    if listed is None:
        listed = structs[holder["type"].removeprefix("[]")]
    return ", ".join(field_text(field, structs) for field in listed)


def field_text(field, structs):
    text = f'field("{camel(field["name"])}", {kind(field, structs)})'
    low, high = versions(field.get("versions", field.get("taggedVersions")))
    if "tag" in field:
        low = max(low, versions(field["taggedVersions"])[0])
        text += f".tagged({field['tag']})"
    if low > 0:
        text += f".since({low})"
    if high < NEVER:
        text += f".until({high})"
    nullable = versions(field.get("nullableVersions"))[0]
    if nullable < NEVER:
        text += f".nullable({nullable})"
    return text


def schema_text(schema):
    structs = {s["name"]: s["fields"] for s in schema.get("commonStructs", [])}
    low, high = versions(schema["validVersions"])
    flexible = versions(schema.get("flexibleVersions"))[0]
    record_type = schema.get("apiKey", -1)
    name = snake(schema["name"])
    return (
        f'/// `{schema["name"]}`.\npub(in crate::tools::dump_log) static {name}: Schema = Schema {{ name: "{name}", record_type: {record_type}, '
        f"versions: {low}..={high}, flexible_from: {flexible if flexible < NEVER else 'NEVER'}, "
        f"fields: &[{fields(schema, structs)}] }};\n\n"
    )


def file_text(head, schemas):
    schemas = sorted(schemas, key=lambda s: (s.get("apiKey", -1), s["type"], s["name"]))
    body = "".join(schema_text(schema) for schema in schemas)
    names = {"metadata": "RECORDS", "coordinator-key": "KEYS", "coordinator-value": "VALUES"}
    for schema_type, constant in names.items():
        listed = [snake(s["name"]) for s in schemas if s["type"] == schema_type]
        if listed:
            body += f"/// All, by type.\npub(in crate::tools::dump_log) static {constant}: &[&Schema] = &[{', '.join('&' + n for n in listed)}];\n\n"
    kinds = sorted(k for k in ["Array", "Struct", *PRIMITIVES.values()] if re.search(rf"\b{k}\b", body))
    never = ", NEVER" if "NEVER" in body else ""
    uses = f"use crate::tools::dump_log::schema::Kind::{{{', '.join(kinds)}}};\n"
    uses += f"use crate::tools::dump_log::schema::{{Schema, field{never}}};\n\n"
    return HEAD + f"//! {head}\n\n" + uses + body


def formatted(text):
    config = str(HERE.parent.parent.parent)
    command = ["rustfmt", "--edition", "2024", "--config-path", config]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def main():
    check = "--check" in sys.argv[1:]
    stale = []
    for file, (head, jar, selected) in FILES.items():
        text = formatted(file_text(head, read_schemas(jar, selected)))
        path = HERE / "schemas" / f"{file}.rs"
        if check:
            if not path.exists() or path.read_text() != text:
                stale.append(str(path))
        else:
            path.write_text(text)
    if stale:
        sys.exit("not up to date: " + ", ".join(stale))


main()
