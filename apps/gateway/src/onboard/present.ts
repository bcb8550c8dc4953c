import { loadOperatorConfiguration } from "../configuration.js";
import type { Answers } from "./answers.js";
import { PROVIDER_IDS, type ProviderId, providerOf } from "./provider.js";

/** Settings that a setup starts from. */
export interface PresentSetup {
  readonly answers: Partial<Answers>;
  /**
   * Returns true if the configuration has a key of a provider.
   * @param provider - ID of the provider
   */
  hasKey(provider: ProviderId): boolean;
}

/**
 * Reads the settings of the configuration, so that a repeated setup keeps what it does not change.
 * @param environment - environment variables of the command
 * @throws ConfigurationError when the configuration is not valid
 */
export async function presentSetup(environment: NodeJS.ProcessEnv): Promise<PresentSetup> {
  const { value } = await loadOperatorConfiguration(environment);
  const ref = value.agents?.defaults?.model ?? "";
  const [id = "", ...name] = ref.split("/");
  const provider = PROVIDER_IDS.find((each) => each === id);
  const model = name.join("/");
  return {
    answers: provider === undefined ? {} : { provider, ...(model === "" ? {} : { model }) },
    hasKey(of) {
      const { plugin = "", secret } = providerOf(of);
      const { apiKey } = Object(value.plugins?.entries?.[plugin]?.config);
      return secret !== undefined && apiKey !== undefined;
    },
  };
}
