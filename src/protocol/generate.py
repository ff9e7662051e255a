#!/usr/bin/env python3
"""Writes src/protocol/messages/ (and tests/protocol/random_messages/) from the message schemas in Apache Kafka's jars.

    python3 src/protocol/generate.py            write the files
    python3 src/protocol/generate.py --check    fail if the committed files are not what would be written

A development-time tool, never run by the build. It needs Kafka 4.4.0 unpacked at $PEERS_HOME/kafka (default
~/.cache/peers/kafka) and rustfmt. The schemas and their texts are not copied: the comments it writes are its own.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from schemas import NEVER, Versions, read_schemas  # noqa: E402

# Request and response of each of these.
APIS = """
    Produce Fetch ListOffsets Metadata OffsetCommit OffsetFetch FindCoordinator JoinGroup Heartbeat LeaveGroup SyncGroup
    DescribeGroups ListGroups ApiVersions CreateTopics DeleteTopics DeleteRecords InitProducerId OffsetForLeaderEpoch
    DescribeConfigs AlterConfigs AlterReplicaLogDirs DescribeLogDirs CreatePartitions DeleteGroups
    IncrementalAlterConfigs DescribeCluster DescribeProducers DescribeTopicPartitions ElectLeaders
    AlterPartitionReassignments
    ListPartitionReassignments OffsetDelete DescribeClientQuotas AlterClientQuotas DescribeQuorum UpdateFeatures
    ListConfigResources DescribeUserScramCredentials AlterUserScramCredentials
""".split()

# Records of the metadata log; also the variants of `MetadataRecord`.
METADATA_RECORDS = """
    RegisterBrokerRecord UnregisterBrokerRecord TopicRecord PartitionRecord ConfigRecord PartitionChangeRecord
    RemoveTopicRecord FeatureLevelRecord BrokerRegistrationChangeRecord ProducerIdsRecord NoOpRecord
    ClientQuotaRecord
""".split()

# Headers and control records, each in a file of its own.
OTHERS = """
    RequestHeader ResponseHeader EndTxnMarker LeaderChangeMessage SnapshotHeaderRecord SnapshotFooterRecord
    KRaftVersionRecord VotersRecord
""".split()

# Records of a coordinator's log: file -> (key, value).
COORDINATOR_RECORDS = {
    "legacy_offset_commit_record": ("LegacyOffsetCommitKey", "LegacyOffsetCommitValue"),
    "offset_commit_record": ("OffsetCommitKey", "OffsetCommitValue"),
    "group_metadata_record": ("GroupMetadataKey", "GroupMetadataValue"),
}

ROOT = Path(__file__).resolve().parent.parent.parent
MESSAGES = ROOT / "src/protocol/messages"
# Random messages for the differential tests.
RANDOM = ROOT / "tests/protocol/random_messages"
HEAD = "// Written by src/protocol/generate.py from Kafka's message schemas; do not edit.\n\n"

# type -> (Rust type, bytes, method of Reader and Writer)
PRIMITIVES = {
    "bool": ("bool", 1, "bool"),
    "int8": ("i8", 1, "i8"),
    "int16": ("i16", 2, "i16"),
    "uint16": ("u16", 2, "u16"),
    "int32": ("i32", 4, "i32"),
    "uint32": ("u32", 4, "u32"),
    "int64": ("i64", 8, "i64"),
    "float64": ("f64", 8, "f64"),
    "uuid": ("Uuid", 16, "uuid"),
}
KEYWORDS = set("type match ref move self use mod fn impl in loop where as box".split())


def snake(name):
    name = name.replace("KRaft", "Kraft")
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name).lower()


def ident(name):
    name = snake(name)
    return "r#" + name if name in KEYWORDS else name


def negated(condition):
    for old, new in ((" >= ", " < "), (" <= ", " > "), (" == ", " != ")):
        if old in condition:
            return condition.replace(old, new)
    return "!" + condition


class Field:
    def __init__(self, spec, owner):
        self.owner, self.message = owner, owner.message
        self.name, self.rust_name = spec["name"], ident(spec["name"])
        self.type = spec["type"]
        self.is_array = self.type.startswith("[]")
        self.element = self.type[2:] if self.is_array else self.type
        self.is_struct = self.element[0].isupper()
        valid = owner.versions
        self.versions = Versions.parse(spec["versions"]).meet(valid)
        self.nullable = Versions.parse(spec.get("nullableVersions"), Versions(0, -1)).meet(valid)
        self.tagged = Versions.parse(spec.get("taggedVersions"), Versions(0, -1)).meet(valid)
        self.tag = spec.get("tag")
        self.ignorable = spec.get("ignorable", False)
        self.default = spec.get("default", "")
        if self.default is None:
            self.default = "null"
        self.rigid = spec.get("flexibleVersions") == "none"  # keeps the old encoding in flexible versions
        if self.tagged:
            assert (self.tagged.low, self.tagged.high) == (self.versions.low, self.versions.high), self.path()
        self.nullable_type = bool(self.nullable) and self.element != "records"

    def path(self):
        return f"{self.message.name}.{self.name}" if self.owner.is_top else f"{self.owner.name}.{self.name}"

    def flexible(self):
        return "false" if self.rigid else "flexible"

    def element_type(self, lifetime="'a"):
        if self.element in PRIMITIVES:
            return PRIMITIVES[self.element][0]
        if self.element == "string":
            return f"&{lifetime} str"
        if self.element == "bytes":
            return f"&{lifetime} [u8]"
        if self.element == "records":
            return f"Records<{lifetime}>"
        struct = self.message.structs[self.element]
        return struct.rust_name + (f"<{lifetime}>" if struct.borrows() else "")

    def rust_type(self):
        inner = f"Vec<{self.element_type()}>" if self.is_array else self.element_type()
        return f"Option<{inner}>" if self.nullable_type else inner

    def borrows(self):
        if self.is_struct:
            return self.message.structs[self.element].borrows()
        return self.element in ("string", "bytes", "records")

    def default_value(self):
        if self.element == "records":
            return "Records::Null"
        if self.default == "null":
            assert self.nullable_type, self.path()
            return "None"
        if self.is_array:
            assert self.default == "", self.path()
            value = "Vec::new()"
        elif self.is_struct:
            assert self.default == "", self.path()
            value = f"{self.message.structs[self.element].rust_name}::default()"
        elif self.element == "string":
            value = json.dumps(self.default)
        elif self.element == "bytes":
            assert self.default == "", self.path()
            value = "&[]"
        elif self.element == "bool":
            value = "true" if self.default in (True, "true") else "false"
        elif self.element == "uuid":
            assert self.default == "", self.path()
            value = "Uuid::ZERO"
        elif self.element == "float64":
            value = repr(float(self.default or 0))
        else:
            number = self.default if isinstance(self.default, int) else int(self.default or "0", 0)
            limits = {2**31 - 1: "i32::MAX", -(2**31): "i32::MIN", 2**63 - 1: "i64::MAX"}
            value = limits.get(number, str(number))
        return f"Some({value})" if self.nullable_type else value

    def derives_default(self):
        """Whether Rust's default for the type is the schema's default."""
        value = self.default_value()
        return value in ("0", "0.0", "false", '""', "Vec::new()", "&[]", "None", "Uuid::ZERO", "Records::Null") \
            or self.is_struct and value.endswith("::default()")

    def is_default(self):
        """Rust that is true if the field holds its default."""
        me = f"self.{self.rust_name}"
        default = self.default_value()
        if default == "None":
            return f"{me}.is_none()"
        if self.element == "records":
            return f"{me} == Records::Null"
        if self.nullable_type:
            if self.is_array or default == 'Some("")' or default == "Some(&[])":
                return f"{me}.as_ref().is_some_and(|value| value.is_empty())"
            return f"{me} == {default}"
        if self.is_array or default in ('""', "&[]"):
            return f"{me}.is_empty()"
        if self.element == "bool":
            return me if default == "true" else f"!{me}"
        return f"{me} == {default}"

    def not_default(self):
        condition = self.is_default()
        if condition.endswith(".is_none()"):
            return condition.replace(".is_none()", ".is_some()")
        if condition.startswith("!"):
            return condition[1:]
        if " == " in condition:
            return condition.replace(" == ", " != ")
        return "!" + condition

    def read(self):
        """Rust that reads the field in a version that has it."""
        flexible = self.flexible()

        def one(null):
            prefix = "nullable_" if null else ""
            if self.is_array:
                return f"reader.{prefix}array(version, {flexible})?"
            if self.element in PRIMITIVES:
                assert not null
                return f"reader.{PRIMITIVES[self.element][2]}()?"
            if self.element == "string":
                return f"reader.{prefix}string({flexible})?"
            if self.element == "bytes":
                return f"reader.{prefix}bytes({flexible})?"
            if self.element == "records":
                return f"reader.records({flexible})?"
            if null:
                return f"reader.nullable_struct(version, {flexible})?"
            return f"{self.message.structs[self.element].rust_name}::read(reader, version, {flexible})?"

        if not self.nullable_type:
            return one(False)
        condition = self.nullable.condition(self.versions)
        if condition == "true":
            return one(True)
        return f"if {condition} {{ {one(True)} }} else {{ Some({one(False)}) }}"

    def borrowed(self):
        """The field as an Option of a borrow, for the helpers that take null."""
        me = f"self.{self.rust_name}"
        if self.is_array:
            return f"{me}.as_deref()" if self.nullable_type else f"Some(&{me}[..])"
        if self.is_struct:
            return f"{me}.as_ref()"
        return me if self.nullable_type else f"Some({me})"

    def size(self):
        """Rust statements that add the size of a field of varying size."""
        me, flexible = f"self.{self.rust_name}", self.flexible()
        if self.is_array:
            return f"size.array({self.borrowed()}, version, {flexible});"
        if self.element == "string":
            return f"size.string({self.borrowed()}, {flexible});"
        if self.element == "bytes":
            return f"size.byte_string({self.borrowed()}, {flexible});"
        if self.element == "records":
            return f"size.records(&{me}, {flexible});"
        if self.is_struct:
            if not self.nullable_type:
                return f"{me}.size(size, version, {flexible});"
            condition = self.nullable.condition(self.versions)
            assert condition == "true", self.path()
            return f"size.nullable_struct({self.borrowed()}, version, {flexible});"
        return f"size.bytes += {PRIMITIVES[self.element][1]};"

    def write(self):
        """Rust statements that write the field in a version that has it."""
        me, flexible = f"self.{self.rust_name}", self.flexible()
        if self.element in PRIMITIVES and not self.is_array:
            return f"writer.{PRIMITIVES[self.element][2]}({me});"
        if self.element == "records":
            return f"writer.records(&{me}, {flexible})?;"
        if not self.nullable_type:
            if self.is_array:
                return f"writer.array(&{me}, version, {flexible})?;"
            if self.is_struct:
                return f"{me}.write(writer, version, {flexible})?;"
            return f"writer.{self.element}({me}, {flexible})?;"
        if self.is_array:
            statement = f"writer.nullable_array({self.borrowed()}, version, {flexible})?;"
        elif self.is_struct:
            statement = f"writer.nullable_struct({self.borrowed()}, version, {flexible})?;"
        else:
            statement = f"writer.nullable_{self.element}({me}, {flexible})?;"
        condition = self.nullable.condition(self.versions)
        if condition == "true":
            return statement
        refused = f'return Err(EncodeError::UnexpectedNull {{ field: "{self.path()}", version }});'
        return f"if {me}.is_none() && {negated(condition)} {{ {refused} }} {statement}"

    def random(self):
        """Rust of the tests that makes a random value in a version that has the field."""
        if self.nullable_type:
            condition = self.nullable.condition(self.versions)
            if condition == "true":
                return "rng.nullable(version)"
            return f"if {condition} {{ rng.nullable(version) }} else {{ Some(Random::random(rng, version)) }}"
        return "Random::random(rng, version)"

    def min_len(self, version):
        if version not in self.versions or version in self.tagged:
            return 0
        flexible = self.message.is_flexible(version) and not self.rigid
        if self.is_array:
            return 1 if flexible else 4
        if self.element in PRIMITIVES:
            return PRIMITIVES[self.element][1]
        if self.element == "string":
            return 1 if flexible else 2
        if self.element in ("bytes", "records"):
            return 1 if flexible else 4
        return 1 if version in self.nullable else self.message.structs[self.element].min_len_at(version)

    def doc(self):
        text = self.type.replace("[]", "array of ") if self.is_array else self.type
        if self.is_struct:
            text = f"array of [`{self.message.structs[self.element].rust_name}`]" if self.is_array \
                else f"[`{self.message.structs[self.element].rust_name}`]"
        parts = [f"{text}, versions {self.versions.text()}" if self.versions.low != self.versions.high
                 else f"{text}, version {self.versions.text()}"]
        if self.tagged:
            parts.append(f"tag {self.tag}")
        if self.nullable:
            whole = (self.nullable.low, self.nullable.high) == (self.versions.low, self.versions.high)
            parts.append("nullable" if whole else f"nullable in {self.nullable.text()}")
        if self.default_value() not in ("0", "false", '""', "Vec::new()", "&[]", "Uuid::ZERO", "Records::Null") \
                and not (self.is_struct and not self.nullable_type):
            parts.append(f"default {self.default_value()}")
        if (self.versions.low, self.versions.high) != (self.owner.versions.low, self.owner.versions.high):
            parts.append("ignorable" if self.ignorable else "refused elsewhere")
        text = ", ".join(parts)
        return text[0].upper() + text[1:] + "."


class Struct:
    def __init__(self, name, rust_name, versions, message, is_top):
        self.name, self.rust_name, self.message, self.is_top = name, rust_name, message, is_top
        self.versions = versions.meet(message.valid)
        self.fields = []

    def borrows(self):
        return any(field.borrows() for field in self.fields)

    def min_len_at(self, version):
        return sum(f.min_len(version) for f in self.fields) + (1 if self.message.is_flexible(version) else 0)

    def min_len(self):
        return max(1, min(self.min_len_at(version) for version in range(self.versions.low, self.versions.high + 1)))

    def rust(self):
        # A struct is only met in versions that have it.
        within = self.versions
        lifetime = "<'a>" if self.borrows() else ""
        plain = [f for f in self.fields if not f.tagged]
        tagged = sorted((f for f in self.fields if f.tagged), key=lambda f: f.tag)
        flexible = self.message.flexible.condition(within)
        out = []
        kind = self.message.doc() if self.is_top else f"Part of [`{self.message.rust_name}`]."
        derived = all(f.derives_default() for f in self.fields)
        derives = "Clone, Debug, Default, PartialEq" if derived else "Clone, Debug, PartialEq"
        out.append(f"/// {kind}\n#[derive({derives})]\npub struct {self.rust_name}{lifetime} {{")
        out += [f"/// {f.doc()}\npub {f.rust_name}: {f.rust_type()}," for f in self.fields]
        out.append("}\n")
        anonymous = "<'_>" if lifetime else ""
        defaults = "".join(f"{f.rust_name}: {f.default_value()}," for f in self.fields)
        if not derived:
            out.append(f"impl Default for {self.rust_name}{anonymous} {{\nfn default() -> Self {{ Self {{ {defaults} }} }}\n}}\n")

        # read
        body = []
        for f in self.fields:
            condition = "false" if f.tagged else f.versions.condition(within)
            if condition == "true":
                body.append(f"{f.rust_name}: {f.read()},")
            elif condition == "false":
                body.append(f"{f.rust_name}: {f.default_value()},")
            else:
                body.append(f"{f.rust_name}: if {condition} {{ {f.read()} }} else {{ {f.default_value()} }},")
        arms = []
        for f in tagged:
            condition = f.versions.condition(self.message.flexible.meet(within))
            guard = "" if condition == "true" else f" if {condition}"
            arms.append(f"{f.tag}{guard} => message.{f.rust_name} = {f.read()},")
        if tagged:
            tags = (f"reader.tagged_fields(|tag, reader| {{ match tag {{ {''.join(arms)} _ => return Ok(false), }}"
                    " Ok(true) })?;")
        else:
            tags = "reader.skip_tagged_fields()?;"
        if flexible == "false":
            tags = ""
        elif flexible != "true":
            tags = f"if flexible {{ {tags} }}"
        read = f"let {'mut ' if tagged else ''}message = Self {{ {''.join(body)} }}; {tags} Ok(message)" if tags \
            else f"Ok(Self {{ {''.join(body)} }})"

        # size
        fixed, sizes = 0, []
        for f in plain:
            condition = f.versions.condition(within)
            if condition == "false":
                continue
            if condition == "true" and not f.is_array and f.element in PRIMITIVES:
                fixed += PRIMITIVES[f.element][1]
            else:
                sizes.append(f.size() if condition == "true" else f"if {condition} {{ {f.size()} }}")
        if fixed:
            sizes.insert(0, f"size.bytes += {fixed};")
        count = []
        for f in tagged:
            condition = f.versions.condition(self.message.flexible.meet(within))
            test = f.not_default() if condition == "true" else f"{condition} && {f.not_default()}"
            count.append((f, test))
        if flexible != "false":
            inner = "let mut tags = 0u32;" if tagged else "size.bytes += 1;"
            for f, test in count:
                inner += f"if {test} {{ tags += 1; size.tagged({f.tag}, |size| {{ {f.size()} }}); }}"
            if tagged:
                inner += "size.bytes += unsigned_varint_len(tags);"
            sizes.append(inner if flexible == "true" else f"if flexible {{ {inner} }}")

        # write
        writes = []
        for f in self.fields:
            condition = f.versions.condition(within)
            refuse = ""
            if not f.ignorable and condition != "true":
                refuse = (f"if {f.not_default()} {{ return Err(EncodeError::UnsupportedField {{ "
                          f'field: "{f.path()}", version }}); }}')
            if f.tagged:
                if refuse:
                    writes.append(refuse.replace("if ", f"if {negated(condition)} && ", 1))
            elif condition == "true":
                writes.append(f.write())
            elif condition == "false":
                writes.append(refuse)
            else:
                writes.append(f"if {condition} {{ {f.write()} }}" + (f" else {refuse}" if refuse else ""))
        if flexible != "false":
            if tagged:
                inner = "let mut tags = 0u32;" + "".join(f"if {test} {{ tags += 1; }}" for _, test in count)
                inner += "writer.unsigned_varint(tags);"
                for f, test in count:
                    inner += (f"if {test} {{ writer.tag({f.tag}, Size::of(|size| {{ {f.size()} }}));"
                              f" {f.write()} }}")
            else:
                inner = "writer.unsigned_varint(0);"
            writes.append(inner if flexible == "true" else f"if flexible {{ {inner} }}")

        sizes, writes = "".join(sizes), "".join(writes)

        def names(code, first):
            """Parameters that the code does not use are written as `_`."""
            version = "version" if re.search(r"(?<![.\w])version\b(?!:)", code) else "_"
            flexible = "flexible" if re.search(r"\bflexible\b", code) else "_"
            first = first if re.search(rf"\b{first}\b", code) else "_"
            return first, f"{version}: i16, {flexible}: bool"

        out.append(f"impl<'a> Element<'a> for {self.rust_name}{lifetime} {{")
        out.append(f"const MIN_LEN: usize = {self.min_len()};\n")
        first, rest = names(read, "reader")
        out.append(f"fn read({first}: &mut Reader<'a>, {rest}) -> Result<Self, DecodeError> {{ {read} }}\n")
        first, rest = names(sizes, "size")
        out.append(f"fn size(&self, {first}: &mut Size, {rest}) {{ {sizes} }}\n")
        first, rest = names(writes, "writer")
        out.append(f"fn write(&self, {first}: &mut Writer, {rest}) -> Result<(), EncodeError> {{ {writes} Ok(()) }}\n}}\n")
        return "\n".join(out)


    def random(self):
        fields = ""
        for f in self.fields:
            condition = f.versions.condition(self.versions)
            value = f.random()
            if condition != "true":
                value = f"if {condition} {{ {value} }} else {{ {f.default_value()} }}"
            fields += f"{f.rust_name}: {value},"
        rng, version = ("rng", "version") if "version" in fields else ("_", "_")
        lifetime = "<'static>" if self.borrows() else ""
        return (f"impl Random for {self.rust_name}{lifetime} {{ fn random({rng}: &mut Rng, {version}: i16) -> Self "
                f"{{ Self {{ {fields} }} }} }}\n")


class Message:
    def __init__(self, schema, taken=()):
        self.schema, self.name = schema, schema["name"]
        self.rust_name = self.name
        self.kind = schema["type"]
        self.valid = Versions.parse(schema["validVersions"])
        self.flexible = Versions.parse(schema["flexibleVersions"]).meet(Versions(0, NEVER))
        self.structs, self.order = {}, []
        top = self.declare(self.name, self.valid, taken, True)
        for common in schema.get("commonStructs", []):
            self.declare(common["name"], Versions.parse(common["versions"]), taken, False)
        for common in schema.get("commonStructs", []):
            self.fill(self.structs[common["name"]], common["fields"], taken)
        self.fill(top, schema["fields"], taken)

    def declare(self, name, versions, taken, is_top):
        rust_name = name if is_top or name not in taken else "Response" + name
        rust_name = rust_name[0].upper() + rust_name[1:]
        struct = Struct(name, rust_name, versions, self, is_top)
        assert name not in self.structs, name
        self.structs[name] = struct
        self.order.append(struct)
        return struct

    def fill(self, struct, specs, taken):
        for spec in specs:
            name = spec["type"].removeprefix("[]")
            inner = None
            if "fields" in spec:
                inner = self.declare(name, Versions.parse(spec["versions"]).meet(struct.versions), taken, False)
            if not Versions.parse(spec["versions"]).meet(struct.versions):
                continue  # in no version that is left
            struct.fields.append(Field(spec, struct))
            if inner:
                self.fill(inner, spec["fields"], taken)

    def is_flexible(self, version):
        return version in self.flexible

    def java_class(self):
        package = {"metadata": "org.apache.kafka.common.metadata.",
                   "coordinator-key": "org.apache.kafka.coordinator.group.generated.",
                   "coordinator-value": "org.apache.kafka.coordinator.group.generated."}
        suffix = "Data" if self.kind in ("request", "response", "header") else ""
        return package.get(self.kind, "org.apache.kafka.common.message.") + self.name + suffix

    def doc(self):
        kinds = {
            "request": "Request of API key {} ({})",
            "response": "Response of API key {} ({})",
            "metadata": "Record of type {} of the metadata log",
            "coordinator-key": "Key of type {} in a coordinator's log",
            "coordinator-value": "Value of type {} in a coordinator's log",
            "header": "Header",
            "data": "Data without a number of its own",
        }
        short = re.sub(r"(Request|Response)$", "", self.name)
        text = kinds[self.kind].format(self.schema.get("apiKey"), short)
        plural = "" if self.valid.low == self.valid.high else "s"
        text += f", version{plural} {self.valid.text()}"
        flexible = self.flexible.meet(self.valid)
        return text + (f", flexible from {flexible.low}." if flexible else ", never flexible.")

    def rust(self):
        structs = [s for s in self.order if s.is_top or s.fields]
        out = [s.rust() for s in structs]
        top = structs[0]
        lifetime = "<'a>" if top.borrows() else ""
        flexible = str(self.flexible.low) if self.flexible else "i16::MAX"
        out.append(
            f"impl<'a> Message<'a> for {self.rust_name}{lifetime} {{"
            f'const NAME: &\'static str = "{self.name}";\n'
            f"const MIN_VERSION: i16 = {self.valid.low};\nconst MAX_VERSION: i16 = {self.valid.high};\n"
            f"const FLEXIBLE_FROM: i16 = {flexible};\n}}\n")
        key = self.schema.get("apiKey")
        if self.kind == "request":
            response = self.name.removesuffix("Request") + "Response"
            out.append(
                f"impl<'a> Request<'a> for {self.rust_name}{lifetime} {{"
                f"const API_KEY: ApiKey = ApiKey({key});\ntype Response<'r> = {response}@{response}@;\n}}\n")
        elif self.kind == "response":
            out.append(f"impl<'a> Response<'a> for {self.rust_name}{lifetime} {{ const API_KEY: ApiKey = ApiKey({key}); }}\n")
        elif self.kind == "metadata":
            out.append(f"impl<'a> MetadataMessage<'a> for {self.rust_name}{lifetime} {{ const RECORD_TYPE: i16 = {key}; }}\n")
        elif self.kind == "coordinator-key":
            out.append(f"impl<'a> CoordinatorKey<'a> for {self.rust_name}{lifetime} {{ const RECORD_TYPE: i16 = {key}; }}\n")
        return "\n".join(out)


def module(title, messages):
    code = "\n".join(message.rust() for message in messages)
    for message in messages:
        lifetime = "<'r>" if message.structs[message.name].borrows() else ""
        code = code.replace(f"{message.name}@{message.name}@", message.rust_name + lifetime)
    wire = [name for name in (
        "CoordinatorKey", "DecodeError", "Element", "EncodeError", "Message", "MetadataMessage", "Reader", "Records",
        "Request", "Response", "Size", "Uuid", "Writer", "unsigned_varint_len") if re.search(rf"\b{name}\b", code)]
    uses = f"use crate::protocol::wire::{{{', '.join(wire)}}};\n"
    if "ApiKey" in code:
        uses = "use crate::protocol::api_key::ApiKey;\n" + uses
    return f"//! {title}\n{HEAD}{uses}\n{code}"


def metadata_record_module(messages):
    """The enum over all metadata records."""
    variants = [(m.name.removesuffix("Record"), m, "<'a>" if m.structs[m.name].borrows() else "") for m in messages]
    names = ", ".join(m.name for m in messages)
    out = ["//! All metadata records as one type.", HEAD.rstrip("\n"), ""]
    out.append("use bytes::BytesMut;\n")
    out.append("use crate::protocol::stored_record::encode_metadata_record;")
    out.append("use crate::protocol::wire::{DecodeError, EncodeError, Message, MetadataMessage, Reader};\n")
    out.append(f"use super::{{{names}}};\n")
    out.append("/// A record of the metadata log, of a type known here.\n#[derive(Clone, Debug, PartialEq)]")
    out.append("pub enum MetadataRecord<'a> {")
    out += [f"/// [`{m.name}`]\n{v}({m.name}{life})," for v, m, life in variants]
    out.append("}\n\nimpl<'a> MetadataRecord<'a> {")
    out.append("/// The number that names the type.\npub fn record_type(&self) -> i16 { match self {")
    out += [f"Self::{v}(_) => {m.name}::RECORD_TYPE," for v, m, _ in variants]
    out.append("} }\n")
    out.append("/// The newest version of the type.\npub fn max_version(&self) -> i16 { match self {")
    out += [f"Self::{v}(_) => {m.name}::MAX_VERSION," for v, m, _ in variants]
    out.append("} }\n")
    out.append("/// The record as the value of a log record, frame included.\n///\n/// # Errors\n"
               "/// [`EncodeError`] if the version cannot carry it.\n"
               "pub fn encode(&self, version: i16) -> Result<BytesMut, EncodeError> { match self {")
    out += [f"Self::{v}(record) => encode_metadata_record(record, version)," for v, m, _ in variants]
    out.append("} }\n")
    out.append("/// Reads the message behind a frame that named its type and version.\n"
               "pub(crate) fn read(reader: &mut Reader<'a>, record_type: i16, version: i16) "
               "-> Result<Self, DecodeError> { match record_type {")
    out += [f"{m.name}::RECORD_TYPE => {m.name}::decode(reader, version).map(Self::{v})," for v, m, _ in variants]
    out.append("other => Err(DecodeError::UnexpectedRecordType(i64::from(other))), } }\n}\n")
    for v, m, life in variants:
        life = life or ""
        out.append(f"impl<'a> From<{m.name}{life}> for MetadataRecord<'a> {{ "
                   f"fn from(record: {m.name}{life}) -> Self {{ Self::{v}(record) }} }}\n"
                   if life else
                   f"impl From<{m.name}> for MetadataRecord<'_> {{ "
                   f"fn from(record: {m.name}) -> Self {{ Self::{v}(record) }} }}\n")
    return "\n".join(out)


def api_table_module(schemas):
    """Names and versions of every API key."""
    rows, constants = [], []
    requests = sorted((s for s in schemas.values() if s["type"] == "request"), key=lambda s: s["apiKey"])
    assert [s["apiKey"] for s in requests] == list(range(len(requests)))
    for schema in requests:
        name = schema["name"].removesuffix("Request")
        valid = Versions.parse(schema["validVersions"])
        flexible = Versions.parse(schema.get("flexibleVersions", "none"))
        listeners = schema.get("listeners", [])
        constant = snake(name).upper()
        constants.append(f"/// {name}.\npub const {constant}: Self = Self({schema['apiKey']});")
        rows.append(
            f'row(ApiKey::{constant}, "{name}", ({valid.low}, {valid.high}), '
            f"{flexible.low if flexible else 'NEVER'}, {str('broker' in listeners).lower()}, "
            f"{str('controller' in listeners).lower()}, {str(bool(schema.get('latestVersionUnstable'))).lower()}),")
    line = chr(10)
    return (f"""//! Every API key with its versions.
{HEAD}use crate::protocol::api_key::{{ApiInfo, ApiKey}};

const NEVER: i16 = i16::MAX;

impl ApiKey {{ {line.join(constants)} }}

const fn row(
    key: ApiKey,
    name: &'static str,
    (min_version, max_version): (i16, i16),
    flexible_from: i16,
    broker: bool,
    controller: bool,
    latest_unstable: bool,
) -> ApiInfo {{
    ApiInfo {{ key, name, min_version, max_version, flexible_from, broker, controller, latest_unstable }}
}}

/// Every API key, by its number.
pub static API_TABLE: [ApiInfo; {len(rows)}] = [ {line.join(rows)} ];
""")


def random_modules(modules):
    """Random instances of every struct, and a list of all messages, for the tests: file name -> text."""
    files, listed = {}, []
    for name, messages in modules:
        body = "".join(s.random() for m in messages for s in m.structs.values() if s.is_top or s.fields)
        types = [t for t in ("Uuid", "Records") if re.search(rf"\b{t}\b", body)]
        uses = f"use millrace::protocol::wire::{{{', '.join(types)}}};\n" if types else ""
        files[f"{name}.rs"] = (f"//! Random instances of what is in `messages::{name}`.\n{HEAD}"
                               f"use millrace::protocol::messages::{name}::*;\n{uses}\n"
                               f"use crate::random::{{Random, Rng}};\n\n{body}")
        for m in messages:
            lifetime = "<'static>" if m.structs[m.name].borrows() else ""
            listed.append(f'{m.rust_name}{lifetime}, "{m.java_class()}";')
    line = "\n"
    files["mod.rs"] = (f"""//! Random instances of every generated struct.
{HEAD}{line.join(f"mod {name};" for name, _ in sorted(modules, key=lambda module: module[0]))}

/// Calls a macro with every message and the class that Kafka has for it.
macro_rules! for_each_message {{
    ($callback:ident) => {{ $callback! {{
{line.join(listed)}
    }} }};
}}
pub(crate) use for_each_message;
""")
    return files


def generate(schemas, directory):
    modules, exports, metadata, written = [], [], [], []

    def put(name, title, messages):
        (directory / f"{name}.rs").write_text(module(title, messages))
        modules.append(name)
        exports.append((name, [m.rust_name for m in messages]))
        written.append((name, messages))

    for api in APIS:
        request = Message(schemas[api + "Request"])
        response = Message(schemas[api + "Response"], set(request.structs))
        put(snake(api), f"{api}: request and response.", [request, response])
    for name in METADATA_RECORDS:
        metadata.append(Message(schemas[name]))
        put(snake(name), f"Metadata record {name}.", metadata[-1:])
    for name in OTHERS:
        put(snake(name), f"{name}.", [Message(schemas[name])])
    for name, pair in COORDINATOR_RECORDS.items():
        put(name, f"{pair[0]} and {pair[1]}.", [Message(schemas[pair[0]]), Message(schemas[pair[1]])])
    (directory / "metadata_record.rs").write_text(metadata_record_module(metadata))
    (directory / "api_table.rs").write_text(api_table_module(schemas))
    modules += ["metadata_record", "api_table"]
    exports += [("metadata_record", ["MetadataRecord"]), ("api_table", ["API_TABLE"])]
    text = ("//! Messages and stored records, generated from Kafka's schemas.\n//!\n"
            "//! One module for each request with its response, or for each record. What is re-exported here is the\n"
            "//! messages themselves; the structs inside them stay in their modules.\n" + HEAD)
    text += "\n".join(f"pub mod {name};" for name in sorted(modules)) + "\n\n"
    text += "\n".join(f"pub use {name}::{{{', '.join(names)}}};" for name, names in sorted(exports)) + "\n"
    (directory / "mod.rs").write_text(text)
    (directory / RANDOM.name).mkdir()
    for name, text in random_modules(written).items():
        (directory / RANDOM.name / name).write_text(text)
    # rustfmt follows the modules of mod.rs.
    subprocess.run(["rustfmt", "--edition", "2024", "--config-path", str(ROOT / "rustfmt.toml"),
                    str(directory / "mod.rs"), str(directory / RANDOM.name / "mod.rs")], check=True)


def main():
    schemas = read_schemas()
    with tempfile.TemporaryDirectory() as temporary:
        fresh = Path(temporary)
        generate(schemas, fresh)
        new = {MESSAGES / path.name: path.read_bytes() for path in fresh.glob("*.rs")}
        new |= {RANDOM / path.name: path.read_bytes() for path in (fresh / RANDOM.name).glob("*.rs")}
    old = {path: path.read_bytes() for path in [*MESSAGES.glob("*.rs"), *RANDOM.glob("*.rs")]}
    if "--check" in sys.argv[1:]:
        wrong = sorted(str(path.relative_to(ROOT)) for path in new.keys() | old.keys() if new.get(path) != old.get(path))
        if wrong:
            sys.exit("not what the schemas give: " + " ".join(wrong))
        print(f"{len(new)} files are what the schemas give")
        return
    MESSAGES.mkdir(exist_ok=True)
    RANDOM.mkdir(parents=True, exist_ok=True)
    for path in old.keys() - new.keys():
        path.unlink()
    for path, content in new.items():
        if old.get(path) != content:
            path.write_bytes(content)
    print(f"{len(new)} files")


if __name__ == "__main__":
    main()
