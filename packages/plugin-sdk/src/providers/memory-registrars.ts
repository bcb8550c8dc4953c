import type {
  MemoryCapability,
  MemoryCorpusSupplement,
  MemoryEmbeddingProvider,
  MemoryFunction,
} from "./memory-capability.js";

/**
 * The methods by which the plugin in the memory slot says what it does, of both styles (PLUG-056).
 * What is registered in both has one effect: that of `registerMemoryCapability`.
 */
export interface MemoryRegistrars {
  /** @param capability - all it does, at once */
  registerMemoryCapability(capability: MemoryCapability): void;
  /** @param builder - the older way to give `promptBuilder` */
  registerMemoryPromptSection(builder: MemoryFunction): void;
  /** @param resolver - the older way to give `flushPlanResolver` */
  registerMemoryFlushPlan(resolver: MemoryFunction): void;
  /** @param runtime - the older way to give `runtime` */
  registerMemoryRuntime(runtime: Readonly<Record<string, unknown>>): void;
  /** @param provider - makes vectors; a plugin may have several */
  registerMemoryEmbeddingProvider(provider: MemoryEmbeddingProvider): void;
  /** @param builder - adds to the prompt beside the memory's own part */
  registerMemoryPromptSupplement(builder: MemoryFunction): void;
  /** @param supplement - adds to what is searched */
  registerMemoryCorpusSupplement(supplement: MemoryCorpusSupplement): void;
}
