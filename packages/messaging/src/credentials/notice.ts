import type { CredentialPrompt } from "@openclaw/plugin-sdk/services";
import type { CredentialRequest } from "@openclaw/store";

/** Content of the inbox row of a message that was a credential. */
export const CREDENTIAL_PLACEHOLDER = "[credential]";
/** Digest of the request of such a message; that of its text could be guessed. */
export const CREDENTIAL_DIGEST = "credential";
const LONGEST_INSTRUCTIONS = 2000;

/**
 * Returns the text that asks a person for a credential.
 * @param pluginId - plugin that gets it
 * @param prompt - name and explanation
 */
export function credentialNotice(
  pluginId: string,
  { name, instructions, authUrl, setupUrl }: CredentialPrompt,
): string {
  return [
    `The plugin ${pluginId} needs the credential "${name}".`,
    instructions?.slice(0, LONGEST_INSTRUCTIONS),
    setupUrl === undefined ? undefined : `Set it up at ${setupUrl}`,
    authUrl === undefined ? undefined : `Get it at ${authUrl}`,
    "Send it as your next message. It is stored encrypted; the model, the transcript and the log do not get it.",
    "Send auth-cancel to cancel. The request ends after 10 minutes.",
  ]
    .filter((line) => line !== undefined && line !== "")
    .join("\n");
}

/** Returns the confirmation of a stored credential. */
export function credentialConfirmation({ name, pluginId }: CredentialRequest): string {
  return `The credential "${name}" of the plugin ${pluginId} is stored. Send a message to continue.`;
}
