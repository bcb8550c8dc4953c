import type { ModelProvider } from "@openclaw/plugin-sdk";
import { BACKEND_ORDER } from "./backend.js";

/** Provider that is always available and free. */
export const DEMO_PROVIDER_ID = "demo";

/**
 * Sorts the providers in the order of choice; the demo provider is last.
 * @param providers - providers in the order of registration, which decides among those without a fixed
 * position
 */
export function byPreference(providers: Iterable<ModelProvider>): ModelProvider[] {
  return [...providers].sort((left, right) => place(left) - place(right));
}

/**
 * Returns the provider of a model name without a provider: the first in order that has a credential, else the
 * demo provider, else none.
 * @param providers - registered providers
 */
export function defaultProvider(providers: Iterable<ModelProvider>): ModelProvider | undefined {
  return byPreference(providers).find(
    (provider) => provider.credential !== undefined || provider.id === DEMO_PROVIDER_ID,
  );
}

function place({ id }: ModelProvider): number {
  if (id === DEMO_PROVIDER_ID) return BACKEND_ORDER.length + 1;
  const index = BACKEND_ORDER.indexOf(id);
  return index === -1 ? BACKEND_ORDER.length : index;
}
