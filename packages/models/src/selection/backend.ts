import { nearestNames } from "@openclaw/foundation";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import { ModelProviderNotInstalledError, UnknownModelBackendError } from "../errors.js";

/** Provider that the product offers, whether its plugin is installed or not (LLM-008). */
interface Backend {
  /** ID of the provider. */
  readonly id: string;
  /** Names in `LLM_BACKEND` and in models, the preferred one first; a dash may replace an underscore. */
  readonly names: readonly string[];
  /** Package to install, when it is not part of `openclaw`. */
  readonly packageName?: string;
}

/** In the order in which providers with a credential are chosen. */
const BACKENDS: readonly Backend[] = [
  { id: "nearai", names: ["nearai"] },
  { id: "openai", names: ["openai"] },
  { id: "anthropic", names: ["anthropic"] },
  { id: "google", names: ["gemini", "google"] },
  { id: "bedrock", names: ["bedrock", "aws"], packageName: "@openclaw/bedrock" },
  { id: "ollama", names: ["ollama"] },
  { id: "openrouter", names: ["openrouter"] },
  { id: "openai-compatible", names: ["openai_compatible"] },
];

/** IDs of the providers in the order of choice. */
export const BACKEND_ORDER: readonly string[] = BACKENDS.map(({ id }) => id);

/**
 * Returns the ID of the provider with a name: the names of the product's own providers are translated, any other is
 * returned in lower case.
 * @param name - ID or another name of a provider, in any case
 */
export function providerIdOf(name: string): string {
  const wanted = name.toLowerCase();
  const known = wanted.replaceAll("-", "_");
  return BACKENDS.find(({ names }) => names.includes(known))?.id ?? wanted;
}

/**
 * Returns true when a model belongs to the provider with a name.
 * @param ref - `provider/model`
 * @param name - ID or another name of the provider, for example the value of `LLM_BACKEND`
 */
export function isModelOf(ref: string, name: string): boolean {
  const [provider = ""] = ref.split("/");
  return providerIdOf(provider) === providerIdOf(name.trim());
}

/**
 * Throws when a provider is one of the product's own whose package is not installed.
 * @param id - ID of a provider that is not registered
 * @throws ModelProviderNotInstalledError
 */
export function assertInstalled(id: string): void {
  const packageName = BACKENDS.find((backend) => backend.id === id)?.packageName;
  if (packageName !== undefined) throw new ModelProviderNotInstalledError(id, packageName);
}

/**
 * Returns the provider that `LLM_BACKEND` names: one of the product's own, or that of a plugin.
 * @param value - value of the variable
 * @param providers - registered providers
 * @throws UnknownModelBackendError with the list when it names neither
 */
export function backendReference(value: string, providers: readonly ModelProvider[]): string {
  const id = providerIdOf(value.trim());
  const others = providers.map((provider) => provider.id);
  if (BACKEND_ORDER.includes(id) || others.includes(id)) return id;
  const names = BACKENDS.flatMap((backend) => backend.names);
  throw new UnknownModelBackendError(
    value,
    BACKENDS.map(({ names: [name = "", ...aliases] }) => ({ name, aliases })),
    nearestNames(value.trim().toLowerCase(), [...names, ...others]),
  );
}
