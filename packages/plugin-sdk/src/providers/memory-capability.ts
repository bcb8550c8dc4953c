import type { RecallResult } from "../hooks/recall.js";

/** Function of a memory plugin; a host with memory calls it with its own arguments. */
export type MemoryFunction = (...args: never[]) => unknown;

/** Search request to a memory. */
export interface MemorySearch {
  readonly query: string;
  /** Maximum number of results. */
  readonly limit: number;
  /** Sections of the memory to search; all sections when absent. */
  readonly corpus?: readonly string[];
  readonly agentId?: string;
  readonly sessionKey?: string;
  /** Aborts when the results are no longer needed. */
  readonly signal: AbortSignal;
}

/** Search and read functions of a memory. The host calls `search` in every turn (HOOKCAT:before_recall). */
export interface MemoryRuntime {
  /**
   * Returns matching entries, best first.
   * @param search - the request as changed by the handlers of `before_recall`
   */
  search?(search: MemorySearch): Promise<readonly RecallResult[]>;
  readonly [member: string]: unknown;
}

/** Functions of the plugin in the memory slot, as one registration (PLUG-056). */
export interface MemoryCapability {
  /** Returns the section of the prompt that describes the memory to the model. */
  promptBuilder?: MemoryFunction;
  /** Plans the writes to memory before a conversation is compacted. */
  flushPlanResolver?: MemoryFunction;
  runtime?: MemoryRuntime;
  /** Files of the memory that other components of the host may show. */
  publicArtifacts?: Readonly<Record<string, unknown>>;
}

/** Creates embedding vectors of strings for a memory. */
export interface MemoryEmbeddingProvider {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** Additional source for the searches of a memory. */
export interface MemoryCorpusSupplement {
  readonly id?: string;
  readonly [member: string]: unknown;
}
