import { defined, errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { CredentialPrompt } from "@openclaw/plugin-sdk/services";
import type { EventPublisher } from "@openclaw/protocol";
import type { CredentialRequest, Store } from "@openclaw/store";
import { CredentialRequestRefusedError } from "../errors.js";
import type { Caller } from "../messages/inbound.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { credentialNotice } from "./notice.js";

/** Time after which messages are ordinary input again, in milliseconds (SUB-046). */
const DURATION_MS = 10 * 60_000;
const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,127}$/;

/** Dependencies of {@link AuthenticationMode}. */
export interface AuthenticationModeDependencies {
  readonly live: Pick<LiveSessions, "of" | "find">;
  readonly store: Pick<Store, "credentialRequests">;
  readonly events: EventPublisher;
  readonly logger: Logger;
  /** True when the host stores the secrets of plugins. */
  readonly hasSecrets: boolean;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

type RequestCaller = Pick<Caller, "onRequest">;

/** Sessions whose next message is a credential (SUB-045). Requests survive a restart. */
export class AuthenticationMode {
  readonly #dependencies: AuthenticationModeDependencies;

  /** @param dependencies - sessions, stored requests, events, log and clock */
  constructor(dependencies: AuthenticationModeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Reads the requests of an earlier process; must be called before the first message. */
  async load(): Promise<void> {
    for (const request of await this.#dependencies.store.credentialRequests.list()) {
      this.#dependencies.live.of(request.sessionKey).credentialRequest = request;
    }
  }

  /**
   * Makes the next message of a session a credential, and asks its conversation for it.
   * @param pluginId - plugin that gets the credential
   * @param prompt - session, name and explanation
   * @throws CredentialRequestRefusedError when another request of the session is pending, or the name is invalid
   * @throws store errors
   */
  async request(pluginId: string, prompt: CredentialPrompt): Promise<void> {
    const { store, live, events, hasSecrets, now, logger } = this.#dependencies;
    const { sessionKey, name } = prompt;
    if (!hasSecrets) {
      throw new CredentialRequestRefusedError(name, "this host stores no secrets of plugins");
    }
    if (!NAME.test(name)) {
      const problem = "its name must start with a letter and have at most 128 of A-Z a-z 0-9 . _ -";
      throw new CredentialRequestRefusedError(name, problem);
    }
    const other = this.pending(sessionKey);
    if (other !== undefined && (other.pluginId !== pluginId || other.name !== name)) {
      const problem = `the conversation was asked for "${other.name}" of plugin "${other.pluginId}" first; ask again later`;
      throw new CredentialRequestRefusedError(name, problem);
    }
    const request = { sessionKey, pluginId, name, expiresAt: now() + DURATION_MS };
    await store.credentialRequests.put(request);
    live.of(sessionKey).credentialRequest = request;
    const { instructions, authUrl, setupUrl } = prompt;
    const explanation = defined({ instructions, authUrl, setupUrl });
    const text = credentialNotice(pluginId, prompt);
    events.publish("credential.required", {
      ...{ sessionKey, pluginId, name, expiresAt: request.expiresAt, text },
      ...explanation,
    });
    try {
      const status = { kind: "auth_required", extension: pluginId, ...explanation } as const;
      await live.of(sessionKey).credentialRequested(text, status);
    } catch (error) {
      // The model, which called the tool, tells the person as well.
      logger.error(`a request for a credential was not shown: ${errorMessage(error)}`);
    }
  }

  /**
   * Returns the pending request of a session; undefined when its messages are ordinary input.
   * @param sessionKey - full key of the session
   */
  pending(sessionKey: string): CredentialRequest | undefined {
    const { live, now } = this.#dependencies;
    const request = live.find(sessionKey)?.credentialRequest;
    if (request === undefined || now() < request.expiresAt) return request;
    this.#forget(sessionKey);
    this.#completed(request, "the request expired");
    return undefined;
  }

  /**
   * Ends the mode of a session without a credential (SUB-046).
   * @param sessionKey - full key of the session
   * @param caller - sender of the message that cancels it
   * @throws store errors
   */
  async cancel(sessionKey: string, caller: RequestCaller): Promise<void> {
    const { live, store } = this.#dependencies;
    const request = live.find(sessionKey)?.credentialRequest;
    if (request === undefined) return;
    await store.credentialRequests.remove(sessionKey);
    this.#forget(sessionKey);
    this.#completed(request, "the request was cancelled", caller);
  }

  /**
   * Ends the mode of a session whose credential was stored together with the end of its request.
   * @param caller - sender of the credential
   */
  fulfilled(request: CredentialRequest, caller: RequestCaller): void {
    this.#forget(request.sessionKey);
    this.#completed(request, undefined, caller);
  }

  #forget(sessionKey: string): void {
    const session = this.#dependencies.live.find(sessionKey);
    if (session === undefined) return;
    session.credentialRequest = undefined;
    session.release();
  }

  #completed(
    { sessionKey, pluginId, name }: CredentialRequest,
    problem?: string,
    caller?: RequestCaller,
  ): void {
    const { events } = this.#dependencies;
    const success = problem === undefined;
    const message = problem ?? "the credential is stored";
    events.publish("credential.completed", { sessionKey, pluginId, name, success, message });
    caller?.onRequest?.({ kind: "auth_completed", extension: pluginId, success, message });
  }
}
