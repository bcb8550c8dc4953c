import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import type { LobsterConfig } from "./config.js";
import { asJson, type Envelope } from "./envelope/envelope.js";
import { failureOf, type Lobster } from "./lobster.js";
import { PARAMETERS, type Parameters, type Request, readRequest } from "./request/parameters.js";
import type { LobsterSession } from "./session.js";

/** Name of the tool. */
export const TOOL = "lobster";

const DEADLINE_MS = 600_000;

const DESCRIPTION = `Run a deterministic pipeline or workflow file in one call instead of many tool calls. Stages are separated by |: exec, where, pick, head, sort, map, group_by, dedupe, json, table, template, state.get, state.set, diff.last, llm.invoke, openclaw.invoke, approve, ask. The result is JSON. status needs_approval: tell the user what waits; a person decides, and the run continues by itself. status needs_input: resume with response.`;

/**
 * Creates the tool of a session (LOB-001).
 * @param lobster - runs pipelines
 * @param session - session of the tool
 * @param config - configuration of the plugin
 */
export function createTool(
  lobster: () => Promise<Lobster>,
  session: LobsterSession,
  config: LobsterConfig,
) {
  return defineTool({
    name: TOOL,
    label: "Run workflow",
    description: DESCRIPTION,
    parameters: PARAMETERS,
    optional: true,
    timeoutMs: DEADLINE_MS,
    async execute(toolCallId, params, signal, onUpdate) {
      let request: Request;
      try {
        request = readRequest(params as Parameters, config);
      } catch (error) {
        return resultOf(failureOf(error));
      }
      const runner = await lobster();
      return resultOf(await runner.perform(request, session, { toolCallId, signal, onUpdate }));
    },
  });
}

/**
 * Returns an envelope as the result of a tool (LOB-009).
 * @param envelope - result of a run
 */
function resultOf(envelope: Envelope): ToolResult {
  const details = asJson(envelope);
  return {
    content: [{ type: "text", text: JSON.stringify(details) }],
    details,
    ...(envelope.ok ? {} : { isError: true }),
  };
}
