import type { OpenClawConfiguration } from "@openclaw/configuration";
import { defined } from "@openclaw/foundation";
import { loadOperatorConfiguration } from "../configuration.js";
import type { Answers } from "./answers.js";
import { PROVIDER_IDS, type ProviderId, providerOf } from "./provider.js";
import type { NamedServer } from "./servers.js";

/** Settings that a setup starts from. */
export interface PresentSetup {
  readonly answers: Partial<Answers>;
  /** Returns true if the configuration has a key of a provider. */
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
  const servers = namedServers(value, ref);
  const provider = servers ? "openai-compatible" : PROVIDER_IDS.find((each) => each === id);
  const model = name.join("/");
  return {
    answers:
      provider === undefined
        ? {}
        : { provider, ...(model === "" ? {} : { model }), ...defined({ servers }) },
    hasKey(of) {
      const { plugin = "", secret } = providerOf(of);
      const { apiKey } = Object(value.plugins?.entries?.[plugin]?.config);
      return secret !== undefined && apiKey !== undefined;
    },
  };
}

/** Returns the named servers of the default model and of its fallbacks; undefined when it is not one of a named server. */
function namedServers(
  { models, agents }: OpenClawConfiguration,
  preferred: string,
): readonly NamedServer[] | undefined {
  const further = agents?.defaults?.fallbacks ?? [];
  const refs = [
    preferred,
    ...further.map((each) => (typeof each === "string" ? each : each.model)),
  ];
  const servers = refs.map((ref): NamedServer | undefined => {
    const [name = "", ...model] = ref.split("/");
    const url = models?.providers?.[name]?.baseUrl;
    return url === undefined ? undefined : { name, url, model: model.join("/") };
  });
  if (servers[0] === undefined) return undefined;
  return servers.filter((server) => server !== undefined);
}
