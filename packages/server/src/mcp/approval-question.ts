import {
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { OpenClawError } from "@openclaw/foundation";
import type { ApprovalSummary } from "@openclaw/protocol";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { GatewayPort } from "./gateway-port.js";

/** Name of the request for a decision among the requests and responses of a call. */
const DECISION = "approval";

/**
 * State of a call that waits for a decision. It needs no signature: a client that changes it can name only requests that its
 * token may decide, and the decision applies to the content with this digest.
 */
const waitingCall = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 128 }),
    approvalId: Type.String({ minLength: 1, maxLength: 128 }),
    /** Name of the request among those of the call. */
    name: Type.String({ minLength: 1, maxLength: 64 }),
    isInput: Type.Boolean(),
    digest: Type.String({ minLength: 1, maxLength: 128 }),
  },
  { additionalProperties: false },
);

/** Input request that becomes a form. */
export type FormInput = Pick<NonNullable<ApprovalSummary["input"]>, "message" | "schema" | "url">;

/** Call that waits for an answer of the person at the client. */
export type WaitingCall = Static<typeof waitingCall>;

/**
 * Reads the state that a client sends back with its answer.
 * @param context - context of the request
 * @returns undefined for a new call
 * @throws ProtocolError for a state that this server did not send
 */
export function readWaitingCall(context: ServerContext): WaitingCall | undefined {
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(state, "base64url").toString("utf8"));
  } catch {
    read = undefined;
  }
  if (Check(waitingCall, read)) return read;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "the requestState is not one that this server sent; call the tool again without it",
  );
}

/**
 * Returns the result that asks the person at the client for a decision.
 * @param approval - pending request
 * @param key - idempotency key of the call that waits
 */
export function approvalQuestion(approval: ApprovalSummary, key: string): InputRequiredResult {
  const { id: approvalId, digest, input } = approval;
  const name = input?.name ?? DECISION;
  const state: WaitingCall = { key, approvalId, digest, name, isInput: input !== undefined };
  return inputRequired({
    inputRequests: { [name]: requestOf(approval) },
    requestState: Buffer.from(JSON.stringify(state)).toString("base64url"),
  });
}

/**
 * Returns the request for the person at the client.
 * @param approval - pending request
 */
export function requestOf(approval: ApprovalSummary) {
  return inputRequired.elicit(formOf(approval));
}

/**
 * Returns the form for the person at the client.
 * @param approval - pending request
 */
export function formOf(approval: ApprovalSummary): ElicitRequestFormParams {
  if (approval.input !== undefined) return inputForm(approval.input);
  const { title, description, commands, change, text, allowedDecisions } = approval;
  const shown = commands === undefined ? [text] : commands;
  const message = [title, description, ...shown, change ?? ""].filter((line) => line !== "");
  return {
    mode: "form",
    message: message.join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        decision: { type: "string", title: "Decision", enum: [...allowedDecisions] },
      },
      required: ["decision"],
    },
  };
}

/**
 * Returns the form of an input request for the person at the client.
 * @param input - request of a tool or prompt
 */
export function inputForm({ message, schema, url }: FormInput): ElicitRequestFormParams {
  // Not every client opens pages: the person reads where it leads, and confirms.
  const asked = url === undefined ? message : `${message}\n${url}`;
  // The tool or plugin wrote the form, and the client checks it.
  const requestedSchema = schema as ElicitRequestFormParams["requestedSchema"];
  return { mode: "form", message: asked, requestedSchema };
}

/**
 * Decides a request as the person at the client answered. A request that was closed without an answer remains pending for
 * the other approvers.
 * @param waiting - call and request
 * @param responses - responses of the client, by the names of the requests
 * @param gateway - decides the request
 * @throws OpenClawError when another approver decided the request, or it does not exist
 */
export async function decideAsAnswered(
  { approvalId: id, digest, name, isInput }: Omit<WaitingCall, "key">,
  responses: Readonly<Record<string, unknown>> | undefined,
  gateway: Pick<GatewayPort, "call">,
): Promise<void> {
  const answer = inputResponse({ ...responses }, name);
  if (answer.kind !== "elicit" || answer.action === "cancel") return;
  if (isInput && answer.action === "accept") {
    const input = { ...answer.content };
    try {
      await gateway.call("approvals.resolve", { id, digest, decision: "allow-once", input });
    } catch (error) {
      if (!OpenClawError.isInstance(error) || error.code !== "APPROVAL_INPUT_INVALID") throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    }
    return;
  }
  const decision = answer.action === "accept" ? answer.content?.decision : "deny";
  if (decision === "allow-once" || decision === "allow-always" || decision === "deny") {
    await gateway.call("approvals.resolve", { id, digest, decision });
    return;
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'the answer has no decision; expected "allow-once", "allow-always" or "deny"',
  );
}

/**
 * Waits for a decision. One that comes too late has no effect: the result of the call shows how another approver decided.
 * @param decision - decision of the person at the client
 */
export async function settled(decision: Promise<void>): Promise<void> {
  try {
    await decision;
  } catch (error) {
    const isSettled = OpenClawError.isInstance(error) && SETTLED.has(error.code);
    if (!isSettled) throw error;
  }
}

const SETTLED: ReadonlySet<string> = new Set(["APPROVAL_ALREADY_DECIDED", "APPROVAL_NOT_FOUND"]);
