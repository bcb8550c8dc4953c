import type { RecallResult } from "../hooks/recall.js";

/** A function of a memory plugin that a host with memory calls; its arguments are the host's. */
export type MemoryFunction = (...args: never[]) => unknown;

/** What a memory is asked for. */
export interface MemorySearch {
  readonly query: string;
  /** Most results that are of use. */
  readonly limit: number;
  /** Parts of the memory to search; all of it when absent. */
  readonly corpus?: readonly string[];
  readonly agentId?: string;
  readonly sessionKey?: string;
  /** Aborts when nobody waits for the results any more. */
  readonly signal: AbortSignal;
}

/** Searches and reads a memory. The host calls `search` in every turn (HOOKCAT:before_recall). */
export interface MemoryRuntime {
  /**
   * Finds what fits a query, best first.
   * @param search - after the handlers of `before_recall` have seen it
   */
  search?(search: MemorySearch): Promise<readonly RecallResult[]>;
  readonly [member: string]: unknown;
}

/** What the plugin in the memory slot does for the host, in one registration (PLUG-056). */
export interface MemoryCapability {
  /** Writes the part of the prompt that tells the model of its memory. */
  promptBuilder?: MemoryFunction;
  /** Plans what is written to memory before a conversation is compacted. */
  flushPlanResolver?: MemoryFunction;
  runtime?: MemoryRuntime;
  /** Files of the memory that other parts of the host may show. */
  publicArtifacts?: Readonly<Record<string, unknown>>;
}

/** Makes vectors of texts for a memory. */
export interface MemoryEmbeddingProvider {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** Adds to what a memory searches. */
export interface MemoryCorpusSupplement {
  readonly id?: string;
  readonly [member: string]: unknown;
}
