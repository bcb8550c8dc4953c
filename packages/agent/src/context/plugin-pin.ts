import type { HookDispatch } from "@openclaw/hook-runner";
import type { SearchableMemory } from "@openclaw/plugin-runtime";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { AnyAgentTool, SessionToolFactory } from "@openclaw/plugin-sdk/tools";

/** A tool or factory that a plugin registered. */
export interface OfferedTool {
  readonly pluginId: string;
  readonly tool: AnyAgentTool | SessionToolFactory;
  /** Names it was declared with; may be empty for a factory. */
  readonly names: readonly string[];
  readonly optional: boolean;
}

/** The generation of plugins that a turn starts with and keeps until its end (TURN-012). */
export interface PluginPin {
  /** Number of the generation. */
  readonly generation: number;
  readonly hooks: HookDispatch<HookMap>;
  readonly tools: readonly OfferedTool[];
  /** The plugin in the memory slot; absent where nothing can be recalled. */
  readonly memory?: SearchableMemory | undefined;
  /**
   * Returns true if a plugin may add to prompts. If false, its queued prompt injections are not drained.
   * @param pluginId - ID of the plugin
   */
  mayAddToPrompts(pluginId: string): boolean;
}
