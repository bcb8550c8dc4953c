import { randomUUID } from "node:crypto";
import { errorMessage, startOfText } from "@openclaw/plugin-sdk/kit";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import { type Envelope, failure, success } from "../envelope/envelope.js";
import { shownItems, shownPreview } from "../envelope/shown.js";
import type { EngineResult } from "../run/runner.js";
import type { LobsterSession } from "../session.js";
import { type Continuation, sealContinuation } from "./continuation.js";
import { approverRules } from "./identity.js";
import type { Keys } from "./keys.js";
import type { SuspendedRun } from "./run.js";
import type { SuspendedRuns } from "./runs.js";
import { signToken } from "./token.js";

/** Longest name of a run in an approval request, in characters. */
const MOST_NAME = 200;

/** Run that reached a gate. */
export interface RunAtGate {
  readonly kind: "pipeline" | "workflow";
  /** Path of the workflow file, or the pipeline. */
  readonly name: string;
  readonly digest: string;
  readonly continuation: Omit<Continuation, "engineToken" | "files" | "approvers">;
  /** The run, when it was suspended before. */
  readonly earlier?: Pick<SuspendedRun, "id" | "gate" | "createdAt"> | undefined;
}

/** Result of the engine at a gate. */
export type GateResult = Extract<EngineResult, { readonly gate: unknown }>;

/** Dependencies of {@link Suspension}. */
export interface SuspensionDependencies {
  readonly runs: SuspendedRuns;
  readonly keys: Keys;
  readonly approvals: OpenClawPluginApi["approvals"];
  /** Time in milliseconds after which a suspended run expires. */
  readonly tokenTtlMs: number;
  /** Removes secrets from a value. */
  redact(value: unknown): unknown;
  now(): number;
}

/** Suspends runs at gates: stores the continuation, requests the approval, and creates the token (LOB-022, LOB-027). */
export class Suspension {
  readonly #dependencies: SuspensionDependencies;
  /** Suspensions whose approval request is not recorded yet. */
  readonly #pending = new Set<Promise<unknown>>();

  /** @param dependencies - store of the runs, keys and approvals */
  constructor(dependencies: SuspensionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Waits until the approval requests of all suspensions so far are recorded with their runs. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#pending]);
  }

  /**
   * Suspends a run.
   * @param result - gate of the engine
   * @param session - session of the run
   */
  async suspend(run: RunAtGate, result: GateResult, session: LobsterSession): Promise<Envelope> {
    const work = this.#suspend(run, result, session);
    this.#pending.add(work);
    try {
      return await work;
    } finally {
      this.#pending.delete(work);
    }
  }

  /**
   * Requests the approval of a gate.
   * @param run - the stored run
   * @param note - sentence for the person who decides; empty when there is none
   * @returns the code of the request, or the reason why it cannot be decided
   */
  async requestApproval(
    run: Pick<
      SuspendedRun,
      "id" | "gate" | "sessionKey" | "name" | "prompt" | "digest" | "expiresAt" | "approvalId"
    >,
    note: string,
  ): Promise<{ readonly code: string } | { readonly reason: string }> {
    const { approvals, runs, now } = this.#dependencies;
    const { id, gate, sessionKey, name, prompt, digest } = run;
    const submitted = await approvals.submit({
      title: prompt,
      // The host shows the first part only, and the items are of more use than the end of a long pipeline.
      description: [this.#text(shortened(name)), note].filter((line) => line !== "").join("\n"),
      sessionKey,
      timeoutMs: Math.max(1000, run.expiresAt - now()),
      payload: { run: id, gate, digest },
    });
    if (submitted.status === "denied") return { reason: submitted.reason };
    if (await runs.setApproval(id, submitted, run.approvalId)) return { code: submitted.code };
    // Another process requested the approval of the gate at the same time.
    await approvals.cancel(submitted.id);
    return { code: (await runs.get(id))?.approvalCode ?? submitted.code };
  }

  async #suspend(run: RunAtGate, result: GateResult, session: LobsterSession): Promise<Envelope> {
    const { runs, keys, tokenTtlMs, now } = this.#dependencies;
    const { status, gate: found, resume } = result;
    const { kind, name, digest, earlier } = run;
    const { sessionKey, agentId } = session;
    const id = earlier?.id ?? randomUUID();
    const gate = (earlier?.gate ?? 0) + 1;
    const code = runs.newCode();
    const expiresAt = now() + tokenTtlMs;
    const need = status === "needs_approval" ? "approval" : "input";
    const prompt = this.#text(found.prompt);
    const sealed = await sealContinuation(
      {
        ...run.continuation,
        engineToken: found.resumeToken,
        files: resume,
        approvers: approverRules(found, run.continuation.workflow, resumeStateOf(resume)),
      },
      id,
      keys,
    );
    const next = { need, prompt, gate, code, expiresAt, ...sealed } as const;
    const own = { id, kind, name, sessionKey, agentId, digest } as const;
    if (earlier === undefined) await runs.add({ ...own, ...next, createdAt: now() });
    else await runs.suspendAgain(id, next);
    const resumeToken = await signToken(
      { v: 1, kind, id, sessionKey, agentId, pipelineDigest: digest, gate, exp: expiresAt },
      keys,
    );
    if (status === "needs_input") return this.#question(result, { resumeToken, approvalId: code });
    const shown = shownItems(this.#items(found.items ?? []));
    const preview =
      found.preview === undefined ? undefined : shownPreview(this.#text(found.preview));
    const note = preview ?? shown.items.map((item) => JSON.stringify(item)).join("\n");
    let requested: { readonly code: string } | { readonly reason: string };
    try {
      requested = await this.requestApproval({ ...own, ...next, approvalId: null }, note);
    } catch (error) {
      requested = { reason: errorMessage(error) };
    }
    if ("reason" in requested) {
      await runs.remove(id);
      return failure(
        "denied",
        `the gate "${prompt}" needs a person: ${requested.reason}. Open a chat with an approver, or set approvals.headless to "wait"`,
      );
    }
    return success({
      status,
      requiresApproval: {
        type: "approval_request",
        prompt,
        ...shown,
        ...defined({ preview }),
        resumeToken,
        approvalId: code,
        decideWith: requested.code,
      },
    });
  }

  #question(
    { gate: { prompt, responseSchema = {}, defaults, subject } }: GateResult,
    token: { readonly resumeToken: string; readonly approvalId: string },
  ): Envelope {
    return success({
      status: "needs_input",
      requiresInput: {
        prompt: this.#text(prompt),
        responseSchema,
        ...defined({ defaults }),
        ...(subject === undefined ? {} : { subject: this.#items([subject])[0] ?? null }),
        ...token,
      },
    });
  }

  #text(text: string): string {
    return String(this.#dependencies.redact(String(text)));
  }

  #items(items: readonly JsonValue[]): readonly JsonValue[] {
    const redacted = this.#dependencies.redact(items);
    return Array.isArray(redacted) ? (redacted as JsonValue[]) : [];
  }
}

function shortened(name: string): string {
  return name.length <= MOST_NAME ? name : `${startOfText(name, MOST_NAME)}…`;
}

function resumeStateOf(files: Readonly<Record<string, string>>): JsonObject | undefined {
  const [content] = Object.entries(files)
    .filter(([name]) => name.startsWith("workflow_resume_"))
    .map(([, text]) => JSON.parse(text) as JsonObject)
    .filter(({ type }) => type === undefined);
  return content;
}
