import { jsonResult, textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import type { Store, Subagent } from "@openclaw/store";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";

/** Maximum number of subagents in a list, newest first. */
const MAX_LISTED = 50;

const parameters = Type.Object(
  {
    action: Type.Enum(["list", "stop"]),
    id: Type.Optional(Type.String({ minLength: 1, description: "For stop: from list." })),
  },
  { additionalProperties: false },
);

/** Stops subagents. */
export interface SubagentStopper {
  /**
   * Stops a subagent and its own subagents.
   * @param runId - turn of the subagent
   * @returns false when it has already ended
   */
  stop(runId: string): Promise<boolean>;
}

/**
 * Creates the `subagents` tool, which lists the subagents of a session or stops one (TURN-064). Subagents
 * of other sessions are reported as not found.
 * @param store - store with the subagents
 * @param subagents - the subagents of the host
 */
export function createSubagentsTool(
  store: Pick<Store, "sessions">,
  sessionKey: string,
  subagents: SubagentStopper,
) {
  return defineTool({
    name: "subagents",
    label: "Subagents",
    description: "List the subagents of this conversation, or stop one of them.",
    parameters,
    idempotent: true,
    execute: (_id, { action, id }) =>
      answer(`${action} subagents`, async () => {
        const children = await store.sessions.subagents.childrenOf(sessionKey, {
          limit: MAX_LISTED,
        });
        if (action === "list") return jsonResult(children.map(overviewOf));
        const child = children.find(({ runId }) => runId === id);
        if (child === undefined) throw unknownChild(id);
        const stopped = await subagents.stop(child.runId);
        const name = child.label ?? child.sessionKey;
        return textResult(stopped ? `"${name}" is being stopped.` : `"${name}" has ended already.`);
      }),
  });
}

function unknownChild(id: string | undefined): ToolRefusalError {
  return id === undefined
    ? new ToolRefusalError("invalid-value", "Name the subagent to stop: give its id from list.")
    : new ToolRefusalError(
        "not-found",
        `This session has no subagent "${id}". Use list to see its subagents.`,
      );
}

function overviewOf(child: Subagent) {
  const { runId, sessionKey, label, createdAt, settledAt, outcome, error, deadlineAt } = child;
  return {
    id: runId,
    sessionKey,
    label,
    state: outcome ?? (child.stopReason === undefined ? "running" : "stopping"),
    startedAt: new Date(createdAt).toISOString(),
    deadlineAt: isoTime(deadlineAt),
    endedAt: isoTime(settledAt),
    error,
  };
}

function isoTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
