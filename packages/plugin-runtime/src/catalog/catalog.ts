import { LIFECYCLE_ALIASES, LIFECYCLE_PHASES, type LifecyclePhase } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import type { LifecycleAlias } from "@openclaw/plugin-sdk/lifecycle";
import { CONTEXT_GROUPS, handlerContext } from "./context.js";
import type { HookCatalogEntries } from "./entry.js";
import type { FieldDescription } from "./field.js";
import { inboundCatalog } from "./inbound.js";
import { lifecycleCatalog } from "./lifecycle.js";
import { modelCatalog } from "./model.js";
import { outboundCatalog } from "./outbound.js";
import { recallCatalog } from "./recall.js";
import { sessionCatalog } from "./session.js";
import { subagentCatalog } from "./subagent.js";
import { toolCatalog } from "./tool.js";
import { turnCatalog } from "./turn.js";

/** Every hook of the host with its kind, fields, merge rules, deadline and failure default. */
export const HOOK_CATALOG: HookCatalogEntries<CataloguedHookName> = Object.freeze({
  ...lifecycleCatalog,
  ...sessionCatalog,
  ...inboundCatalog,
  ...outboundCatalog,
  ...turnCatalog,
  ...modelCatalog,
  ...recallCatalog,
  ...toolCatalog,
  ...subagentCatalog,
});

/** Hooks whose handlers must return at once. */
export const SYNC_HOOKS: readonly string[] = Object.entries(HOOK_CATALOG).flatMap(
  ([name, { kind }]) => (kind === "sync" ? [name] : []),
);

/** Hooks listed together on the reference page. */
export interface HookGroup {
  readonly title: string;
  readonly names: readonly CataloguedHookName[];
}

/** Every hook in its group, in the order of the catalog. */
export const HOOK_GROUPS: readonly HookGroup[] = Object.freeze([
  { title: "Lifecycle", names: keysOf(lifecycleCatalog) },
  { title: "Sessions and compaction", names: keysOf(sessionCatalog) },
  {
    title: "Messages and delivery",
    names: [...keysOf(inboundCatalog), ...keysOf(outboundCatalog)],
  },
  { title: "Agent turn", names: [...keysOf(turnCatalog), ...keysOf(modelCatalog)] },
  { title: "Recall", names: keysOf(recallCatalog) },
  { title: "Tools", names: keysOf(toolCatalog) },
  { title: "Subagents", names: keysOf(subagentCatalog) },
]);

/** The lifecycle phase of a hook and the phase's alias. */
export interface HookPhase {
  readonly phase: LifecyclePhase;
  readonly alias: LifecycleAlias;
}

const phases = new Map<CataloguedHookName, HookPhase>(
  keysOf(LIFECYCLE_ALIASES).map((alias) => {
    const phase = LIFECYCLE_ALIASES[alias];
    return [LIFECYCLE_PHASES[phase], { phase, alias }];
  }),
);

/** Returns the phase and alias of a hook; undefined for a hook without one. */
export function phaseOf(name: CataloguedHookName): HookPhase | undefined {
  return phases.get(name);
}

/**
 * Returns every field that the context of a hook may have: those of all handlers, of the hook's
 * group, and its own.
 */
export function contextFieldsOf(
  name: CataloguedHookName,
): Readonly<Record<string, FieldDescription>> {
  const { contextGroup, context } = HOOK_CATALOG[name];
  return { ...handlerContext, ...CONTEXT_GROUPS[contextGroup], ...context };
}

function keysOf<Shape extends object>(shape: Shape): (keyof Shape & string)[] {
  return Object.keys(shape) as (keyof Shape & string)[];
}
