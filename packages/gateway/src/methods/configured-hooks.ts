import { defined, nearestName } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import { type ConfiguredHook, HOOK_NAMES, type HookSet } from "@openclaw/plugin-sdk/hooks";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { configuredHookMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { HookNotFoundError } from "../errors.js";

/**
 * Creates the methods of configured hooks, of all plugins that have some (DHOOK-016).
 * @param plugins - plugins that register sets of hooks
 */
export function createConfiguredHookMethods(
  plugins: Pick<PluginRuntime, "current" | "callPlugin">,
): MethodRegistry<typeof configuredHookMethods> {
  /** Asks each set in turn; the first that has the hook answers. */
  const ask = async <Answer>(
    name: string,
    question: (set: HookSet) => Promise<Answer | undefined>,
  ): Promise<Answer> => {
    for (const { set, pluginId } of plugins.current.hookSets) {
      const answer = await plugins.callPlugin(pluginId, () => question(set));
      if (answer !== undefined) return answer;
    }
    const { hooks } = await listed();
    const known = [...hooks.flatMap(namesOf), ...HOOK_NAMES];
    throw new HookNotFoundError(name, nearestName(name, known));
  };
  const listed = async () => {
    const contents = await Promise.all(
      plugins.current.hookSets.map(({ set, pluginId }) =>
        plugins.callPlugin(pluginId, async () => await set.list()),
      ),
    );
    return {
      hooks: contents.flatMap(({ hooks }) => hooks.map(summaryOf)),
      problems: contents.flatMap(({ problems }) =>
        problems.map(({ source, message }) => ({ source, message })),
      ),
    };
  };

  return MethodRegistry.of(configuredHookMethods, {
    "hooks.configured": listed,
    "hooks.describe": async ({ name }) => {
      const { definition, runs, deliveries, ...hook } = await ask(name, (set) => set.show(name));
      return {
        ...summaryOf(hook),
        definition: { ...definition },
        runs: runs.map((each) => ({ ...each })),
        deliveries: deliveries.map((each) => ({ ...each })),
      };
    },
    "hooks.enable": async ({ name }) =>
      summaryOf(await ask(name, (set) => set.setEnabled(name, true))),
    "hooks.disable": async ({ name }) =>
      summaryOf(await ask(name, (set) => set.setEnabled(name, false))),
    "hooks.test": async ({ name, event }) => ({
      // Parameters of a method are JSON.
      answer: { ...(await ask(name, (set) => set.test(name, event as JsonObject))) },
    }),
    "hooks.approve": async ({ file, hash }) => {
      for (const { set, pluginId } of plugins.current.hookSets) {
        const approval = await plugins.callPlugin(pluginId, () => set.approve(file, hash));
        if (approval !== undefined) {
          return { approval: { ...approval, commands: [...approval.commands] } };
        }
      }
      return {};
    },
  });
}

function summaryOf({ points, counts, reason, ...hook }: ConfiguredHook) {
  const { name, source, action, priority, state } = hook;
  return {
    ...{ name, source, points: [...points], action, priority, state, counts: { ...counts } },
    ...defined({ reason }),
  };
}

function namesOf({ name }: { readonly name: string }): readonly string[] {
  return [name, name.slice(name.indexOf("::") + 2)];
}
