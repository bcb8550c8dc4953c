import type { PluginPin as AgentPin } from "@openclaw/agent";
import { type PluginPin, type PluginRuntime, searchableMemory } from "@openclaw/plugin-runtime";

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
    memory: searchableMemory(generation.memory),
    mayAddToPrompts: (pluginId) => plugins.mayAddToPrompts(pluginId),
  };
}
