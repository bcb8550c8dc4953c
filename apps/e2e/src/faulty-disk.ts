import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { CommandPlace, GatewayProcess } from "./openclaw-process.js";

/** Folder below the state folder in which a small disk is mounted. */
const FOLDER = "small";

/** Configuration under which a gateway keeps its rows on the small disk. */
export const ON_SMALL_DISK = {
  "openclaw.json": `{ store: { url: "file:${FOLDER}/openclaw.db" } }`,
};

/** Returns true when a test can mount a disk in a private namespace on this machine. */
export function canMount(): boolean {
  const script = "mount -t tmpfs tmpfs /mnt";
  return spawnSync("unshare", ["-Urm", "sh", "-c", script]).status === 0;
}

/**
 * Returns the same place with a separate disk of 16 MiB below the state folder.
 * @param place - with {@link ON_SMALL_DISK} in its state folder
 * @param prepare - a shell command that runs in the folder of the disk before the gateway does
 */
export function withSmallDisk(place: CommandPlace, prepare = "true"): CommandPlace {
  const folder = join(place.state, FOLDER);
  const script = `mkdir -p "$0" && mount -t tmpfs -o size=16m tmpfs "$0" && (cd "$0" && ${prepare}) && exec "$@"`;
  return { ...place, within: ["unshare", "-Urm", "sh", "-c", script, folder] };
}

/**
 * Runs a shell command on the small disk of a gateway.
 * @param gateway - the process
 * @param place - from {@link withSmallDisk}
 * @param command - may fail
 */
export function onSmallDisk(gateway: GatewayProcess, place: CommandPlace, command: string): void {
  const enter = ["--preserve-credentials", "-U", "-m", "-t", String(gateway.pid)];
  const script = `cd "$0" && ${command}`;
  spawnSync("nsenter", [...enter, "sh", "-c", script, join(place.state, FOLDER)]);
}

/**
 * Lets every write of a process behind an offset in a file fail, as a broken disk does.
 * @param gateway - the process
 * @param offset - in bytes, or `unlimited`
 */
export function failWritesBehind(gateway: GatewayProcess, offset: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(gateway.pid), `--fsize=${offset}:`]);
}
