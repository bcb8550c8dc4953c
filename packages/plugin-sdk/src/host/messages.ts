/** Conversation on a channel. */
export interface MessageTarget {
  /** Name of the channel. */
  readonly channel: string;
  /** Conversation as the channel names it, for example `context.channelId` of a message. */
  readonly to: string;
  readonly accountId?: string;
  readonly threadId?: string;
}

/** Message of a plugin that answers none. */
export interface PluginMessage extends MessageTarget {
  readonly text: string;
}

/** Outcome of a message. */
export type MessageReceipt =
  | { readonly status: "delivered" }
  /** A hook cancelled it. */
  | { readonly status: "suppressed"; readonly reason: string }
  | { readonly status: "failed"; readonly error: string };

/** Request for a credential, which the person sends as the next message of the conversation. */
export interface CredentialPrompt {
  /** Full key of the session of the conversation, from the context of the tool. */
  readonly sessionKey: string;
  /** Name of the secret in `api.store.secrets` under which the credential is stored. */
  readonly name: string;
  /** One or two sentences for the person. */
  readonly instructions?: string;
  /** URL at which the person gets the credential. */
  readonly authUrl?: string;
  /** URL at which the person sets up the service. */
  readonly setupUrl?: string;
}

/** Sends messages that answer none, and asks people for credentials. */
export interface RuntimeMessages {
  /**
   * Sends a message to a conversation. It is stored first, passes `before_dispatch` and `message_sending` like a reply,
   * and is divided to fit the channel (SDK-054).
   * @param message - text and conversation
   * @throws an error with code `MESSAGE_TARGET_NOT_FOUND` for a channel that is not running
   */
  send(message: PluginMessage): Promise<MessageReceipt>;
  /**
   * Asks the conversation of a session for a credential. Its next message that is not a command is stored encrypted in
   * the secrets of the plugin; no model, hook, transcript or log gets it. The request ends after 10 minutes (SUB-045).
   * @param prompt - session, name of the secret and explanation
   * @throws an error with code `CREDENTIAL_REQUEST_REFUSED` while the conversation was asked for another credential
   */
  requestCredential?(prompt: CredentialPrompt): Promise<void>;
}
