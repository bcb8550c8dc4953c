import { contextFieldsOf, HOOK_CATALOG } from "@openclaw/plugin-runtime";
import type { OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import { fieldProblems } from "./hook-fields.js";

/** One call of a handler: what it was given, and what of it the catalog does not allow. */
export interface WitnessedCall {
  readonly hook: CataloguedHookName;
  readonly event: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  /** Fields that are missing, of a wrong type or not in the catalog. */
  readonly problems: readonly string[];
}

/** A handler for any hook; it has no opinion. */
export type WitnessHandler = (event: object, context: object) => undefined;

/** Way of registering a witness: by the hook's name, phase or alias. */
export type HookEntryPoint = (
  api: OpenClawPluginApi,
  hook: CataloguedHookName,
  handler: WitnessHandler,
) => void;

/** A plugin that sees hooks and changes nothing. */
export interface HookWitness {
  readonly plugin: PluginDefinition;
  readonly calls: readonly WitnessedCall[];
  /** Its calls for one hook. */
  of(hook: string): readonly WitnessedCall[];
}

/**
 * Makes a plugin that records what its handlers are given.
 * @param hooks - that it watches
 * @param entryPoint - way of registering; by the hook's name when absent
 */
export function createHookWitness(
  hooks: readonly CataloguedHookName[],
  entryPoint: HookEntryPoint = byName,
): HookWitness {
  const calls: WitnessedCall[] = [];
  return {
    calls,
    of: (hook) => calls.filter((call) => call.hook === hook),
    plugin: {
      id: "witness",
      register(api) {
        for (const hook of hooks) {
          entryPoint(api, hook, (event, context) => {
            calls.push(witness(hook, event, context));
            return undefined;
          });
        }
      },
    },
  };
}

/** The registrars type a handler by the literal name of its hook; a witness handles any hook. */
const byName: HookEntryPoint = (api, hook, handler) => {
  Reflect.apply(api.on, api, [hook, handler]);
};

/** Contexts answer for their fields one by one, and hand some out on demand only. */
function witness(hook: CataloguedHookName, event: object, context: object): WitnessedCall {
  return {
    hook,
    event: read(event, Object.keys(HOOK_CATALOG[hook].event)),
    context: read(context, Object.keys(contextFieldsOf(hook))),
    problems: fieldProblems(hook, event, context),
  };
}

function read(from: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = names.flatMap((name) => {
    const value: unknown = Reflect.get(from, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}
