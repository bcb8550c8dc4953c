import { defined, nearestName } from "@openclaw/foundation";
import type { CallCounts, ExplainedHandler, RegistrationCounts } from "@openclaw/hook-runner";
import { HOOK_CATALOG, type PluginRuntime, phaseOf } from "@openclaw/plugin-runtime";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import {
  type HookHandler,
  type HookPlugin,
  type HookSummary,
  hookMethods,
} from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { type RunTraceHost, readHookNotes } from "../diagnostics/run-trace.js";
import { HookNotFoundError, RunNotFoundError } from "../errors.js";

/**
 * Creates the hook methods.
 * @param plugins - plugins whose handlers are listed
 * @param traced - runs whose dispatches are returned
 */
export function createHookMethods(
  { inspection }: Pick<PluginRuntime, "inspection">,
  traced: RunTraceHost,
): MethodRegistry<typeof hookMethods> {
  const names = Object.keys(HOOK_CATALOG).filter(isCatalogued);
  const summaries = (wanted: readonly CataloguedHookName[]): HookSummary[] => {
    const { hooks, registrations } = inspection.counters();
    const byId = new Map(registrations.map((each) => [each.registrationId, each]));
    const active = new Set(
      inspection.registrations().flatMap((each) => (each.active ? [each.id] : [])),
    );
    return wanted.map((hook) => {
      const { handlers, dispatched } = hooks[hook];
      const { kind, step, summary } = HOOK_CATALOG[hook];
      const inOrder = inspection
        .explain(hook, {}, {})
        .handlers.flatMap(({ id }) => (active.has(id) ? (byId.get(id) ?? []) : []));
      return {
        hook,
        kind,
        step,
        ...phaseField(hook),
        handlers,
        dispatched,
        ...figuresOf(hooks[hook]),
        description: summary,
        plugins: pluginsOf(inOrder),
        rewrites: sharedFieldsOf(inOrder),
      };
    });
  };

  return MethodRegistry.of(hookMethods, {
    "hooks.list": async () => ({ hooks: summaries(names) }),
    "hooks.show": async ({ hook, channel, agentId, toolName }) => {
      if (!isCatalogued(hook)) throw new HookNotFoundError(hook, nearestName(hook, names));
      const [summary] = summaries([hook]);
      if (summary === undefined) throw new HookNotFoundError(hook, undefined);
      const context = defined({ messageProvider: channel, agentId });
      const event = defined({ toolName });
      const { handlers } = inspection.explain(hook, context, event);
      const counts = new Map(
        inspection.counters().registrations.map((each) => [each.registrationId, each]),
      );
      const order = handlers.map((handler) => handlerOf(handler, counts.get(handler.id)));
      return { ...summary, order };
    },
    "hooks.trace": async ({ runId }) => {
      const turn = await traced.store.turns.get(runId);
      if (turn === undefined) throw new RunNotFoundError(runId);
      const notes = await readHookNotes(turn, traced);
      return { runId, dispatches: notes.map(({ spanId: _spanId, ...dispatch }) => dispatch) };
    },
  });
}

function phaseField(hook: CataloguedHookName): Pick<HookSummary, "phase"> {
  const phase = phaseOf(hook)?.phase;
  return defined({ phase });
}

/** Returns the failures of calls, and how long they take. */
function figuresOf({ failed, latency: { p50Ms, p99Ms } }: CallCounts) {
  const sum = Object.values(failed).reduce((total, each) => total + each, 0);
  return { failed: sum, timeouts: failed.HOOK_TIMEOUT ?? 0, p50Ms, p99Ms };
}

/** Returns the fields that handlers of several plugins have changed. */
function sharedFieldsOf(counts: readonly RegistrationCounts[]): HookSummary["rewrites"] {
  const owners = new Map<string, Set<string>>();
  for (const { owner, rewrote } of counts) {
    for (const field of rewrote) owners.set(field, (owners.get(field) ?? new Set()).add(owner));
  }
  return [...owners].flatMap(([field, plugins]) =>
    plugins.size > 1 ? [{ field, pluginIds: [...plugins] }] : [],
  );
}

/** Returns the plugins of handlers, in the same order. */
function pluginsOf(counts: readonly RegistrationCounts[]): HookPlugin[] {
  const plugins = new Map<string, HookPlugin>();
  for (const { owner, dispatched } of counts) {
    const { handlers, fired } = plugins.get(owner) ?? { handlers: 0, fired: 0 };
    plugins.set(owner, { pluginId: owner, handlers: handlers + 1, fired: fired + dispatched });
  }
  return [...plugins.values()];
}

const NOT_CALLED = { failed: 0, timeouts: 0, p50Ms: 0, p99Ms: 0 };

function handlerOf(handler: ExplainedHandler, counts: RegistrationCounts | undefined): HookHandler {
  const { owner, label, source, stage, priority } = handler;
  const identity = {
    ...{ pluginId: owner, ...defined({ label }), source, stage, priority },
    ...(counts === undefined ? NOT_CALLED : figuresOf(counts)),
    fired: counts?.dispatched ?? 0,
    rewrote: counts?.rewrote ?? [],
  };
  if (!handler.runs) return { ...identity, runs: false, reason: handler.reason };
  const { mode, deadlineMs, deadlineFrom } = handler;
  return {
    ...identity,
    runs: true,
    mode,
    ...defined({ deadlineMs, deadlineFrom }),
  };
}

function isCatalogued(name: string): name is CataloguedHookName {
  return Object.hasOwn(HOOK_CATALOG, name);
}
