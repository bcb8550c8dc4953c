import { randomBytes } from "node:crypto";
import { ChannelStartupFailedError } from "@openclaw/plugin-sdk/channel-core";
import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";
import type { Capabilities } from "@openclaw/wasm-host";

/**
 * Generates the secrets that a channel may have generated, and checks the others (WASM-013).
 * @throws ChannelStartupFailedError for a secret that is missing
 */
export async function provideSecrets(
  channel: string,
  required: Capabilities["requiredSecrets"],
  store: PluginSecretStore | undefined,
): Promise<void> {
  for (const { name, prompt, isOptional, generatedLength } of required) {
    if ((await store?.get(name)) !== undefined) continue;
    if (generatedLength !== undefined && store !== undefined) {
      const text = randomBytes(generatedLength).toString("base64url");
      await store.set(name, text.slice(0, generatedLength));
      continue;
    }
    if (isOptional) continue;
    const problem = `the secret ${name} is not stored (${prompt}); store it with \`openclaw wasm secret ${name}\``;
    throw new ChannelStartupFailedError(channel, problem);
  }
}
