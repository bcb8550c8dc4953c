import type { OpenClawConfiguration } from "@openclaw/configuration";
import { waitAtMost } from "@openclaw/foundation";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { closeTestHost, openTestHost, type TestHostDependencies } from "../host/composition.js";
import { createTestFolder } from "../host/folder.js";
import { fireHook } from "../host/hook-firing.js";
import { type Leftover, type LeftoverWatch, watchLeftovers } from "../host/leftovers.js";
import type { HookTrace } from "../host/test-host.js";
import { belongsTo } from "../host/tested-plugin.js";
import { sampleEvent } from "../samples/event.js";

/** The plugin that is checked. */
export interface ConformanceSubject {
  /** Absolute path of its folder or entry file. */
  readonly path: string;
  /** The plugin's configuration, `plugins.entries.<id>.config`. */
  readonly pluginConfig?: Record<string, unknown> | undefined;
  /** The only version of the plugin API that hosts claim to support. */
  readonly api?: string | undefined;
  /** Modules that the host offers below `openclaw/plugin-sdk` in addition to the SDK: URL by specifier. */
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
}

/** A host for a check. */
export interface CheckedHost {
  readonly parts: TestHostDependencies;
  readonly watch: LeftoverWatch;
}

/**
 * Time that the plugin's handlers have before the clock is advanced past their deadline, in
 * milliseconds.
 */
const PATIENCE_MS = 2000;

/** Deadline of a neighbour's handlers, in milliseconds of the host's clock; far below any other. */
export const NEIGHBOUR_DEADLINE_MS = 1;

/** First advance of the clock, so that only neighbours miss their deadline. */
const FIRST_STEP_MS = 500;

/** Longer than the deadline of any handler. */
const BEYOND_EVERY_DEADLINE_MS = 700_000;

/**
 * Opens a host with the plugin, runs work with it, and closes it.
 * @param environment - other plugins, and the configuration of the host
 * @param work - runs with the plugin loaded
 * @returns result of the work, and leftovers of the plugin after the end
 * @throws PluginNotLoadedError when the plugin does not run
 */
export async function inHost<Result>(
  subject: ConformanceSubject,
  environment: { neighbours?: readonly PluginDefinition[]; config?: OpenClawConfiguration },
  work: (host: CheckedHost) => Result | Promise<Result>,
): Promise<{ result: Result; leftovers: readonly Leftover[] }> {
  const folder = createTestFolder();
  const watch = watchLeftovers();
  const { path: plugin, ...configured } = subject;
  try {
    const options = { plugin, ...configured, ...environment };
    const parts = await watch.run(() => openTestHost(options, folder));
    let result: Result;
    try {
      result = await watch.run(() => work({ parts, watch }));
    } catch (error) {
      await closeTestHost(parts, watch);
      throw error;
    }
    return { result, leftovers: await closeTestHost(parts, watch) };
  } finally {
    watch.stop();
    folder.remove();
  }
}

/**
 * Hooks that the plugin has active handlers for, in the order of registration.
 * @param host - has the plugin loaded
 */
export function handledHooks({ parts }: CheckedHost): CataloguedHookName[] {
  const { inspection } = parts.host.plugins;
  const own = inspection
    .registrations()
    .filter(({ owner, active }) => active && belongsTo(parts.pluginId, owner));
  return [...new Set(own.map(({ hook }) => hook as CataloguedHookName))];
}

/** A dispatch of a sample event, and the outcome of the plugin's own handlers. */
export interface SampleDispatch {
  readonly trace: HookTrace;
  /** Outcomes of the plugin under test. */
  readonly handlers: HookTrace["handlers"];
}

/**
 * Fires a hook with its sample event. Hanging handlers are cut off at their deadline: neighbours at
 * once, the plugin under test after `patienceMs`.
 * @param host - has the plugin loaded
 * @param patienceMs - real time that the plugin's own handlers have, in milliseconds
 */
export async function fireSample(
  { parts }: CheckedHost,
  hook: CataloguedHookName,
  patienceMs: number = PATIENCE_MS,
): Promise<SampleDispatch> {
  const { host, clock, pluginId, trace } = parts;
  const before = trace.length;
  // The trace contains the outcome of a dispatch, including a failure.
  const fired = fireHook(host.plugins.hooks, hook, sampleEvent(hook)).catch(() => undefined);
  await clock.advance(FIRST_STEP_MS);
  if (!(await waitAtMost(patienceMs, fired))) await clock.advance(BEYOND_EVERY_DEADLINE_MS);
  await fired;
  const dispatch = trace.slice(before).find((found) => found.hook === hook);
  if (dispatch === undefined) throw new Error(`the host did not report its dispatch of "${hook}"`);
  return {
    trace: dispatch,
    handlers: dispatch.handlers.filter(({ owner }) => belongsTo(pluginId, owner)),
  };
}
