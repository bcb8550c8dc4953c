import { type ConfigurationChange, changeConfiguration } from "@openclaw/configuration";
import { storeSecretsOf } from "../configuration/secret-storage.js";
import { EXTENSION_CHECKS } from "../configuration.js";
import { configurationFileOf } from "../installation.js";
import { withSecretMethods } from "../secrets/methods.js";
import type { CommandContext } from "../shell/context.js";
import type { Answers } from "./answers.js";
import { providerOf } from "./provider.js";
import { keyVariableOf } from "./servers.js";

/**
 * Returns the models of a setup, the preferred one first.
 * @param answers - answers of the setup
 */
export function modelsOf({ provider, model, servers }: Answers): readonly string[] {
  if (servers !== undefined) {
    return servers.map((server) => `${server.name}/${server.model ?? model}`);
  }
  return [`${provider}/${model || providerOf(provider).defaultModel}`];
}

/**
 * Saves a setup: the database first, because it has the secrets, then the key, then the rest of the
 * configuration. Comments and other keys of the file stay.
 * @param answers - answers of the setup
 * @param apiKey - key to store; undefined keeps that of the environment or of an earlier setup
 * @throws ConfigurationError, SecretKeyError, StoreUnavailableError
 */
export async function saveSetup(
  answers: Answers,
  apiKey: string | undefined,
  context: CommandContext,
): Promise<void> {
  const { environment } = context;
  const file = configurationFileOf(environment);
  const write = async (changes: readonly ConfigurationChange[]) => {
    if (changes.length === 0) return;
    const options = { checks: EXTENSION_CHECKS, environment };
    const { changes: kept } = await storeSecretsOf(changes, options, context);
    await changeConfiguration(file, kept, options);
  };
  const { provider, baseURL, servers, database } = answers;
  const { plugin, secret } = providerOf(provider);
  if (database !== undefined) {
    await write([[["store", "url"], database === "sqlite" ? undefined : database]]);
  }
  if (apiKey !== undefined && secret !== undefined) {
    await withSecretMethods(context, (call) =>
      call("secrets.set", { name: secret, value: apiKey }),
    );
  }
  const [first, ...fallbacks] = modelsOf(answers);
  const changes: ConfigurationChange[] = [[["agents", "defaults", "model"], first]];
  if (servers !== undefined) {
    for (const { name, url } of servers) {
      const server = ["models", "providers", name] as const;
      changes.push([[...server, "type"], "openai-compatible"], [[...server, "baseUrl"], url]);
      const key = environment[keyVariableOf(name)];
      if (key) changes.push([[...server, "apiKey"], key]);
    }
    changes.push([["agents", "defaults", "fallbacks"], fallbacks]);
    return write(changes);
  }
  const set = (key: string, value: string) =>
    changes.push([["plugins", "entries", plugin ?? "", "config", key], value]);
  if (apiKey !== undefined && secret !== undefined) set("apiKey", `\${secret:${secret}}`);
  if (baseURL !== undefined) set("baseURL", baseURL);
  await write(changes);
}
