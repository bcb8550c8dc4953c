import type { RecallResult } from "../hooks/recall.js";
import type { AgentMessage } from "../message/message.js";

/** Time and configuration for which a flush is planned. */
export interface MemoryFlushContext {
  /** Configuration of the host, as `api.config`. */
  readonly cfg: unknown;
  /** Time in milliseconds since the epoch. */
  readonly nowMs: number;
}

/**
 * Turn that keeps what should last of messages that leave a conversation. The host runs it with the messages, after the
 * compaction has begun and without delaying it, in a separate session.
 */
export interface MemoryFlushPlan {
  /** Instruction of the turn, after the messages. */
  readonly prompt: string;
  readonly systemPrompt?: string;
  /** File in the workspace for an agent without a tool for notes. */
  readonly relativePath?: string;
  /** Model as `provider/model`; the agent's model when absent. */
  readonly model?: string;
  /** Older plugins have limits of tokens, which this host ignores: it has its own. */
  readonly [member: string]: unknown;
}

/** Plans a flush; null or undefined for none. */
export type MemoryFlushPlanResolver = (
  context: MemoryFlushContext,
) => MemoryFlushPlan | null | undefined | Promise<MemoryFlushPlan | null | undefined>;

/** Turn for which a section of the prompt is made. */
export interface MemoryPromptContext {
  /** Names of the tools that the turn offers to the model. */
  readonly availableTools: Set<string>;
  readonly agentId: string;
  readonly sessionKey: string;
  /** Older name of `sessionKey`. */
  readonly agentSessionKey: string;
}

/** Section of the system prompt, as text or lines; null or undefined for none. */
export type MemoryPromptSection = string | readonly string[] | null | undefined;

/** Makes a section of the system prompt; it has two seconds. */
export type MemoryPromptBuilder = (
  context: MemoryPromptContext,
) => MemoryPromptSection | Promise<MemoryPromptSection>;

/** Sender of the message for which a memory is used, and the conversation it was written in. */
export interface MemoryRequester {
  /** Channel of the message, for example `telegram`; `terminal`, `api`, `cron` for internal origins. */
  readonly channel: string;
  readonly senderId: string;
  /** True only for an authenticated owner. */
  readonly senderIsOwner: boolean;
  /** Group or room of the message; absent in direct conversations. */
  readonly groupId?: string;
}

/** Messages that leave a conversation because it is nearly full (TURN-051). */
export interface MemoryArchive {
  /** Messages to keep in memory, oldest first; empty for a summary. */
  readonly messages: readonly AgentMessage[];
  /** Summary that replaces the older part of the conversation, after `/compact`. */
  readonly summary?: string;
  readonly agentId: string;
  readonly sessionKey: string;
  /** Run that compacts the conversation; a repeated call of a resumed run has the same. */
  readonly runId: string;
  readonly requester: MemoryRequester;
  /** Aborts when the turn ends. */
  readonly signal: AbortSignal;
}

/** Search request to a memory. */
export interface MemorySearch {
  readonly query: string;
  /** Maximum number of results. */
  readonly limit: number;
  /** Sections of the memory to search; all sections when absent. */
  readonly corpus?: readonly string[];
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly requester?: MemoryRequester;
  /** Aborts when the results are no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * Search and read functions of a memory. The host calls `search` in every turn (HOOKCAT:before_recall). Of a runtime of
 * an older plugin without `search` it calls `getMemorySearchManager`, and the manager's `search`.
 */
export interface MemoryRuntime {
  /**
   * Returns matching entries, best first.
   * @param search - the request as changed by the handlers of `before_recall`
   */
  search?(search: MemorySearch): Promise<readonly RecallResult[]>;
  /** Time limit of the search of a turn in milliseconds, at most 15,000; default 2,000. */
  readonly searchDeadlineMs?: number;
  /**
   * Stores messages that leave a conversation, so that later searches find them. When it throws, the conversation is
   * shortened for the running turn only.
   * @param archive - the messages, and whose they are
   */
  archive?(archive: MemoryArchive): Promise<void>;
  readonly [member: string]: unknown;
}

/** Functions of the plugin in the memory slot, as one registration (PLUG-056). */
export interface MemoryCapability {
  /** Returns the section of the prompt that describes the memory to the model. */
  promptBuilder?: MemoryPromptBuilder;
  /** Plans a turn that keeps what should last of messages that leave a conversation. */
  flushPlanResolver?: MemoryFlushPlanResolver;
  runtime?: MemoryRuntime;
  /** Files of the memory that other components of the host may show. */
  publicArtifacts?: Readonly<Record<string, unknown>>;
}

/**
 * Embedding models in the form of older plugins. New plugins register a provider of models with an embedding model, which
 * `registerProvider` describes. The models of both are named `<id>/<model>`, and `runtime.embeddings` uses both.
 */
export interface MemoryEmbeddingProvider {
  readonly id: string;
  /** Model that is used when only the provider is selected. */
  readonly defaultModel?: string;
  /** `local` when strings do not leave the machine and cost no money. */
  readonly transport?: string;
  /**
   * Creates a model.
   * @param options - configuration of the host, and `model`
   * @returns `{ provider }` with `model`, and one of `embedBatch(strings)`, `embed(text)` or `embedQuery(text)`
   */
  create?(options: never): unknown;
  readonly [member: string]: unknown;
}

/** Additional source for the searches of a memory. */
export interface MemoryCorpusSupplement {
  readonly id?: string;
  readonly [member: string]: unknown;
}
