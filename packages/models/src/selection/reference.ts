import { nearestName, nearestNames } from "@openclaw/foundation";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import { ModelNotFoundError } from "../errors.js";
import { assertInstalled, providerIdOf } from "./backend.js";
import { byPreference, DEMO_PROVIDER_ID, defaultProvider } from "./provider-order.js";

/** Parts of a model's full name. */
export interface ModelReference {
  /** `<provider id>/<model id>`. */
  ref: string;
  provider: ModelProvider;
  /** Model ID, which may contain further slashes. */
  modelId: string;
}

/**
 * Parses the name of a model: `provider/model`, a provider alone (its default model), or a model alone (of
 * the default provider). Model IDs are not checked, because a provider may serve any.
 * @param ref - name; leading and trailing blanks are ignored
 * @param providers - registered providers
 * @throws ModelNotFoundError when it does not belong to a registered provider
 * @throws ModelProviderNotInstalledError when it belongs to a provider whose package is not installed
 */
export function modelReference(ref: string, providers: readonly ModelProvider[]): ModelReference {
  const wanted = ref.trim();
  const slash = wanted.indexOf("/");
  const named = providerOf(slash === -1 ? wanted : wanted.slice(0, slash), providers);
  if (named !== undefined) {
    const modelId = slash === -1 ? "" : wanted.slice(slash + 1);
    return fullReference(wanted, named, modelId || named.defaultModel);
  }
  if (wanted === "") throw notFound(ref, "the name is empty", providers);
  assertInstalled(providerIdOf(slash === -1 ? wanted : wanted.slice(0, slash)));
  if (slash !== -1) {
    const problem = `provider "${wanted.slice(0, slash)}" not found`;
    throw notFound(wanted, problem, providers);
  }
  const provider = defaultProvider(providers);
  if (
    provider === undefined ||
    (provider.id === DEMO_PROVIDER_ID && wanted !== provider.defaultModel)
  ) {
    throw notFound(
      wanted,
      "it does not name a provider, and no provider except the demo provider has a credential",
      providers,
    );
  }
  return fullReference(wanted, provider, wanted);
}

/**
 * Returns the error for an unknown name, with the nearest names and the setup of their providers.
 * @param ref - requested name
 * @param problem - description of the unknown part
 * @param providers - registered providers
 * @param models - further existing names
 */
export function notFound(
  ref: string,
  problem: string,
  providers: readonly ModelProvider[],
  models: readonly string[] = [],
): ModelNotFoundError {
  const known = byPreference(providers).map(defaultReference);
  const ids = new Map(providers.map((provider) => [provider.id, provider]));
  const slash = ref.indexOf("/");
  const nearProvider = nearestName(slash === -1 ? ref : ref.slice(0, slash), ids.keys());
  const sameModel =
    nearProvider === undefined || slash === -1 ? [] : [nearProvider + ref.slice(slash)];
  const near = new Set([...sameModel, ...nearestNames(ref, [...models, ...known])]);
  near.delete(ref);
  const nearest = [...near];
  const meant = ids.get(nearProvider ?? nearest[0]?.split("/")[0] ?? "");
  const setup =
    meant === undefined || meant.credential !== undefined
      ? undefined
      : `To use ${meant.id}: ${meant.setup}.`;
  const list = `Known: ${known.join(", ") || "no providers"}.`;
  return new ModelNotFoundError(ref, problem, nearest, setup ?? list);
}

function providerOf(id: string, providers: readonly ModelProvider[]): ModelProvider | undefined {
  const wanted = providerIdOf(id);
  return providers.find((provider) => provider.id === wanted);
}

function fullReference(asked: string, provider: ModelProvider, modelId: string): ModelReference {
  if (modelId === "") {
    throw new ModelNotFoundError(
      asked,
      `provider "${provider.id}" has no default model`,
      [],
      `Name one as ${provider.id}/<model>, or: ${provider.setup}.`,
    );
  }
  return { ref: `${provider.id}/${modelId}`, provider, modelId };
}

function defaultReference({ id, defaultModel }: ModelProvider): string {
  return defaultModel === "" ? `${id}/<model>` : `${id}/${defaultModel}`;
}
