import { dirname, sep } from "node:path";
import type { LobsterConfig } from "../config.js";
import type { Engine } from "../engine/engine.js";
import type { RunFolder } from "./folder.js";

/** Name that the engine starts as its shell. */
const HOST_SHELL = "openclaw-host-shell";
const HEAP_MEGABYTES = 256;

/** Identities of people who take part in a run, as their channels authenticated them. */
export interface RunPeople {
  readonly initiatedBy: string;
  readonly approvedBy?: string | undefined;
}

/**
 * Returns the complete environment of a child process: no variable of the gateway but those that every program needs, and
 * those that the operator named (LOB-011).
 * @param folder - private folder of the run
 * @param people - people of the run
 * @param config - configuration of the plugin
 */
export function childEnvironment(
  folder: RunFolder,
  { initiatedBy, approvedBy }: RunPeople,
  { env = [], pricing }: LobsterConfig,
  gateway: NodeJS.ProcessEnv,
): Record<string, string> {
  const named = Object.fromEntries(
    ["PATH", "LANG", "TZ", ...env].flatMap((name) => {
      const value = gateway[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    ...named,
    HOME: folder.path,
    LOBSTER_STATE_DIR: folder.stateDir,
    LOBSTER_CACHE_DIR: `${folder.path}${sep}cache`,
    LOBSTER_SHELL: HOST_SHELL,
    LOBSTER_LLM_PROVIDER: "openclaw",
    LOBSTER_APPROVAL_INITIATED_BY: initiatedBy,
    ...(approvedBy === undefined ? {} : { LOBSTER_APPROVAL_APPROVED_BY: approvedBy }),
    ...(pricing === undefined ? {} : { LOBSTER_LLM_PRICING_JSON: JSON.stringify(pricing) }),
  };
}

/**
 * Returns the flags of Node for a child process: it can read its code and its folder, write its folder, and start no
 * program.
 * @param file - file of the child process
 * @param engine - installed engine
 * @param folder - private folder of the run
 */
export function childFlags(file: string, engine: Engine, folder: RunFolder): string[] {
  const readable = [dirname(dirname(file)), modulesOf(engine.folder), folder.path];
  return [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${folder.path}`,
    `--max-old-space-size=${HEAP_MEGABYTES}`,
    "--no-warnings",
  ];
}

/** The outermost folder of modules has the dependencies of the engine, also when the installer links them. */
function modulesOf(folder: string): string {
  const parts = folder.split(sep);
  const place = parts.indexOf("node_modules");
  return place === -1 ? dirname(folder) : parts.slice(0, place + 1).join(sep);
}
