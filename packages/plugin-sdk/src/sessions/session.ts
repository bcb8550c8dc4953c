import type { JsonValue } from "../schema/json.js";
import type { SessionExtension } from "./extension.js";
import type { NextTurnInjection, NextTurnInjectionReceipt } from "./next-turn-injection.js";

/** Values that the host stores with each session for the plugin. */
export interface PluginSessionState {
  /**
   * Registers a session extension.
   * @param extension - namespace and form for lists
   */
  registerSessionExtension(extension: SessionExtension): void;
  /**
   * Returns the value of a session.
   * @param namespace - namespace of an extension that this plugin registered
   * @throws RuntimeCapabilityError on a host without session storage
   */
  get(sessionKey: string, namespace: string): Promise<JsonValue | undefined>;
  /**
   * Updates the value of a session with a JSON merge patch.
   * @param namespace - namespace of an extension that this plugin registered
   * @param patch - null removes a field
   * @returns the new value
   * @throws RuntimeCapabilityError on a host without session storage
   */
  patch(sessionKey: string, namespace: string, patch: JsonValue): Promise<JsonValue>;
}

/** Injections into the turns of a session. */
export interface PluginSessionWorkflow {
  /**
   * Queues text for the next turn of a session.
   * @param injection - text and session
   * @throws RuntimeCapabilityError on a host without session storage
   */
  enqueueNextTurnInjection(injection: NextTurnInjection): Promise<NextTurnInjectionReceipt>;
}

/** Session methods of the `api`. */
export interface PluginSession {
  readonly state: PluginSessionState;
  readonly workflow: PluginSessionWorkflow;
}
