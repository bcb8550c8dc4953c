import type {
  MemoryCapability,
  MemoryCorpusSupplement,
  MemoryEmbeddingProvider,
  MemoryFlushPlanResolver,
  MemoryPromptBuilder,
  MemoryRegistrars,
} from "@openclaw/plugin-sdk/plugin-entry";
import type { AgentRunAnswer, AgentRunRequest } from "@openclaw/plugin-sdk/services";
import { type ApiCall, expectFunction, expectObject } from "../check.js";
import type { RegistrationOrigin } from "../origin.js";
import { withManagedSearch } from "./search-manager.js";

/** Runs a turn of an agent on behalf of a plugin. */
type AgentRunner = (request: AgentRunRequest) => Promise<AgentRunAnswer>;

/** One function that a memory plugin has for the host. */
export type MemoryPart =
  | { readonly part: "promptBuilder" | "promptSupplement"; readonly value: MemoryPromptBuilder }
  | {
      readonly part: "flushPlanResolver";
      readonly value: MemoryFlushPlanResolver;
      readonly config: () => unknown;
      /** Returns the function that runs turns for the plugin. */
      readonly runAgent: () => AgentRunner | undefined;
    }
  | { readonly part: "runtime" | "publicArtifacts"; readonly value: MemoryObject }
  | {
      readonly part: "embeddingProvider";
      readonly value: MemoryEmbeddingProvider;
      /** Returns the configuration of the host for the plugin. */
      readonly config: () => unknown;
    }
  | { readonly part: "corpusSupplement"; readonly value: MemoryCorpusSupplement };

type MemoryObject = Readonly<Record<string, unknown>>;

/** A part of a plugin's memory, registered in either style. */
export type PluginMemoryRegistration = RegistrationOrigin & MemoryPart;

/** Parts that a plugin registers at most once. */
const SINGLE = new Set<MemoryPart["part"]>([
  "promptBuilder",
  "flushPlanResolver",
  "runtime",
  "publicArtifacts",
]);

/** Functions of the host for the memory of a plugin. */
export interface MemoryHost {
  /** Returns the configuration that the plugin may read. */
  readonly config: () => unknown;
  readonly runAgent: () => AgentRunner | undefined;
}

/**
 * Creates the memory registrars of one plugin. Parts registered in both the older and the newer
 * style are one registration: the newer (PLUG-056).
 * @param register - adds a part, and returns a function that removes it
 * @param host - configuration and agents of the host, for the plugin
 */
export function createMemoryRegistrars(
  origin: RegistrationOrigin,
  register: (member: string, registration: PluginMemoryRegistration) => () => void,
  host: MemoryHost,
): MemoryRegistrars {
  const { config } = host;
  const held = new Map<MemoryPart["part"], { takeBack: () => void; isNew: boolean }>();
  const add = (member: string, part: MemoryPart, isNew: boolean) => {
    const before = held.get(part.part);
    if (before?.isNew === true && !isNew) return;
    before?.takeBack();
    const takeBack = register(member, { ...origin, ...part });
    if (SINGLE.has(part.part)) held.set(part.part, { takeBack, isNew });
  };
  const callOf = (member: string): ApiCall => ({ origin, member });
  return {
    registerMemoryCapability(capability) {
      const member = "registerMemoryCapability";
      for (const part of partsOf(callOf(member), capability, host)) add(member, part, true);
    },
    registerMemoryPromptSection(value) {
      const member = "registerMemoryPromptSection";
      expectFunction(callOf(member), "builder", value);
      add(member, { part: "promptBuilder", value }, false);
    },
    registerMemoryFlushPlan(value) {
      const member = "registerMemoryFlushPlan";
      expectFunction(callOf(member), "resolver", value);
      add(member, { part: "flushPlanResolver", value, ...host }, false);
    },
    registerMemoryRuntime(value) {
      const member = "registerMemoryRuntime";
      expectObject(callOf(member), "runtime", value);
      add(member, { part: "runtime", value: withManagedSearch(value, config) }, false);
    },
    registerMemoryEmbeddingProvider(value) {
      const member = "registerMemoryEmbeddingProvider";
      expectObject(callOf(member), "provider", value);
      add(member, { part: "embeddingProvider", value, config }, false);
    },
    registerEmbeddingProvider(value) {
      const member = "registerEmbeddingProvider";
      expectObject(callOf(member), "provider", value);
      add(member, { part: "embeddingProvider", value, config }, false);
    },
    registerMemoryPromptSupplement(value) {
      const member = "registerMemoryPromptSupplement";
      expectFunction(callOf(member), "builder", value);
      add(member, { part: "promptSupplement", value }, false);
    },
    registerMemoryCorpusSupplement(value) {
      const member = "registerMemoryCorpusSupplement";
      expectObject(callOf(member), "supplement", value);
      add(member, { part: "corpusSupplement", value }, false);
    },
  };
}

function partsOf(call: ApiCall, capability: MemoryCapability, host: MemoryHost): MemoryPart[] {
  expectObject(call, "capability", capability);
  const { promptBuilder, flushPlanResolver, runtime, publicArtifacts } = capability;
  const parts: MemoryPart[] = [];
  if (promptBuilder !== undefined) {
    expectFunction(call, "promptBuilder", promptBuilder);
    parts.push({ part: "promptBuilder", value: promptBuilder });
  }
  if (flushPlanResolver !== undefined) {
    expectFunction(call, "flushPlanResolver", flushPlanResolver);
    parts.push({ part: "flushPlanResolver", value: flushPlanResolver, ...host });
  }
  if (runtime !== undefined) {
    expectObject(call, "runtime", runtime);
    parts.push({ part: "runtime", value: withManagedSearch(runtime, host.config) });
  }
  if (publicArtifacts !== undefined) {
    expectObject(call, "publicArtifacts", publicArtifacts);
    parts.push({ part: "publicArtifacts", value: publicArtifacts });
  }
  return parts;
}
