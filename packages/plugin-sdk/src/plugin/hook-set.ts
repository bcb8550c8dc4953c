import type { JsonObject } from "../schema/json.js";

/** Numbers of a configured hook since it was loaded. */
export interface ConfiguredHookCounts {
  /** Events that passed its filter. */
  readonly matched: number;
  readonly modified: number;
  readonly blocked: number;
  readonly failed: number;
}

/** Hook that is written as configuration, and that a plugin runs. */
export interface ConfiguredHook {
  /** Name with its source, for example `config::no-secrets`. */
  readonly name: string;
  /** File or key of the configuration that defines it. */
  readonly source: string;
  /** Points as written, for example `beforeToolCall`. */
  readonly points: readonly string[];
  /** For example `shell`. */
  readonly action: string;
  readonly priority: number;
  /**
   * `unapproved`: its file has shell actions that the operator has not approved. `invalid`: its definition has a
   * mistake. A gate that fails closed stops its events in both states; other hooks are off.
   */
  readonly state: "active" | "disabled" | "unapproved" | "invalid";
  /** Why it is unapproved or invalid, with the next step. */
  readonly reason?: string;
  readonly counts: ConfiguredHookCounts;
}

/** A configured hook with everything that is known about it. */
export interface ConfiguredHookDetails extends ConfiguredHook {
  /** Its definition, without secrets. */
  readonly definition: JsonObject;
  /** Its last runs, newest first, without secrets. */
  readonly runs: readonly JsonObject[];
  /** Its last deliveries, newest first; empty for a hook that is not a webhook. */
  readonly deliveries: readonly JsonObject[];
}

/** File or setting that could not be read as hooks, or that waits for approval. */
export interface HookSetProblem {
  readonly source: string;
  readonly message: string;
  /** `error` for a hook that the operator configured and that is off; `warn` when absent. */
  readonly level?: "warn" | "error";
}

/** Hooks, and what prevents others. */
export interface HookSetContent {
  readonly hooks: readonly ConfiguredHook[];
  readonly problems: readonly HookSetProblem[];
}

/** File with shell actions whose content the operator approves. */
export interface HookApproval {
  readonly file: string;
  /** SHA-256 of the file, in hex. */
  readonly hash: string;
  /** Commands that it runs. */
  readonly commands: readonly string[];
  readonly approved: boolean;
}

/**
 * Configured hooks of a plugin, which `openclaw hooks` shows and changes. A name may be given without its source where
 * it is clear. The functions with a name return undefined when the set has no such hook.
 */
export interface HookSet {
  /** Returns the hooks in the order of their sources. */
  list(): HookSetContent | Promise<HookSetContent>;
  /** @param name - name of a hook */
  show(name: string): Promise<ConfiguredHookDetails | undefined>;
  /**
   * Enables or disables a hook, also after a restart.
   * @param name - name of a hook
   * @param enabled - new state
   */
  setEnabled(name: string, enabled: boolean): Promise<ConfiguredHook | undefined>;
  /**
   * Runs a hook with an event, as if the event had happened. Its action has its effects.
   * @param name - name of a hook
   * @param input - fields of the event
   * @returns answer of the hook
   */
  test(name: string, input: JsonObject): Promise<JsonObject | undefined>;
  /**
   * Returns what an approval of a file covers, and approves it when its hash is given.
   * @param file - path, absolute or relative to the workspace
   * @param hash - hash of the content that the operator has seen
   * @returns undefined when the file has no shell actions
   */
  approve(file: string, hash?: string): Promise<HookApproval | undefined>;
}
