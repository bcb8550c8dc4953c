import { resolve } from "node:path";
import type { Logger, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { PluginIsolationError } from "../errors.js";
import {
  type BufferedResponse,
  bufferedRequest,
  type ChildStart,
  type RegistrationCall,
  restoredResponse,
} from "../message.js";
import { REGISTERING_MEMBERS, USED_MEMBERS } from "../shapes.js";
import type { HostPort } from "./host-port.js";
import { crossingValues, type OwnFunction } from "./registration-values.js";

/** The `api` of an isolated plugin, and what it registers. */
export interface IsolatedApi {
  readonly api: OpenClawPluginApi;
  readonly calls: readonly RegistrationCall[];
  readonly functions: readonly OwnFunction[];
  readonly logger: Logger;
  /** Ends the time of registrations. */
  settle(): void;
}

/** Read by the language itself, by inspection and by promises. */
const NOT_MEMBERS = new Set<PropertyKey>(["then", "toJSON", "constructor", "prototype"]);

/**
 * Creates the `api` of an isolated plugin: registrations are kept for the host, and every other member that works is used
 * through it. What cannot cross is rejected with its name (PLUG-052).
 * @param start - facts about the plugin
 * @param port - connection to the host
 */
export function createIsolatedApi(
  start: ChildStart,
  pluginConfig: Readonly<Record<string, unknown>>,
  port: Pick<HostPort, "use" | "tell">,
): IsolatedApi {
  const { id, rootDir, isolation } = start;
  const calls: RegistrationCall[] = [];
  const functions: OwnFunction[] = [];
  let isSettled = false;
  const refuse = (member: string, problem: string) => {
    throw new PluginIsolationError(id, member, problem);
  };
  const registering =
    (member: string) =>
    (...values: unknown[]) => {
      if (isSettled) refuse(member, "it can register only while its register runs");
      refuseSyncHooks(member, values[0]);
      calls.push({ member, values: crossingValues(id, member, values, functions) });
      return () => refuse(member, "a registration cannot be removed");
    };
  const refuseSyncHooks = (member: string, names: unknown) => {
    if (member !== "on" && member !== "registerHook") return;
    for (const name of Array.isArray(names) ? names : [names]) {
      if (!start.syncHooks.includes(String(name))) continue;
      refuse(member, `handlers of "${name}" must return at once, which no other thread can`);
    }
  };
  const using =
    (member: string) =>
    (...values: unknown[]) =>
      port.use(member, ...values);
  const log = (level: keyof Logger) => (message: string, fields?: Record<string, unknown>) =>
    port.tell(`logger.${level}`, String(message), fields);
  const logger: Logger = {
    ...{ debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
  };
  const fetchThroughHost = async (input: string | URL | Request, init?: RequestInit) => {
    const sent = await bufferedRequest(new Request(input, init));
    return restoredResponse((await port.use("runtime.fetch", sent)) as BufferedResponse);
  };
  const ending = new AbortController();
  const members: Record<string, unknown> = {
    ...{ id, name: start.name, version: start.version, description: start.description },
    ...{ origin: start.origin, source: start.source, rootDir },
    ...{ config: start.config, pluginConfig, registrationMode: "full", logger },
    diagnose: using("diagnose"),
    resolvePath: (path: string) => resolve(rootDir, path),
    "lifecycle.signal": ending.signal,
    // The thread or process ends with everything in it.
    "lifecycle.onDispose": () => undefined,
    "runtime.version": start.hostVersion,
    "runtime.fetch": fetchThroughHost,
  };
  for (const member of REGISTERING_MEMBERS) members[member] = registering(member);
  for (const member of USED_MEMBERS) members[member] ??= using(member);
  if (start.proposals.includes("isolation-tier")) members.isolation = isolation;
  // Every member exists or refuses, so the object has the members of the type.
  const api = memberObject("", members, refuse) as OpenClawPluginApi;
  return {
    ...{ api, calls, functions, logger },
    settle() {
      isSettled = true;
    },
  };
}

/** Returns an object with the members below a path; any other one throws when it is called. */
function memberObject(
  path: string,
  members: Readonly<Record<string, unknown>>,
  refuse: (member: string, problem: string) => void,
): object {
  const groups = new Map<string, object>();
  return new Proxy(() => undefined, {
    get(_target, key) {
      if (typeof key !== "string" || NOT_MEMBERS.has(key)) return undefined;
      const member = path + key;
      if (Object.hasOwn(members, member)) return members[member];
      const group = groups.get(key) ?? memberObject(`${member}.`, members, refuse);
      groups.set(key, group);
      return group;
    },
    has: (_target, key) => typeof key === "string" && Object.hasOwn(members, path + key),
    apply: () => refuse(path.slice(0, -1), "an isolated plugin does not have it"),
  });
}
