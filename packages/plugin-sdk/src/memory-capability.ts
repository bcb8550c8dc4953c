/** A function of a memory plugin that a host with memory calls; its arguments are the host's. */
export type MemoryFunction = (...args: never[]) => unknown;

/** What the plugin in the memory slot does for the host, in one registration (PLUG-056). */
export interface MemoryCapability {
  /** Writes the part of the prompt that tells the model of its memory. */
  promptBuilder?: MemoryFunction;
  /** Plans what is written to memory before a conversation is compacted. */
  flushPlanResolver?: MemoryFunction;
  /** Searches and reads. */
  runtime?: Readonly<Record<string, unknown>>;
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
