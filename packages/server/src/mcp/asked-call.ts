import { randomUUID } from "node:crypto";
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { ApprovalSummary } from "@openclaw/protocol";
import {
  approvalQuestion,
  decideAsAnswered,
  readWaitingCall,
  settled,
} from "./approval-question.js";
import type { CallProgress } from "./call-progress.js";
import type { GatewayPort } from "./gateway-port.js";

/** Call of a gateway that may need an approval. */
export interface AskedCall {
  /**
   * Starts the call, or joins the one that an earlier request started with the same key.
   * @param key - idempotency key
   * @param signal - aborts the call
   */
  run(key: string, signal: AbortSignal): Promise<CallToolResult>;
  /**
   * Returns true for a request of this call.
   * @param approval - pending request
   */
  owns(approval: ApprovalSummary): boolean;
  /** Full key of the session. */
  readonly sessionKey: string;
  /** Idempotency key that the client chose. */
  readonly key?: string | undefined;
  /** True for a call that continues when its client is gone. */
  readonly isLasting?: boolean | undefined;
}

/** Circumstances of an {@link AskedCall}. */
export interface AskingClient {
  readonly gateway: GatewayPort;
  readonly context: ServerContext;
  /** True when the client can show a request to its person. */
  readonly canAsk: boolean;
  readonly progress: CallProgress;
}

/**
 * Runs a call. When it needs an approval, the person at a client that can ask is asked, and the call continues with the answer;
 * with other clients it waits for another approver.
 * @param client - client and gateway
 */
export async function runAsked(
  call: AskedCall,
  client: AskingClient,
): Promise<CallToolResult | InputRequiredResult> {
  const { gateway, context, progress } = client;
  const waiting = readWaitingCall(context);
  const key = waiting?.key ?? call.key ?? randomUUID();
  const methods = await gateway.methods();
  const mayDecide = methods.has("approvals.resolve");
  const asks = mayDecide && client.canAsk;
  const stop = new AbortController();
  const cancelled = () => {
    if (call.isLasting !== true) stop.abort(context.mcpReq.signal.reason);
  };
  context.mcpReq.signal.addEventListener("abort", cancelled, { once: true });
  const ended: (() => void)[] = [
    () => context.mcpReq.signal.removeEventListener("abort", cancelled),
  ];
  try {
    ended.push(
      gateway.listen((event) => {
        if (event?.name !== "approval.requested" || !call.owns(event.payload)) return;
        progress.enter(`waiting for approval ${event.payload.code}: ${event.payload.title}`);
      }),
    );
    let ask: (approval: ApprovalSummary) => void = () => undefined;
    const asked = new Promise<{ readonly approval: ApprovalSummary }>((resolve) => {
      ask = (approval) => resolve({ approval });
    });
    if (asks) {
      const show = (approval: ApprovalSummary) => {
        // The person closed this request; it remains for other approvers.
        if (!call.owns(approval) || approval.id === waiting?.approvalId) return false;
        ask(approval);
        return true;
      };
      ended.push(await gateway.attend(call.sessionKey, show));
    }
    if (waiting !== undefined)
      await settled(decideAsAnswered(waiting, context.mcpReq.inputResponses, gateway));
    const ending = call.run(key, stop.signal).then((result) => ({ result }));
    // The call continues while the person is asked.
    ending.catch(() => undefined);
    const first = await Promise.race([ending, asked]);
    return "approval" in first ? approvalQuestion(first.approval, key) : first.result;
  } finally {
    for (const end of ended) end();
  }
}
