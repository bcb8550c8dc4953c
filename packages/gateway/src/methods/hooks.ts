import { defined, nearestName } from "@openclaw/foundation";
import type { ExplainedHandler, RegistrationCounts } from "@openclaw/hook-runner";
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
    const active = new Set(
      inspection.registrations().flatMap((each) => (each.active ? [each.id] : [])),
    );
    return wanted.map((hook) => {
      const { handlers, dispatched, failed } = hooks[hook];
      const { kind, step, summary } = HOOK_CATALOG[hook];
      return {
        hook,
        kind,
        step,
        ...phaseField(hook),
        handlers,
        dispatched,
        failed: Object.values(failed).reduce((sum, each) => sum + each, 0),
        description: summary,
        plugins: pluginsOf(
          registrations.filter((each) => each.hook === hook && active.has(each.registrationId)),
        ),
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
      const fired = new Map(
        inspection
          .counters()
          .registrations.map(({ registrationId, dispatched }) => [registrationId, dispatched]),
      );
      const order = handlers.map((handler) => handlerOf(handler, fired.get(handler.id) ?? 0));
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

/** Returns the plugins in the order of their registration. */
function pluginsOf(counts: readonly RegistrationCounts[]): HookPlugin[] {
  const plugins = new Map<string, HookPlugin>();
  for (const { owner, dispatched } of counts) {
    const { handlers, fired } = plugins.get(owner) ?? { handlers: 0, fired: 0 };
    plugins.set(owner, { pluginId: owner, handlers: handlers + 1, fired: fired + dispatched });
  }
  return [...plugins.values()];
}

function handlerOf(handler: ExplainedHandler, fired: number): HookHandler {
  const { owner, label, source, stage, priority } = handler;
  const identity = { pluginId: owner, ...defined({ label }), source, stage, priority, fired };
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
