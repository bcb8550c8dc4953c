import type {
  HookHandler,
  HookMethod,
  HookMethodParameters,
  HookMethodResults,
  HookSummary,
} from "@openclaw/client/wire";
import type { ExplainedHandler } from "@openclaw/hook-runner";
import { HOOK_CATALOG, type PluginRuntime, phaseOf } from "@openclaw/plugin-runtime";
import type { CataloguedHookName } from "@openclaw/plugin-sdk";
import { HookNotFoundError } from "./errors.js";
import { nearestOf } from "./nearest-of.js";

/** The hook methods of a host, the same for the command line and the wire. */
export type HookAdministration = {
  readonly [Method in HookMethod]: (
    parameters: HookMethodParameters<Method>,
  ) => Promise<HookMethodResults[Method]>;
};

/**
 * Makes the hook methods of a host.
 * @param plugins - whose handlers are looked at
 */
export function createHookAdministration({
  inspection,
}: Pick<PluginRuntime, "inspection">): HookAdministration {
  const names = Object.keys(HOOK_CATALOG).filter(isCatalogued);
  const summaries = (wanted: readonly CataloguedHookName[]): HookSummary[] => {
    const { hooks } = inspection.counters();
    return wanted.map((hook) => {
      const { handlers, dispatched, failed } = hooks[hook];
      const { kind, summary } = HOOK_CATALOG[hook];
      return {
        hook,
        kind,
        ...phaseField(hook),
        handlers,
        dispatched,
        failed: Object.values(failed).reduce((sum, each) => sum + each, 0),
        description: summary,
      };
    });
  };

  return {
    "hooks.list": async () => ({ hooks: summaries(names) }),
    "hooks.show": async ({ hook, channel, agentId, toolName }) => {
      if (!isCatalogued(hook)) throw new HookNotFoundError(hook, nearestOf(hook, names));
      const [summary] = summaries([hook]);
      if (summary === undefined) throw new HookNotFoundError(hook, undefined);
      const context = {
        ...(channel === undefined ? {} : { messageProvider: channel }),
        ...(agentId === undefined ? {} : { agentId }),
      };
      const event = toolName === undefined ? {} : { toolName };
      const { handlers } = inspection.explain(hook, context, event);
      return { ...summary, order: handlers.map(handlerOf) };
    },
  };
}

function phaseField(hook: CataloguedHookName): Pick<HookSummary, "phase"> {
  const phase = phaseOf(hook)?.phase;
  return phase === undefined ? {} : { phase };
}

function handlerOf(handler: ExplainedHandler): HookHandler {
  const { owner, source, stage, priority } = handler;
  const identity = { pluginId: owner, source, stage, priority };
  if (!handler.runs) return { ...identity, runs: false, reason: handler.reason };
  const { mode, deadlineMs, deadlineFrom } = handler;
  return {
    ...identity,
    runs: true,
    mode,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(deadlineFrom === undefined ? {} : { deadlineFrom }),
  };
}

function isCatalogued(name: string): name is CataloguedHookName {
  return Object.hasOwn(HOOK_CATALOG, name);
}
