import { type ConfigurationChange, changeConfiguration } from "@openclaw/gateway/configuration";
import { EXTENSION_CHECKS } from "../configuration.js";
import { configurationFileOf } from "../installation.js";
import { withSecretMethods } from "../secrets/methods.js";
import type { CommandContext } from "../shell/context.js";
import type { Answers } from "./answers.js";
import { providerOf } from "./provider.js";

/**
 * Saves a setup: the database first, because it has the secrets, then the key, then the rest of the
 * configuration. Comments and other keys of the file stay.
 * @param answers - answers of the setup
 * @param apiKey - key to store; undefined keeps that of the environment or of an earlier setup
 * @param context - environment
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
    if (changes.length > 0) {
      await changeConfiguration(file, changes, { checks: EXTENSION_CHECKS, environment });
    }
  };
  const { provider, baseURL, model, database } = answers;
  const { plugin, secret, defaultModel } = providerOf(provider);
  if (database !== undefined) {
    await write([[["store", "url"], database === "sqlite" ? undefined : database]]);
  }
  if (apiKey !== undefined && secret !== undefined) {
    await withSecretMethods(context, (call) =>
      call("secrets.set", { name: secret, value: apiKey }),
    );
  }
  const changes: ConfigurationChange[] = [
    [["agents", "defaults", "model"], `${provider}/${model || defaultModel}`],
  ];
  const set = (key: string, value: string) =>
    changes.push([["plugins", "entries", plugin ?? "", "config", key], value]);
  if (apiKey !== undefined && secret !== undefined) set("apiKey", `\${secret:${secret}}`);
  if (baseURL !== undefined) set("baseURL", baseURL);
  await write(changes);
}
