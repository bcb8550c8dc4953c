import type { PluginDatabase } from "@openclaw/plugin-sdk/store";

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

/** Row of the table `runs`. */
export interface RunRow {
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

/**
 * Selects runs.
 * @param where - condition and order
 * @param parameters - values of the condition
 */
export async function selectRuns(
  database: Pick<PluginDatabase, "query">,
  where: string,
  parameters: readonly (string | number)[],
): Promise<readonly SuspendedRun[]> {
  const rows = await database.query<RunRow>(`select * from runs ${where}`, parameters);
  return rows.map(runOf);
}

function runOf(row: RunRow): SuspendedRun {
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
