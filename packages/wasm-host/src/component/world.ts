import { WasmComponentError } from "../errors.js";
import type { ComponentNames } from "./structure.js";

/** World that a component is built for. */
export interface ComponentWorld {
  readonly kind: "tool" | "channel";
  /** Version of the package `near:agent`; undefined without one. */
  readonly version: string | undefined;
  /** `typed` components report failures with a kind and a code. */
  readonly errors: "text" | "typed";
}

/** Versions that are accepted, of each kind; undefined stands for a package without a version (WASM-002). */
const SUPPORTED = {
  tool: { words: "unversioned, 0.3.x and 0.4.x", versions: [undefined, "0.3", "0.4"] },
  channel: { words: "unversioned and 0.3.x", versions: [undefined, "0.3"] },
} as const;

const HOSTS = new Set(["host", "channel-host"]);
const WASI = new Set([
  ...["cli/environment", "cli/exit", "cli/stdin", "cli/stdout", "cli/stderr"],
  ...["cli/terminal-input", "cli/terminal-output"],
  ...["cli/terminal-stdin", "cli/terminal-stdout", "cli/terminal-stderr"],
  ...["clocks/monotonic-clock", "clocks/wall-clock"],
  ...["filesystem/preopens", "filesystem/types"],
  ...["io/error", "io/poll", "io/streams"],
  ...["random/random", "random/insecure", "random/insecure-seed"],
  ...["sockets/instance-network", "sockets/ip-name-lookup", "sockets/network"],
  ...["sockets/tcp", "sockets/tcp-create-socket", "sockets/udp", "sockets/udp-create-socket"],
]);
const INTERFACE = /^(?<package>[a-z0-9:-]+)\/(?<name>[a-z0-9-]+)(?:@(?<version>[0-9A-Za-z.+-]+))?$/;

/**
 * Returns the world of a component.
 * @param component - name for errors
 * @throws WasmComponentError for another world, another version, or an import that the host does not offer (WASM-003)
 */
export function componentWorld(component: string, names: ComponentNames): ComponentWorld {
  const world = exportedWorld(component, names.exports);
  for (const name of names.imports) checkImport(component, name, world);
  return world;
}

function exportedWorld(component: string, exports: readonly string[]): ComponentWorld {
  for (const exported of exports) {
    const { package: owner, name, version } = partsOf(exported);
    if (owner !== "near:agent" || (name !== "tool" && name !== "channel")) continue;
    const { words, versions } = SUPPORTED[name];
    const minor = version?.split(".").slice(0, 2).join(".");
    if (!versions.some((accepted) => accepted === minor)) {
      throw new WasmComponentError(
        `component "${component}" is built for near:agent/${name}@${version}, but this host supports ${words}`,
        `build it against the WIT files of this host, or update the host`,
      );
    }
    const errors = name === "tool" && minor === "0.4" ? "typed" : "text";
    return { kind: name, version, errors };
  }
  const found = exports.length === 0 ? "nothing" : exports.slice(0, 5).join(", ");
  throw new WasmComponentError(
    `component "${component}" exports ${found}, but must export near:agent/tool or near:agent/channel`,
    "build it for the world sandboxed-tool or sandboxed-channel",
  );
}

function checkImport(component: string, imported: string, world: ComponentWorld): void {
  const { package: owner, name, version } = partsOf(imported);
  if (owner === "near:agent" && HOSTS.has(name)) {
    if (version === world.version) return;
    throw new WasmComponentError(
      `component "${component}" imports ${imported}, but exports near:agent/${world.kind} of version ${world.version ?? "none"}`,
      "build all of it against one version of the WIT files",
    );
  }
  if (owner.startsWith("wasi:") && WASI.has(`${owner.slice("wasi:".length)}/${name}`)) {
    if (version?.startsWith("0.2.")) return;
    throw new WasmComponentError(
      `component "${component}" imports ${imported}, but this host supports WASI 0.2`,
      "build it with a tool chain for wasm32-wasip2",
    );
  }
  throw new WasmComponentError(
    `component "${component}" imports ${imported}, which this host does not offer`,
    "build it without what needs that interface",
  );
}

function partsOf(text: string): { package: string; name: string; version: string | undefined } {
  const groups = INTERFACE.exec(text)?.groups;
  return { package: groups?.package ?? "", name: groups?.name ?? text, version: groups?.version };
}
