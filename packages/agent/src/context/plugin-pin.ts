import type { HookDispatch } from "@openclaw/hook-runner";
import type {
  ActiveContextEngine,
  MemoryFlush,
  MemoryPrompt,
  SearchableMemory,
} from "@openclaw/plugin-runtime";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { CompactionProvider } from "@openclaw/plugin-sdk/plugin-entry";
import type {
  AgentToolResultMiddleware,
  AnyAgentTool,
  SessionToolFactory,
  ToolMetadata,
} from "@openclaw/plugin-sdk/tools";
import type { OfferedHarness } from "../harness/harness.js";

/** A tool or factory that a plugin registered. */
export interface OfferedTool {
  readonly pluginId: string;
  readonly tool: AnyAgentTool | SessionToolFactory;
  /** Names it was declared with; may be empty for a factory. */
  readonly names: readonly string[];
  readonly optional: boolean;
}

/** Metadata of a tool, with its plugin. */
export interface DescribedTool {
  readonly pluginId: string;
  readonly metadata: ToolMetadata;
}

/** Middleware for tool results, with its plugin. */
export interface ToolResultMiddleware {
  readonly pluginId: string;
  readonly middleware: AgentToolResultMiddleware;
}

/** The generation of plugins that a turn starts with and keeps until its end (TURN-012). */
export interface PluginPin {
  /** Number of the generation. */
  readonly generation: number;
  readonly hooks: HookDispatch<HookMap>;
  readonly tools: readonly OfferedTool[];
  /** Metadata of tools, which may add to their descriptions. */
  readonly toolMetadata?: readonly DescribedTool[] | undefined;
  /** The plugin in the memory slot; absent where nothing can be recalled. */
  readonly memory?: SearchableMemory | undefined;
  /** Sections of the system prompt about the memory. */
  readonly memoryPrompts?: readonly MemoryPrompt[] | undefined;
  /** Keeps what should last of messages that leave a conversation. */
  readonly memoryFlush?: MemoryFlush | undefined;
  /** Selects the conversation that models receive; absent when the slot is empty. */
  readonly contextEngine?: ActiveContextEngine | undefined;
  /** Writes summaries of conversations; the model does when absent. */
  readonly compactionProvider?:
    | { readonly pluginId: string; readonly provider: CompactionProvider }
    | undefined;
  /** Run turns instead of the model loop of the host. */
  readonly agentHarnesses?: readonly OfferedHarness[] | undefined;
  /** Replaces tool results, in this order. */
  readonly toolResultMiddlewares?: readonly ToolResultMiddleware[] | undefined;
  /** Returns true if a plugin may add to prompts. If false, its queued prompt injections are not drained. */
  mayAddToPrompts(pluginId: string): boolean;
}
