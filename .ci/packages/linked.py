"""What is inside a packaged command: Swift packages, vendored sources, Swift's own libraries, C libraries."""

import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build-packages"
SCRATCH = WORK / "swift"
BIN = WORK / "bin"
COMMANDS = ["claims", "claims-gate", "acs", "claims-client", "claims-attack"]
CHECKOUTS = SCRATCH / "checkouts"


def output(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT, **options).stdout


def version():
    """The release number, from the source of the command."""
    text = (ROOT / "Sources/Commands/CommandSupport/ReleaseNumber.swift").read_text()
    return re.search(r'static let text = "([^"]+)"', text)[1]


def epoch():
    """The time that everything made here has: that of the commit."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct"))


def packages():
    """Every fetched package by the folder of its checkout, as `swift package show-dependencies` has it."""
    found = {}

    def walk(one):
        for dependency in one["dependencies"]:
            found.setdefault(pathlib.Path(dependency["path"]).name, dependency)
            walk(dependency)

    walk(json.loads(output(
        "swift", "package", "--scratch-path", SCRATCH, "--enable-all-traits", "show-dependencies",
        "--format", "json")))
    return dict(sorted(found.items(), key=lambda one: one[0].lower()))


def modules(command):
    """The modules whose objects were given to the linker."""
    files = (SCRATCH / "release" / f"{command}.product/Objects.LinkFileList").read_text()
    return sorted(set(re.findall(r"/([^/\s]+)\.build/", files)))


def checkout_of(module):
    """The package that a module belongs to; None for one of our own."""
    if (ROOT / "Sources" / module).is_dir():
        return None
    for pattern in (f"*/Sources/{module}", f"*/{module}", f"*/Sources/*/{module}"):
        for folder in sorted(CHECKOUTS.glob(pattern)):
            if folder.is_dir():
                return folder.relative_to(CHECKOUTS).parts[0]
    # Some names stand in a manifest alone, whose target has another path.
    for manifest in sorted(CHECKOUTS.glob("*/Package*.swift")):
        if re.search(rf'name: "{re.escape(module)}"', manifest.read_text()):
            return manifest.relative_to(CHECKOUTS).parts[0]
    raise SystemExit(f"linked: {module} is in no checkout")


def linked_packages(command):
    """The packages that a command has something of, by the folder of the checkout."""
    return sorted({one for one in map(checkout_of, modules(command)) if one}, key=str.lower)


def vendored(command):
    """Sources of other projects inside those packages: name, version, licence and where they are."""
    inside = set(modules(command))
    found = []
    for module in ("CNIOBoringSSL", "CCryptoBoringSSL"):
        if module in inside:
            source = CHECKOUTS / checkout_of(module) / "Sources" / module
            revision = re.search(r"revision ([0-9a-f]{40})", (source / "hash.txt").read_text())[1]
            found.append({
                "name": "boringssl", "version": revision, "licence": "Apache-2.0", "in": checkout_of(module),
                "url": "https://boringssl.googlesource.com/boringssl"})
    if "CNIOLLHTTP" in inside:
        text = (CHECKOUTS / "swift-nio/Sources/CNIOLLHTTP/include/c_nio_llhttp.h").read_text()
        number = ".".join(re.search(rf"LLHTTP_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))
        found.append({
            "name": "llhttp", "version": number, "licence": "MIT", "in": "swift-nio",
            "url": "https://github.com/nodejs/llhttp",
            "notice": (CHECKOUTS / "swift-nio/Sources/CNIOLLHTTP/LICENSE").read_text()})
    if "CNIOExtrasZlib" in inside:
        text = (CHECKOUTS / "swift-nio-extras/Sources/CNIOExtrasZlib/include/nioextras-zlib.h").read_text()
        found.append({
            "name": "zlib", "version": re.search(r'ZLIB_VERSION "([^"]+)"', text)[1], "licence": "Zlib",
            "in": "swift-nio-extras", "url": "https://zlib.net", "notice": re.search(r"  Copyright.*?(?=\n\n\n)", text, re.S)[0]})
    return found


def swift_version():
    return re.search(r"Swift version (\S+)", output("swift", "--version", stdin=subprocess.DEVNULL))[1]


def swift_libraries(command):
    """Swift's own libraries inside: the runtime always, ICU where the whole of Foundation is."""
    found = [{"name": "swift", "version": swift_version(), "licence": "Apache-2.0 WITH Swift-exception",
              "url": "https://github.com/swiftlang/swift"}]
    octets = (BIN / command).read_bytes()
    table = re.search(rb"icudt(\d+)l", octets)
    if table:
        found.append({"name": "icu", "version": table[1].decode(), "licence": "Unicode-3.0",
                      "url": "https://github.com/unicode-org/icu"})
    return found


def c_libraries(command):
    """Shared libraries that the command needs, with the Debian package and version that it was built with."""
    found = []
    for line in output("ldd", str(BIN / command)).splitlines():
        match = re.match(r"\s*(\S+) => (\S+)", line)
        if not match or match[1] not in needed(command):
            continue
        owner = owner_of(match[2])
        found.append({"name": owner, "version": output("dpkg-query", "-W", "-f=${Version}", owner).strip(),
                      "file": match[1]})
    return sorted(found, key=lambda one: (one["name"], one["file"]))


def owner_of(path):
    """The Debian package of a library; /lib is a link to /usr/lib, and packages name either."""
    for one in (path, "/usr" + path, os.path.realpath(path)):
        try:
            return output("dpkg-query", "-S", one).split(":")[0]
        except subprocess.CalledProcessError:
            continue
    raise SystemExit(f"linked: no package has {path}")


def needed(command):
    return re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", str(BIN / command)))
