import { randomInt } from "node:crypto";
import type { PluginDatabase } from "@openclaw/plugin-sdk/store";

/** Alphabet of codes, without characters that are mistaken for others. */
const ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const CODE_LENGTH = 8;
/** Time in milliseconds after which a claim of a process that died is released. */
const CLAIM_MS = 60_000;
/** Time in milliseconds for which a run that has ended is listed. */
const KEEP_MS = 7 * 24 * 3_600_000;

/** State of a suspended run. `claimed` is a resume whose next stage has not started yet. */
export type RunStatus =
  | "suspended"
  | "claimed"
  | "running"
  | "done"
  | "failed"
  | "cancelled"
  | "timed-out";

/** Suspended run. */
export interface SuspendedRun {
  readonly id: string;
  /** Code of 8 characters, valid within the session (LOB-026). */
  readonly code: string;
  /** Number of the gate, from 1. */
  readonly gate: number;
  readonly kind: "pipeline" | "workflow";
  readonly sessionKey: string;
  readonly agentId: string;
  readonly status: RunStatus;
  readonly need: "approval" | "input";
  /** Path of the workflow file, or the pipeline. */
  readonly name: string;
  readonly prompt: string;
  /** ID and code of the approval request; null until it is stored, and for a request for input. */
  readonly approvalId: string | null;
  readonly approvalCode: string | null;
  readonly digest: string;
  readonly keyId: string;
  /** Encrypted continuation; empty once the run has ended. */
  readonly continuation: string;
  /** Envelope of a run that has ended, as JSON; empty before. */
  readonly result: string;
  /** Times in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Fields of a run that is suspended again at a later gate. */
export type NextGate = Pick<
  SuspendedRun,
  "need" | "prompt" | "keyId" | "continuation" | "gate" | "code" | "expiresAt"
>;

interface Row {
  readonly id: string;
  readonly code: string;
  readonly gate: number;
  readonly kind: "pipeline" | "workflow";
  readonly session_key: string;
  readonly agent_id: string;
  readonly status: RunStatus;
  readonly need: "approval" | "input";
  readonly name: string;
  readonly prompt: string;
  readonly approval_id: string | null;
  readonly approval_code: string | null;
  readonly digest: string;
  readonly key_id: string;
  readonly continuation: string;
  readonly result: string;
  readonly created_at: number | bigint;
  readonly expires_at: number | bigint;
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

  /**
   * Stores a suspended run.
   * @param run - the run
   */
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
   * @param next - next gate
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
   * Records the approval request of a gate.
   * @param id - ID of the run
   * @param approval - ID and code of the request
   */
  async setApproval(
    id: string,
    approval: { readonly id: string; readonly code: string },
  ): Promise<void> {
    await this.#query("update runs set approval_id = $2, approval_code = $3 where id = $1", [
      ...[id, approval.id, approval.code],
    ]);
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
   * @returns false when the run has another status, or waits at another gate
   */
  async change(id: string, from: RunStatus, to: RunStatus, gate: number): Promise<boolean> {
    const isOver = to !== "suspended" && to !== "claimed" && to !== "running";
    const rows = await this.#query<{ id: string }>(
      `update runs set status = $3, changed_at = $4${isOver ? ", continuation = ''" : ""}
       where id = $1 and status = $2 and gate = $5 returning id`,
      [id, from, to, this.#now(), gate],
    );
    return rows.length === 1;
  }

  /**
   * Records the envelope of a run that has ended.
   * @param id - ID of the run
   * @param result - envelope as JSON
   */
  async setResult(id: string, result: string): Promise<void> {
    await this.#query("update runs set result = $2 where id = $1", [id, result]);
  }

  /**
   * Releases claims of processes that died before the next stage started, and marks runs whose process died during a
   * stage as failed, because their outcome is unknown (LOB-025).
   * @param isOnlyHost - true when no other process can be working on a run
   * @returns the failed runs
   */
  async recover(isOnlyHost: boolean): Promise<readonly SuspendedRun[]> {
    const before = isOnlyHost ? Number.MAX_SAFE_INTEGER : this.#now() - CLAIM_MS;
    await this.#query(
      "update runs set status = 'suspended' where status = 'claimed' and changed_at < $1",
      [before],
    );
    if (!isOnlyHost) return [];
    const lost = await this.#select("where status = 'running'", []);
    for (const { id, gate } of lost) await this.change(id, "running", "failed", gate);
    return lost;
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
   * @param sessionKey - the session
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
    const rows = await this.#query<Row>(`select * from runs ${where}`, parameters);
    return rows.map(runOf);
  }

  async #query<Found extends object = Row>(
    sql: string,
    parameters: readonly (string | number)[],
  ): Promise<readonly Found[]> {
    return await (await this.#database()).query<Found>(sql, parameters);
  }
}

function runOf(row: Row): SuspendedRun {
  return {
    id: row.id,
    code: row.code,
    gate: Number(row.gate),
    kind: row.kind,
    sessionKey: row.session_key,
    agentId: row.agent_id,
    status: row.status,
    need: row.need,
    name: row.name,
    prompt: row.prompt,
    approvalId: row.approval_id,
    approvalCode: row.approval_code,
    digest: row.digest,
    keyId: row.key_id,
    continuation: row.continuation,
    result: row.result,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}
