import type { JsonValue } from "../schema/json.js";
import type { SessionExtension } from "./extension.js";
import type { NextTurnInjection, NextTurnInjectionReceipt } from "./next-turn-injection.js";

/** Values of the plugin's own that the host keeps with each session. */
export interface PluginSessionState {
  /**
   * Declares such a value.
   * @param extension - its name, and what listings show of it
   */
  registerSessionExtension(extension: SessionExtension): void;
  /**
   * Reads the value of a session.
   * @param sessionKey - the session
   * @param namespace - of an extension this plugin registered
   * @throws RuntimeCapabilityError on a host that keeps none yet
   */
  get(sessionKey: string, namespace: string): Promise<JsonValue | undefined>;
  /**
   * Changes the value of a session by a JSON merge patch.
   * @param sessionKey - the session
   * @param namespace - of an extension this plugin registered
   * @param patch - null removes a field
   * @returns the value as it is now
   * @throws RuntimeCapabilityError on a host that keeps none yet
   */
  patch(sessionKey: string, namespace: string, patch: JsonValue): Promise<JsonValue>;
}

/** What a plugin may add to the turns of a session. */
export interface PluginSessionWorkflow {
  /**
   * Leaves text for the next turn of a session.
   * @param injection - the text, and for whom
   * @throws RuntimeCapabilityError on a host that keeps none yet
   */
  enqueueNextTurnInjection(injection: NextTurnInjection): Promise<NextTurnInjectionReceipt>;
}

/** The sessions' side of the `api`. */
export interface PluginSession {
  readonly state: PluginSessionState;
  readonly workflow: PluginSessionWorkflow;
}
