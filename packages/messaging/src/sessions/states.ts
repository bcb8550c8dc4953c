import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HostSessionPort } from "@openclaw/plugin-sdk/services";
import type { SessionExtension } from "@openclaw/plugin-sdk/sessions";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type {
  Session,
  SessionExtensionChange,
  SessionExtensionOutcome,
  SessionExtensionPlace,
  SessionExtensionValue,
  Store,
} from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";
import type { LiveSessions } from "./live-sessions.js";

/** Public view of a value that a plugin keeps with a session (PLUG-038). */
export interface PluginExtensionView {
  readonly pluginId: string;
  readonly namespace: string;
  readonly value: JsonValue;
  /** Version of the stored value, for a change that expects it. */
  readonly version: number;
}

/** Session as shown in lists. */
export interface SessionRow extends Session {
  readonly pluginExtensions: readonly PluginExtensionView[];
}

/** Values that plugins keep with sessions, and their additions to later turns. */
export class SessionStates {
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #live: Pick<LiveSessions, "of" | "find">;

  /**
   * @param store - store of the host
   * @param live - sessions whose values are in memory
   * @param logger - receives failures of plugins
   */
  constructor(store: Store, live: Pick<LiveSessions, "of" | "find">, logger: Logger) {
    this.#store = store;
    this.#live = live;
    this.#logger = logger;
  }

  /** Host services through which plugins access their values. */
  get services(): HostSessionPort {
    return {
      sessionState: {
        get: (pluginId, sessionKey, namespace) =>
          this.#store.sessions.extensions.get({ pluginId, sessionKey, namespace }),
        patch: async (pluginId, sessionKey, namespace, patch) => {
          const place = { pluginId, sessionKey, namespace };
          const value = await this.#store.sessions.extensions.patch(place, patch);
          this.#valuesOf(sessionKey)?.set(keyOf(pluginId, namespace), value ?? undefined);
          return value;
        },
        // Returns a copy, so that a handler cannot change the value by writing to it.
        peek: (pluginId, sessionKey, namespace) =>
          structuredClone(this.#valuesOf(sessionKey)?.get(keyOf(pluginId, namespace))),
      },
      enqueueInjection: (pluginId, injection) =>
        this.#store.sessions.injections.enqueue(pluginId, injection),
      pluginDisabled: (pluginId) => this.#forget({ pluginId }),
    };
  }

  /**
   * Changes the value of a plugin in a session for a client (GW-025).
   * @param place - session, plugin and namespace of the value
   * @param change - patch or new value
   * @param expectedVersion - version that the value must have; any when absent
   * @throws RowNotFoundError when the session does not exist
   */
  async change(
    place: SessionExtensionPlace,
    change: SessionExtensionChange,
    expectedVersion: number | undefined,
  ): Promise<SessionExtensionOutcome> {
    const { extensions } = this.#store.sessions;
    const outcome = await extensions.change(place, change, expectedVersion);
    if (outcome.outcome === "changed") {
      const { sessionKey, pluginId, namespace } = place;
      const key = keyOf(pluginId, namespace);
      this.#valuesOf(sessionKey)?.set(key, outcome.value ?? undefined);
    }
    return outcome;
  }

  /**
   * Loads the values of a session for the tool hooks of one turn.
   * @param plugins - plugins of the turn; nothing is read when none of them keeps such values
   * @returns handle that releases the values
   */
  async hold(
    sessionKey: string,
    { sessionExtensions }: PluginRuntime["current"],
  ): Promise<Disposable> {
    if (sessionExtensions.length === 0) return { [Symbol.dispose]: () => undefined };
    const session = this.#live.of(sessionKey);
    session.heldValues ??= { holders: 0, values: new Map() };
    const held = session.heldValues;
    held.holders += 1;
    const release = () => {
      held.holders -= 1;
      if (held.holders > 0) return;
      session.heldValues = undefined;
      session.release();
    };
    try {
      const stored = await this.#store.sessions.extensions.ofSessions([sessionKey]);
      for (const { pluginId, namespace, value } of stored) {
        const key = keyOf(pluginId, namespace);
        // A value that was patched during the read is newer.
        if (!held.values.has(key)) held.values.set(key, value);
      }
    } catch (error) {
      release();
      throw error;
    }
    return { [Symbol.dispose]: release };
  }

  /**
   * Ends the plugin values of a session that is reset or deleted: runs the plugins' cleanups, then deletes
   * the values and the queued additions to turns (TURN-050, PLUG-042).
   * @param reason - reason for the plugins' cleanup
   * @param plugins - plugins to notify
   */
  async end(
    sessionKey: string,
    reason: "reset" | "delete",
    plugins: Pick<PluginRuntime, "cleanUp">,
  ): Promise<void> {
    await plugins.cleanUp({ reason, sessionKey });
    await this.#forget({ sessionKey });
    this.#valuesOf(sessionKey)?.clear();
  }

  /**
   * Deletes the values of plugins that were disabled while no host ran.
   * @param plugins - loaded plugins
   */
  async forgetDisabled({ plugins }: PluginRuntime["current"]): Promise<void> {
    for (const { id, status } of plugins) {
      if (status === "disabled") await this.#forget({ pluginId: id });
    }
  }

  /**
   * Returns sessions with the public views of their plugin values (TURN-050).
   * @param sessions - stored sessions
   * @param plugins - active plugins; values of others are left out
   */
  async rows(
    sessions: readonly Session[],
    plugins: Pick<PluginRuntime, "current">,
  ): Promise<readonly SessionRow[]> {
    const { sessionExtensions } = plugins.current;
    if (sessionExtensions.length === 0) {
      return sessions.map((session) => ({ ...session, pluginExtensions: [] }));
    }
    const keys = sessions.map(({ sessionKey }) => sessionKey);
    const stored = await this.#store.sessions.extensions.ofSessions(keys);
    return sessions.map((session) => ({
      ...session,
      pluginExtensions: stored.flatMap((kept) => {
        if (kept.sessionKey !== session.sessionKey) return [];
        const registered = sessionExtensions.find(
          ({ pluginId, extension }) =>
            pluginId === kept.pluginId && extension.namespace === kept.namespace,
        );
        return registered === undefined ? [] : this.#view(registered.extension, kept);
      }),
    }));
  }

  #view(
    { project }: SessionExtension,
    { pluginId, namespace, sessionKey, value, version }: SessionExtensionValue,
  ): PluginExtensionView[] {
    try {
      const shown = project === undefined ? value : project(value);
      return shown === undefined ? [] : [{ pluginId, namespace, value: shown, version }];
    } catch (error) {
      const { message } = failureRecord(error);
      const problem = `session extension "${namespace}" of plugin "${pluginId}" could not be shown: ${message}`;
      this.#logger.warn(problem, { code: "SESSION_EXTENSION_UNSHOWN", pluginId, sessionKey });
      return [];
    }
  }

  #valuesOf(sessionKey: string): Map<string, JsonValue | undefined> | undefined {
    return this.#live.find(sessionKey)?.heldValues?.values;
  }

  async #forget(owner: { sessionKey: string } | { pluginId: string }): Promise<void> {
    await this.#store.transaction(async (unit) => {
      await unit.sessions.extensions.clear(owner);
      await unit.sessions.injections.clear(owner);
    });
  }
}

/** Builds a key; neither plugin IDs nor namespaces contain a line break. */
function keyOf(pluginId: string, namespace: string): string {
  return `${pluginId}\n${namespace}`;
}
