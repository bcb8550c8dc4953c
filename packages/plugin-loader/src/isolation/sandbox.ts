import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { type DeclaredPermissions, isInside } from "@openclaw/plugin-discovery";
import { NODE_OPTIONS, type ProcessStart } from "./link.js";

/** Paths of the sandbox program; PATH is not searched. */
const BUBBLEWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];
const PROBE_MS = 10_000;

/** Libraries and data that Node.js reads. */
const SYSTEM = [
  ...["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"],
  ...["/etc/ssl", "/etc/ca-certificates", "/usr/share/ca-certificates", "/etc/localtime"],
];
/** Needed by names of hosts, where the network is open. */
const NAMES = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"];

/** Permissions that a sandbox enforces for all code of a plugin. */
export const SANDBOXED_PERMISSIONS: readonly string[] = ["network.hosts", "fs.read", "fs.write"];

/** Sandbox of this machine, or the reason why there is none. */
export type SandboxFound = { readonly program: string } | { readonly problem: string };

let found: Promise<SandboxFound> | undefined;

/** Returns the sandbox of this machine, which is tried once with a real program. */
export function findSandbox(): Promise<SandboxFound> {
  found ??= probeSandbox(BUBBLEWRAP);
  return found;
}

/**
 * Tries a sandbox with a real program.
 * @param programs - paths at which bubblewrap may be
 */
export async function probeSandbox(programs: readonly string[]): Promise<SandboxFound> {
  if (process.platform !== "linux") return { problem: "a sandbox needs Linux" };
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) return { problem: "bubblewrap is not installed" };
  const words = [...base(), ...bound("--ro-bind", process.execPath), process.execPath, "--version"];
  try {
    await promisify(execFile)(program, words, { timeout: PROBE_MS, env: {} });
    return { program };
  } catch (error) {
    const said = error instanceof Error ? (error.message.split("\n").at(-2) ?? error.message) : "";
    return { problem: `bubblewrap does not work here: ${said.trim()}` };
  }
}

/** Folders and permissions of a plugin that runs in a sandbox. */
export interface Sandboxed {
  /** Program of the other side. */
  readonly file: string;
  /** Folder of the plugin. */
  readonly rootDir: string;
  readonly declared: DeclaredPermissions;
}

/**
 * Returns how the process of a plugin starts in a sandbox: it sees its own folder, the libraries of Node.js and the paths
 * that its manifest declares, and has no network unless the manifest declares all hosts. Requests to single hosts go
 * through `api.runtime.fetch`, which the host limits.
 * @param program - bubblewrap
 * @param plugin - folders and permissions
 */
export function sandboxedStart(program: string, plugin: Sandboxed): ProcessStart {
  const { file, rootDir, declared } = plugin;
  const isOpen = declared["network.hosts"]?.includes("*") === true;
  const paths = (kind: "fs.read" | "fs.write", option: string) =>
    (declared[kind] ?? []).flatMap((path) => {
      const folder = folderOf(path, rootDir);
      return folder === undefined ? [] : bound(option, folder);
    });
  const words = [
    ...base(),
    ...(isOpen ? ["--share-net", ...NAMES.flatMap((path) => bound("--ro-bind-try", path))] : []),
    ...bound("--ro-bind", realpathSync(process.execPath)),
    ...bound("--ro-bind", installationOf(file)),
    ...bound("--ro-bind", rootDir),
    ...paths("fs.read", "--ro-bind-try"),
    ...paths("fs.write", "--bind-try"),
    ...["--chdir", rootDir],
    ...[realpathSync(process.execPath), ...NODE_OPTIONS, file],
  ];
  return { program, arguments: words, environment: environment() };
}

/**
 * Returns how the process of a plugin starts where no sandbox works.
 * @param file - program of the other side
 */
export function plainStart(file: string): ProcessStart {
  return {
    program: process.execPath,
    arguments: [...NODE_OPTIONS, file],
    environment: environment(),
  };
}

/** Variables without secrets: a plugin reads its configuration, not the environment of the host. */
function environment(): Record<string, string> {
  const kept = ["PATH", "LANG", "LC_ALL", "TZ"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

function base(): string[] {
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...SYSTEM.flatMap((path) => bound("--ro-bind-try", path)),
  ];
}

function bound(option: string, path: string): string[] {
  return [option, path, path];
}

/**
 * Returns the path of a declaration; undefined for a pattern, which no sandbox can grant, and for a link of the plugin to a
 * place that its manifest does not name.
 */
function folderOf(declared: string, rootDir: string): string | undefined {
  const path = declared === "*" ? "/" : declared.replace(/\/\*\*?$/, "");
  if (path.includes("*")) return undefined;
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  if (isAbsolute(path)) return path;
  const place = resolve(rootDir, path);
  if (!isInside(place, rootDir) || !existsSync(place)) return place;
  return isInside(realpathSync(place), realpathSync(rootDir)) ? place : undefined;
}

/** Returns the folder that has the host's packages: the topmost `node_modules`, or the checkout. */
function installationOf(file: string): string {
  const marker = `${sep}node_modules${sep}`;
  const at = file.indexOf(marker);
  if (at >= 0) return file.slice(0, at + marker.length - 1);
  let folder = dirname(file);
  while (!existsSync(join(folder, "pnpm-workspace.yaml")) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return dirname(folder) === folder ? dirname(file) : folder;
}
