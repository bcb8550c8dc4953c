import type { PluginDatabase } from "@openclaw/plugin-sdk/store";

/** Prefix of the keys that all sessions of an agent share. */
const SHARED = /^shared[._-]/;

/** Owner of the values of `state.set` and `diff.last`. */
export interface StateOwner {
  readonly agentId: string;
  readonly sessionKey: string;
}

/** Files of the engine's state folder by name. */
export type StateFiles = Readonly<Record<string, string>>;

/**
 * Values that pipelines keep between runs: of a session, or of all sessions of an agent for keys that begin with
 * `shared.` (LOB-021).
 */
export class SessionState {
  readonly #database: () => Promise<PluginDatabase>;

  /** @param database - opens the database of the plugin */
  constructor(database: () => Promise<PluginDatabase>) {
    this.#database = database;
  }

  /**
   * Returns the values that a run of a session can read.
   * @param owner - agent and session
   */
  async load(owner: StateOwner): Promise<StateFiles> {
    const database = await this.#database();
    const rows = await database.query<{ file: string; content: string }>(
      "select file, content from session_state where scope = $1 or scope = $2",
      [scopeOf(owner, ""), scopeOf(owner, "shared.")],
    );
    return Object.fromEntries(rows.map(({ file, content }) => [file, content]));
  }

  /**
   * Stores the values that a run changed.
   * @param owner - agent and session
   * @param before - values before the run
   */
  async store(owner: StateOwner, before: StateFiles, after: StateFiles): Promise<void> {
    const changed = Object.entries(after).filter(([file, content]) => before[file] !== content);
    const removed = Object.keys(before).filter((file) => after[file] === undefined);
    if (changed.length === 0 && removed.length === 0) return;
    await (await this.#database()).transaction(async (unit) => {
      for (const [file, content] of changed) {
        await unit.query(
          `insert into session_state (scope, file, content) values ($1, $2, $3)
           on conflict (scope, file) do update set content = excluded.content`,
          [scopeOf(owner, file), file, content],
        );
      }
      for (const file of removed) {
        await unit.query("delete from session_state where scope = $1 and file = $2", [
          scopeOf(owner, file),
          file,
        ]);
      }
    });
  }

  /** Removes the values of a session in every agent; shared values stay. */
  async remove(sessionKey: string): Promise<void> {
    const database = await this.#database();
    const rows = await database.query<{ scope: string }>(
      "select distinct scope from session_state",
    );
    for (const { scope } of rows) {
      const [, , key] = JSON.parse(scope) as readonly string[];
      if (key === sessionKey) {
        await database.query("delete from session_state where scope = $1", [scope]);
      }
    }
  }
}

function scopeOf({ agentId, sessionKey }: StateOwner, file: string): string {
  return SHARED.test(file)
    ? JSON.stringify(["shared", agentId])
    : JSON.stringify(["session", agentId, sessionKey]);
}
