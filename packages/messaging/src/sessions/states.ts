import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { HostSessionPort } from "@openclaw/plugin-sdk/services";
import type { SessionExtension } from "@openclaw/plugin-sdk/sessions";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Session, SessionExtensionValue, Store } from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";

/** What a plugin shows of the value it keeps with a session (PLUG-038). */
export interface PluginExtensionView {
  readonly pluginId: string;
  readonly namespace: string;
  readonly value: JsonValue;
}

/** A session as listings show it. */
export interface SessionRow extends Session {
  readonly pluginExtensions: readonly PluginExtensionView[];
}

/** The values of one session while a turn of it runs, by plugin and namespace. */
interface HeldSession {
  holders: number;
  /** Undefined for a value that was removed meanwhile. */
  readonly values: Map<string, JsonValue | undefined>;
}

/** What plugins keep with sessions, and leave for their next turns. */
export class SessionStates {
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #held = new Map<string, HeldSession>();

  /**
   * @param store - the host's
   * @param logger - takes failures of plugins that have nowhere else to go
   */
  constructor(store: Store, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** The part of the host's services that plugins reach it by. */
  get services(): HostSessionPort {
    return {
      sessionState: {
        get: (pluginId, sessionKey, namespace) =>
          this.#store.sessions.extensions.get({ pluginId, sessionKey, namespace }),
        patch: async (pluginId, sessionKey, namespace, patch) => {
          const place = { pluginId, sessionKey, namespace };
          const value = await this.#store.sessions.extensions.patch(place, patch);
          const held = this.#held.get(sessionKey);
          held?.values.set(keyOf(pluginId, namespace), value ?? undefined);
          return value;
        },
        // A copy: what a handler writes to it is no patch.
        peek: (pluginId, sessionKey, namespace) =>
          structuredClone(this.#held.get(sessionKey)?.values.get(keyOf(pluginId, namespace))),
      },
      enqueueInjection: (pluginId, injection) =>
        this.#store.sessions.injections.enqueue(pluginId, injection),
      pluginDisabled: (pluginId) => this.#forget({ pluginId }),
    };
  }

  /**
   * Keeps the values of a session at hand for the tool hooks of one turn.
   * @param sessionKey - the session
   * @param plugins - those of the turn; nothing is read where none of them keeps such values
   * @returns lets them go
   */
  async hold(
    sessionKey: string,
    { sessionExtensions }: PluginRuntime["current"],
  ): Promise<Disposable> {
    if (sessionExtensions.length === 0) return { [Symbol.dispose]: () => undefined };
    const held = this.#held.get(sessionKey) ?? { holders: 0, values: new Map() };
    this.#held.set(sessionKey, held);
    held.holders += 1;
    const release = () => {
      held.holders -= 1;
      if (held.holders === 0) this.#held.delete(sessionKey);
    };
    try {
      const stored = await this.#store.sessions.extensions.ofSessions([sessionKey]);
      for (const { pluginId, namespace, value } of stored) {
        const key = keyOf(pluginId, namespace);
        // What was patched while it was read is newer.
        if (!held.values.has(key)) held.values.set(key, value);
      }
    } catch (error) {
      release();
      throw error;
    }
    return { [Symbol.dispose]: release };
  }

  /**
   * Ends what plugins keep with a session that is reset or deleted: their cleanups run, then values and
   * waiting texts go (TURN-050, PLUG-042).
   * @param sessionKey - the session
   * @param reason - why
   * @param plugins - are told
   */
  async end(
    sessionKey: string,
    reason: "reset" | "delete",
    plugins: Pick<PluginRuntime, "cleanUp">,
  ): Promise<void> {
    await plugins.cleanUp({ reason, sessionKey });
    await this.#forget({ sessionKey });
    this.#held.get(sessionKey)?.values.clear();
  }

  /**
   * Drops what plugins kept that were turned off while no host ran.
   * @param plugins - as they were loaded
   */
  async forgetDisabled({ plugins }: PluginRuntime["current"]): Promise<void> {
    for (const { id, status } of plugins) {
      if (status === "disabled") await this.#forget({ pluginId: id });
    }
  }

  /**
   * Sessions with what plugins show of the values they keep (TURN-050).
   * @param sessions - as they are stored
   * @param plugins - those that count now; values of others are not shown
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
    { pluginId, namespace, sessionKey, value }: SessionExtensionValue,
  ): PluginExtensionView[] {
    try {
      const shown = project === undefined ? value : project(value);
      return shown === undefined ? [] : [{ pluginId, namespace, value: shown }];
    } catch (error) {
      const { message } = failureRecord(error);
      const problem = `session extension "${namespace}" of plugin "${pluginId}" cannot be shown: ${message}`;
      this.#logger.warn(problem, { code: "SESSION_EXTENSION_UNSHOWN", pluginId, sessionKey });
      return [];
    }
  }

  async #forget(owner: { sessionKey: string } | { pluginId: string }): Promise<void> {
    await this.#store.transaction(async (unit) => {
      await unit.sessions.extensions.clear(owner);
      await unit.sessions.injections.clear(owner);
    });
  }
}

/** Neither ids of plugins nor namespaces hold a line break. */
function keyOf(pluginId: string, namespace: string): string {
  return `${pluginId}\n${namespace}`;
}
