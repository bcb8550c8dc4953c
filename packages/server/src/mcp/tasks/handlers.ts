import {
  type CallToolResult,
  fromJsonSchema,
  RELATED_TASK_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { decideAsAnswered, formOf, settled } from "../approval-question.js";
import type { McpClient } from "../mcp-client.js";
import { errorResult } from "../tool-result.js";
import { readTaskId, type TaskReference } from "./task-id.js";
import { extensionTask, legacyTask, readTask, type TaskState } from "./task-state.js";

const named = fromJsonSchema<{ taskId: string }>({
  type: "object",
  properties: { taskId: { type: "string", minLength: 1, maxLength: 2000 } },
  required: ["taskId"],
});
/**
 * Serves the tasks of turns (EXT-500): `tasks/get` and `tasks/cancel` of both eras, `tasks/update` of the extension of 2026,
 * and `tasks/result` of the protocol of 2025.
 * @param server - server of one client
 * @param client - client and gateway
 */
export function serveTasks(server: Server, client: McpClient): void {
  const { gateway } = client;
  const read = (task: TaskReference, context: ServerContext) =>
    readTask(task, gateway, client.canAsk(context));
  const shown = (task: TaskReference, state: TaskState, context: ServerContext) =>
    context.mcpReq.envelope === undefined ? legacyTask(task, state) : extensionTask(task, state);

  server.setRequestHandler("tasks/get", { params: named }, async ({ taskId }, context) => {
    const task = readTaskId(taskId);
    return shown(task, await read(task, context), context);
  });
  server.setRequestHandler("tasks/cancel", { params: named }, async ({ taskId }, context) => {
    const task = readTaskId(taskId);
    const state = await read(task, context);
    if ("runId" in state) await gateway.call("chat.abort", { runId: state.runId });
    // The extension acknowledges; the state follows with tasks/get.
    if (context.mcpReq.envelope !== undefined) return {};
    return legacyTask(task, "runId" in state ? { status: "cancelled" } : state);
  });
  server.setRequestHandler("tasks/update", { params: named }, async ({ taskId }, context) => {
    const state = await read(readTaskId(taskId), context);
    // The library takes the responses of every request out of its parameters.
    const { inputResponses = {} } = context.mcpReq;
    // Answers to requests that another approver decided in the meantime have no effect.
    if (state.status !== "input_required") return {};
    for (const { id, digest, input } of state.approvals) {
      if (!Object.hasOwn(inputResponses, id)) continue;
      const request = { approvalId: id, digest, name: id, isInput: input !== undefined };
      await settled(decideAsAnswered(request, inputResponses, gateway));
    }
    return {};
  });
  server.setRequestHandler("tasks/result", { params: named }, async ({ taskId }, context) => {
    const task = readTaskId(taskId);
    const result = await endOf(task, client, context);
    const _meta = { [RELATED_TASK_META_KEY]: { taskId } };
    return { ...result, _meta: { ...result._meta, ..._meta } };
  });
}

/** Waits for the end of a turn, and asks the person at the client for the decisions that it needs. */
async function endOf(
  task: TaskReference,
  client: McpClient,
  context: ServerContext,
): Promise<CallToolResult> {
  const { gateway } = client;
  const { signal } = context.mcpReq;
  let changed: () => void = () => undefined;
  let isChanged = false;
  const change = () => {
    isChanged = true;
    changed();
  };
  const stop = gateway.listen((event) => {
    if (event === undefined || CHANGES.has(event.name)) change();
  });
  signal.addEventListener("abort", change, { once: true });
  const asked = new Set<string>();
  try {
    for (;;) {
      signal.throwIfAborted();
      isChanged = false;
      const state = await readTask(task, gateway, client.canAsk(context));
      if (state.status === "completed") return state.result;
      if (state.status === "cancelled") return errorResult("the turn was interrupted");
      const next =
        state.status === "input_required"
          ? state.approvals.find(({ id }) => !asked.has(id))
          : undefined;
      if (next !== undefined) {
        asked.add(next.id);
        const answer = await context.mcpReq.elicitInput(formOf(next));
        const { id, digest, input } = next;
        const request = { approvalId: id, digest, name: id, isInput: input !== undefined };
        await settled(decideAsAnswered(request, { [id]: answer }, gateway));
        continue;
      }
      if (!isChanged) {
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    }
  } finally {
    signal.removeEventListener("abort", change);
    stop();
  }
}

/** Events after which a task may have another state. */
const CHANGES: ReadonlySet<string> = new Set([
  ...["chat.final", "chat.error", "approval.requested", "approval.resolved"],
]);
