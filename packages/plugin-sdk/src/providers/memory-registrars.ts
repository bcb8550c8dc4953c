import type {
  MemoryCapability,
  MemoryCorpusSupplement,
  MemoryEmbeddingProvider,
  MemoryFlushPlanResolver,
  MemoryPromptBuilder,
} from "./memory-capability.js";

/**
 * Registration methods for the plugin in the memory slot, in the current and in the older style (PLUG-056). When both
 * are used, `registerMemoryCapability` takes precedence.
 */
export interface MemoryRegistrars {
  /** @param capability - all functions of the memory */
  registerMemoryCapability(capability: MemoryCapability): void;
  /** @param builder - legacy form of `promptBuilder` */
  registerMemoryPromptSection(builder: MemoryPromptBuilder): void;
  /** @param resolver - legacy form of `flushPlanResolver` */
  registerMemoryFlushPlan(resolver: MemoryFlushPlanResolver): void;
  /** @param runtime - legacy form of `runtime` */
  registerMemoryRuntime(runtime: Readonly<Record<string, unknown>>): void;
  /** @param provider - embedding provider; a plugin may register several */
  registerMemoryEmbeddingProvider(provider: MemoryEmbeddingProvider): void;
  /** @param provider - the same, under the name of later plugins */
  registerEmbeddingProvider(provider: MemoryEmbeddingProvider): void;
  /** @param builder - additional section of the prompt, after the memory's own section */
  registerMemoryPromptSupplement(builder: MemoryPromptBuilder): void;
  /** @param supplement - additional source for searches */
  registerMemoryCorpusSupplement(supplement: MemoryCorpusSupplement): void;
}
