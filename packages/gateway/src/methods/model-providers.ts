import { defined, withDeadline } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import type { Host } from "../host/running-host.js";

/** Time in milliseconds for a provider to list its models. */
const MODEL_LIST_MS = 2000;

/** Provider as `models.list` describes it. */
export type DescribedProvider = GatewayMethodResult<"models.list">["providers"][number];

/**
 * Describes the providers of models, with the setup of those that are not ready.
 * @param host - host with its plugins loaded
 */
export async function describeProviders(
  host: Pick<Host, "services">,
): Promise<readonly DescribedProvider[]> {
  return Promise.all(host.services.models.providers().map(providerOf));
}

type Provider = ReturnType<Host["services"]["models"]["providers"]>[number];

async function providerOf(provider: Provider): Promise<DescribedProvider> {
  const { id, label, defaultModel, paid, credential, setup } = provider;
  const isReady = !paid || credential !== undefined;
  return {
    id,
    defaultModel: `${id}/${defaultModel}`,
    models: await modelsOf(provider),
    paid,
    ready: isReady,
    ...defined({ label, setup: isReady ? undefined : setup }),
  };
}

/** A provider that fails or is slow is listed without its models. */
async function modelsOf(provider: Provider): Promise<string[]> {
  try {
    const listed = await withDeadline(MODEL_LIST_MS, async () => provider.listModels?.() ?? []);
    return listed.map((model) => `${provider.id}/${model}`);
  } catch {
    return [];
  }
}
