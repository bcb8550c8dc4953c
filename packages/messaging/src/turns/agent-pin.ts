import type { PluginPin as AgentPin } from "@openclaw/agent";
import {
  activeContextEngine,
  memoryFlush,
  memoryPrompts,
  type PluginGeneration,
  type PluginPin,
  type PluginRuntime,
  searchableMemory,
} from "@openclaw/plugin-runtime";

/**
 * Returns pinned plugins in the form in which the agent uses them.
 * @param pin - plugins of one generation
 * @param plugins - plugins of the host
 */
export function agentPin(
  { generation, hooks }: PluginPin,
  plugins: Pick<PluginRuntime, "mayAddToPrompts">,
): AgentPin {
  return {
    generation: generation.number,
    hooks,
    tools: generation.tools,
    toolMetadata: generation.toolMetadata,
    memory: searchableMemory(generation.memory),
    memoryPrompts: memoryPrompts(generation.memory),
    memoryFlush: memoryFlush(generation.memory),
    contextEngine: contextEngineOf(generation),
    // Untyped plugins may register one that cannot summarise.
    compactionProvider: generation.compactionProviders.find(
      ({ provider }) => typeof provider.summarize === "function",
    ),
    agentHarnesses: generation.agentHarnesses.map(({ pluginId, harness }) => ({
      pluginId,
      harness,
      ownProviders: generation.providers
        .filter((each) => each.pluginId === pluginId)
        .map(({ provider }) => provider.id),
    })),
    toolResultMiddlewares: generation.toolResultMiddlewares,
    mayAddToPrompts: (pluginId) => plugins.mayAddToPrompts(pluginId),
  };
}

/** An engine remembers the sessions that it prepared, so each generation has one. */
function contextEngineOf(generation: PluginGeneration) {
  if (generation.contextEngines.length === 0) return undefined;
  const engine = engines.get(generation) ?? activeContextEngine(generation.contextEngines);
  if (engine !== undefined) engines.set(generation, engine);
  return engine;
}

const engines = new WeakMap<PluginGeneration, NonNullable<AgentPin["contextEngine"]>>();
