import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { GatewayMethodResult } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { PolicyDecisionRow } from "@openclaw/store/decisions";
import { RowDataError } from "@openclaw/store/errors";
import {
  type DecidedBy,
  type PolicyContext,
  type PolicyTool,
  policyFromSnapshot,
} from "@openclaw/tool-policy";
import { PolicyDecisionChangedError, PolicyDecisionNotFoundError } from "../errors.js";

const KINDS: ReadonlySet<string> = new Set<DecidedBy["kind"]>([
  "layer",
  "optional",
  "cap",
  "default",
]);

/** Input of a recorded policy decision. */
export interface RecordedQuery {
  readonly tool: PolicyTool;
  readonly context: PolicyContext;
}

/**
 * Explains a decision about a tool call by the policy that made it, regardless of later changes of the
 * configuration (POL-030).
 * @param decisionId - ID from a denial or a trace
 * @param store - store with decision and policy
 * @throws PolicyDecisionNotFoundError, PolicyDecisionChangedError, PolicySnapshotError
 */
export async function explainRecorded(
  decisionId: string,
  { decisions: { policy: policyDecisions } }: Pick<Store, "decisions">,
): Promise<GatewayMethodResult<"policy.explain">> {
  const row = await policyDecisions.get(decisionId);
  if (row === undefined) throw new PolicyDecisionNotFoundError(decisionId);
  const policy = policyFromSnapshot(await policyDecisions.snapshot(row.snapshotId));
  const { tool, context } = recordedQuery(row);
  const explanation = policy.explain(tool, context);
  const sameDecider = isDeepStrictEqual(asJson(explanation.decidedBy), row.decidedBy);
  if (
    explanation.decisionId !== decisionId ||
    explanation.allowed !== row.allowed ||
    !sameDecider
  ) {
    throw new PolicyDecisionChangedError(decisionId);
  }
  const { runId, toolCallId, sessionKey, at } = row;
  return { ...explanation, occasion: { runId, toolCallId, sessionKey, at } };
}

/**
 * Returns the input of a recorded decision.
 * @param row - row of the policy log
 * @throws RowDataError when another version recorded it in a different form
 */
export function recordedQuery({ decisionId, input }: PolicyDecisionRow): RecordedQuery {
  if (isQuestion(input)) return input;
  throw unreadable("input", decisionId);
}

/**
 * Returns the decider of a recorded decision.
 * @param row - row of the policy log
 * @throws RowDataError when another version recorded it in a different form
 */
export function recordedDecider({ decisionId, decidedBy }: PolicyDecisionRow): DecidedBy {
  if (isDecider(decidedBy)) return decidedBy;
  throw unreadable("decided_by", decisionId);
}

function unreadable(column: string, decisionId: string): RowDataError {
  return new RowDataError(
    `policy_decisions.${column} of ${decisionId} cannot be read by this version; use the version that recorded it`,
  );
}

function isQuestion(input: object): input is RecordedQuery {
  const { tool, context }: { tool?: unknown; context?: unknown } = input;
  return (
    isRecord(tool) &&
    typeof tool.name === "string" &&
    Array.isArray(tool.aliases) &&
    isRecord(context) &&
    typeof context.agentId === "string" &&
    typeof context.senderIsOwner === "boolean"
  );
}

function isDecider(value: object): value is DecidedBy {
  const { kind, verdict }: { kind?: unknown; verdict?: unknown } = value;
  const isKnown = typeof kind === "string" && KINDS.has(kind);
  return isKnown && typeof verdict === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Removes undefined fields, as recording does. */
function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
