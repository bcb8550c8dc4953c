import { randomInt } from "node:crypto";
import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import {
  type NextGate,
  type RunRow,
  type RunStatus,
  type SuspendedRun,
  selectRuns,
} from "./run.js";

/** Alphabet of codes, without characters that are mistaken for others. */
const ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const CODE_LENGTH = 8;
/** Time in milliseconds for which a run that has ended is listed. */
const KEEP_MS = 7 * 24 * 3_600_000;

/** End of a run that was resumed. */
export interface RunEnd {
  readonly status: "done" | "failed";
  /** Envelope as JSON. */
  readonly result: string;
  /** True when the caller hands the result to the session itself; otherwise it is told with the next turn. */
  readonly isTold: boolean;
}

/** Suspended runs in the store of the plugin (LOB-022). Every change of a status is one conditional update. */
export class SuspendedRuns {
  readonly #database: () => Promise<PluginDatabase>;
  readonly #now: () => number;

  /**
   * @param database - opens the database of the plugin
   * @param now - returns milliseconds since the epoch
   */
  constructor(database: () => Promise<PluginDatabase>, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Returns a code for a new gate. */
  newCode(): string {
    return Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  }

  /** Stores a suspended run. */
  async add(
    run: Omit<SuspendedRun, "status" | "approvalId" | "approvalCode" | "result">,
  ): Promise<void> {
    const now = this.#now();
    await this.#query(
      `insert into runs (id, code, gate, kind, session_key, agent_id, status, need, name, prompt, digest, key_id,
        continuation, result, created_at, expires_at, changed_at)
       values ($1, $2, $3, $4, $5, $6, 'suspended', $7, $8, $9, $10, $11, $12, '', $13, $14, $15)`,
      [
        ...[run.id, run.code, run.gate, run.kind, run.sessionKey, run.agentId, run.need, run.name],
        ...[run.prompt, run.digest, run.keyId, run.continuation, run.createdAt, run.expiresAt, now],
      ],
    );
  }

  /**
   * Suspends a running run again at its next gate.
   * @param id - ID of the run
   */
  async suspendAgain(id: string, next: NextGate): Promise<void> {
    await this.#query(
      `update runs set status = 'suspended', approval_id = null, approval_code = null, need = $2, prompt = $3,
        key_id = $4, continuation = $5, gate = $6, code = $7, expires_at = $8, changed_at = $9 where id = $1`,
      [
        ...[id, next.need, next.prompt, next.keyId, next.continuation, next.gate, next.code],
        ...[next.expiresAt, this.#now()],
      ],
    );
  }

  /**
   * Records the approval request of a gate, unless another process was faster.
   * @param id - ID of the run
   * @param approval - ID and code of the request
   * @param before - ID of the request that it replaces; null for the first one
   * @returns false when the run has another request by now
   */
  async setApproval(
    id: string,
    approval: { readonly id: string; readonly code: string },
    before: string | null,
  ): Promise<boolean> {
    const rows = await this.#query<{ id: string }>(
      `update runs set approval_id = $2, approval_code = $3
       where id = $1 and coalesce(approval_id, '') = $4 returning id`,
      [id, approval.id, approval.code, before ?? ""],
    );
    return rows.length === 1;
  }

  /** @param id - ID of the run */
  async get(id: string): Promise<SuspendedRun | undefined> {
    return (await this.#select("where id = $1", [id]))[0];
  }

  /**
   * Returns the run with a code in a session.
   * @param sessionKey - session of the caller
   * @param code - code as the caller gave it
   */
  async withCode(sessionKey: string, code: string): Promise<SuspendedRun | undefined> {
    const spelled = code.trim().toUpperCase();
    return (await this.#select("where session_key = $1 and code = $2", [sessionKey, spelled]))[0];
  }

  /** @param approvalId - ID of an approval request */
  async withApproval(approvalId: string): Promise<SuspendedRun | undefined> {
    return (await this.#select("where approval_id = $1", [approvalId]))[0];
  }

  /**
   * Returns runs, newest first.
   * @param isSuspended - true for runs that wait, false for all
   */
  async list(isSuspended: boolean): Promise<readonly SuspendedRun[]> {
    const where = isSuspended ? "where status in ('suspended', 'claimed', 'running')" : "";
    return await this.#select(`${where} order by created_at desc, id limit 200`, []);
  }

  /**
   * Changes the status of a run if it has the expected one.
   * @param id - ID of the run
   * @param from - expected status
   * @param to - new status
   * @param gate - gate that the caller saw
   * @param isTold - false when the session of a run that ends is told with its next turn
   * @returns false when the run has another status, or waits at another gate
   */
  async change(
    id: string,
    from: RunStatus,
    to: RunStatus,
    gate: number,
    isTold = true,
  ): Promise<boolean> {
    const isOver = to !== "suspended" && to !== "claimed" && to !== "running";
    const rows = await this.#query<{ id: string }>(
      `update runs set status = $3, changed_at = $4, told = $6${isOver ? ", continuation = ''" : ""}
       where id = $1 and status = $2 and gate = $5 returning id`,
      [id, from, to, this.#now(), gate, isTold ? 1 : 0],
    );
    return rows.length === 1;
  }

  /**
   * Ends a run with its result, in one update.
   * @param id - ID of the run
   * @param gate - gate that the caller saw
   * @param end - status, envelope as JSON, and whether the caller hands the result to the session itself
   * @returns false when the run does not run, or waits at another gate
   */
  async finish(id: string, gate: number, { status, result, isTold }: RunEnd): Promise<boolean> {
    const rows = await this.#query<{ id: string }>(
      `update runs set status = $3, result = $4, told = $5, changed_at = $6, continuation = ''
       where id = $1 and gate = $2 and status = 'running' returning id`,
      [id, gate, status, result, isTold ? 1 : 0, this.#now()],
    );
    return rows.length === 1;
  }

  /**
   * Records that the session of a run knows its result.
   * @param id - ID of the run
   */
  async setTold(id: string): Promise<void> {
    await this.#query("update runs set told = 1 where id = $1", [id]);
  }

  /**
   * Shows other hosts that the process of a run is alive.
   * @param id - ID of the run
   */
  async touch(id: string): Promise<void> {
    await this.#query(
      "update runs set changed_at = $2 where id = $1 and status in ('claimed', 'running')",
      [id, this.#now()],
    );
  }

  /**
   * Marks expired runs, deletes their continuations, and removes runs that ended long ago (LOB-032).
   * @returns the runs that expired now
   */
  async tidy(): Promise<readonly SuspendedRun[]> {
    const now = this.#now();
    const expired = await this.#select("where status = 'suspended' and expires_at <= $1", [now]);
    for (const { id, gate } of expired) await this.change(id, "suspended", "timed-out", gate);
    await this.#query("delete from runs where continuation = '' and changed_at < $1", [
      now - KEEP_MS,
    ]);
    return expired;
  }

  /**
   * Removes the runs of a session, for its reset or deletion.
   * @returns the removed runs
   */
  async removeSession(sessionKey: string): Promise<readonly SuspendedRun[]> {
    const runs = await this.#select("where session_key = $1", [sessionKey]);
    await this.#query("delete from runs where session_key = $1", [sessionKey]);
    return runs;
  }

  /** @param id - ID of a run that could not be suspended */
  async remove(id: string): Promise<void> {
    await this.#query("delete from runs where id = $1", [id]);
  }

  async #select(where: string, parameters: readonly (string | number)[]) {
    return await selectRuns(await this.#database(), where, parameters);
  }

  async #query<Found extends object = RunRow>(
    sql: string,
    parameters: readonly (string | number)[],
  ): Promise<readonly Found[]> {
    return await (await this.#database()).query<Found>(sql, parameters);
  }
}
