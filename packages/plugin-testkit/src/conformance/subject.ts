import { waitAtMost } from "@openclaw/foundation";
import type { OpenClawConfiguration } from "@openclaw/gateway";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { closeTestHost, openTestHost, type TestHostParts } from "../host/composition.js";
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
  /** What an operator would write under `plugins.entries.<id>.config`. */
  readonly pluginConfig?: Record<string, unknown> | undefined;
  /** The one version of the plugin API that hosts claim to serve. */
  readonly api?: string | undefined;
}

/** A host that a check works with. */
export interface CheckedHost {
  readonly parts: TestHostParts;
  readonly watch: LeftoverWatch;
}

/** Time that the plugin's handlers have before their deadline is brought forward, in milliseconds. */
const PATIENCE_MS = 2000;

/** Deadline of a neighbour's handlers, in milliseconds of the host's clock; far below any other. */
export const NEIGHBOUR_DEADLINE_MS = 1;

/** Time that the clock moves on at first, so that only neighbours miss their deadline. */
const FIRST_STEP_MS = 500;

/** Longer than any deadline a handler may have. */
const BEYOND_EVERY_DEADLINE_MS = 700_000;

/**
 * Opens a host with the plugin, works with it, and closes it.
 * @param subject - the plugin
 * @param surroundings - other plugins and configuration of the host
 * @param work - with the plugin loaded
 * @returns what the work gave, and what of the plugin goes on after the end
 * @throws PluginNotLoadedError when the plugin does not run
 */
export async function inHost<Result>(
  subject: ConformanceSubject,
  surroundings: { neighbours?: readonly PluginDefinition[]; config?: OpenClawConfiguration },
  work: (host: CheckedHost) => Result | Promise<Result>,
): Promise<{ result: Result; leftovers: readonly Leftover[] }> {
  const folder = createTestFolder();
  const watch = watchLeftovers();
  const { path: plugin, ...configured } = subject;
  try {
    const options = { plugin, ...configured, ...surroundings };
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
 * @param host - with the plugin loaded
 */
export function handledHooks({ parts }: CheckedHost): CataloguedHookName[] {
  const { inspection } = parts.host.plugins;
  const own = inspection
    .registrations()
    .filter(({ owner, active }) => active && belongsTo(parts.pluginId, owner));
  return [...new Set(own.map(({ hook }) => hook as CataloguedHookName))];
}

/** A dispatch of a sample event, and how the plugin's own handlers fared in it. */
export interface SampleDispatch {
  readonly trace: HookTrace;
  /** Those of the plugin under test. */
  readonly handlers: HookTrace["handlers"];
}

/**
 * Fires a hook with its sample event. What hangs is cut off at its deadline: neighbours at once, the
 * plugin under test when its patience is over.
 * @param host - with the plugin loaded
 * @param hook - any hook
 * @param patienceMs - time that the plugin's own handlers have in truth, in milliseconds
 */
export async function fireSample(
  { parts }: CheckedHost,
  hook: CataloguedHookName,
  patienceMs: number = PATIENCE_MS,
): Promise<SampleDispatch> {
  const { host, clock, pluginId, trace } = parts;
  const before = trace.length;
  // How a dispatch ended, also by a failure, is read from its trace.
  const fired = fireHook(host.plugins.hooks, hook, sampleEvent(hook)).catch(() => undefined);
  await clock.advance(FIRST_STEP_MS);
  if (!(await waitAtMost(patienceMs, fired))) await clock.advance(BEYOND_EVERY_DEADLINE_MS);
  await fired;
  const dispatch = trace.slice(before).find((found) => found.hook === hook);
  if (dispatch === undefined) throw new Error(`the host told nothing of its dispatch of "${hook}"`);
  return {
    trace: dispatch,
    handlers: dispatch.handlers.filter(({ owner }) => belongsTo(pluginId, owner)),
  };
}
