import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import { HOOK_CATALOG } from "@openclaw/plugin-runtime";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import type { HookTrace } from "../host/test-host.js";
import { belongsTo } from "../host/tested-plugin.js";
import type { CheckOutcome, ConformanceFinding } from "./report.js";
import {
  type CheckedHost,
  type ConformanceSubject,
  fireSample,
  handledHooks,
  inHost,
  NEIGHBOUR_DEADLINE_MS,
} from "./subject.js";

const NO_HANDLERS = { skipped: "it registers no hook handler" };

const FAILURES: Readonly<Partial<Record<HookTrace["handlers"][number]["outcome"], string>>> = {
  threw: "threw",
  timeout: "did not settle before its deadline",
  malformed: "returned something that the hook does not accept",
  saturated: "never ended its earlier calls",
};

/** Checks that the plugin's handlers work next to plugins that throw, hang and change events. */
export async function checkNeighbours(subject: ConformanceSubject): Promise<CheckOutcome> {
  const hooks = (await inHost(subject, {}, handledHooks)).result;
  if (hooks.length === 0) return NO_HANDLERS;
  const neighbours = [throwing(hooks), changing(hooks), hanging(hooks)];
  return (await inHost(subject, { neighbours }, (host) => fireAll(host, hooks))).result;
}

/** Checks that the plugin's handlers return valid results for a sample event of each of their hooks. */
export async function checkResults(subject: ConformanceSubject): Promise<CheckOutcome> {
  const { result } = await inHost(subject, {}, async (host) => {
    const hooks = handledHooks(host);
    if (hooks.length === 0) return NO_HANDLERS;
    return [...(await fireAll(host, hooks)), ...told(host, ["unknown-result-field"])];
  });
  return result;
}

/** Checks that handlers of synchronous hooks return synchronously, without a promise. */
export async function checkSyncHooks(subject: ConformanceSubject): Promise<CheckOutcome> {
  const { result } = await inHost(subject, {}, async (host) => {
    const hooks = handledHooks(host).filter((hook) => HOOK_CATALOG[hook].kind === "sync");
    if (hooks.length === 0) return { skipped: "it handles no synchronous hook" };
    await fireAll(host, hooks);
    return told(host, ["sync-returned-promise", "slow-sync-handler"]);
  });
  return result;
}

async function fireAll(
  host: CheckedHost,
  hooks: readonly CataloguedHookName[],
): Promise<ConformanceFinding[]> {
  const findings: ConformanceFinding[] = [];
  for (const hook of hooks) {
    for (const { outcome, priority } of (await fireSample(host, hook)).handlers) {
      const failure = FAILURES[outcome];
      if (failure === undefined) continue;
      const reason = lastReason(host, hook);
      findings.push({
        level: "error",
        message: `the handler of "${hook}" (priority ${priority}) ${failure}${reason}`,
        hint: "see the hook reference for its event and the results it accepts",
      });
    }
  }
  return findings;
}

/** Returns the host's log of the failure, with its cause. */
function lastReason({ parts }: CheckedHost, hook: CataloguedHookName): string {
  const line = parts.log.lines.findLast(({ fields }) => fields.hook === hook);
  if (line === undefined) return "";
  const { cause } = line.fields;
  const behind = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  const reason = behind instanceof Error ? behind.message : behind;
  return typeof reason === "string" && !line.message.includes(reason)
    ? `: ${line.message} (${reason})`
    : `: ${line.message}`;
}

function told(
  { parts }: CheckedHost,
  codes: readonly PluginDiagnostic["code"][],
): ConformanceFinding[] {
  return parts.host.plugins.current.diagnostics
    .filter(
      ({ code, pluginId }) => codes.includes(code) && belongsTo(parts.pluginId, pluginId ?? ""),
    )
    .map(({ message, hint }) => ({
      level: "error",
      message,
      hint,
    }));
}

type Handler = (event: object) => unknown;

const throwing = (hooks: readonly CataloguedHookName[]) =>
  neighbour("neighbour-that-throws", hooks, () => {
    throw new Error("this neighbour always throws");
  });

const changing = (hooks: readonly CataloguedHookName[]) =>
  neighbour("neighbour-that-changes-events", hooks, scramble);

const hanging = (hooks: readonly CataloguedHookName[]) =>
  neighbour(
    "neighbour-that-hangs",
    // A handler of a synchronous hook cannot hang without stopping the whole process.
    hooks.filter((hook) => HOOK_CATALOG[hook].kind !== "sync"),
    () => new Promise(() => undefined),
  );

/** A plugin whose handlers run before and after those of the plugin under test, and fail open. */
function neighbour(
  id: string,
  hooks: readonly CataloguedHookName[],
  handler: Handler,
): PluginDefinition {
  const timeoutMs = NEIGHBOUR_DEADLINE_MS;
  return {
    id,
    register(api) {
      for (const hook of hooks) {
        for (const priority of [1_000_000, -1_000_000]) {
          const options = { priority, timeoutMs, mode: "fail-open" };
          api.on(hook, handler as never, options as never);
        }
      }
    },
  };
}

/** Overwrites every reachable value in plain objects and lists; frozen values stay. */
function scramble(value: object, depth = 0): undefined {
  for (const key of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, key);
    if (typeof inner === "object" && inner !== null && depth < 4 && isPlain(inner)) {
      scramble(inner, depth + 1);
    }
    Reflect.set(value, key, "scrambled");
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
