import type { CoreTool } from "@openclaw/core-tools";
import { canonicalJson, sha256 } from "@openclaw/foundation";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { CANARY_TOOL, EXTERNAL_TOOL } from "./gate-names.js";

/** Tools of the host whose policy and approvals hold for the calls of an external agent. */
const NAMES = {
  exec: "run a command",
  read: "read a file",
  write: "write a file",
  edit: "edit a file",
  list: "list files",
  grep: "search files",
  web_fetch: "fetch a page",
  web_search: "search the web",
  [EXTERNAL_TOOL]: "use a tool that the host does not have",
} as const;

/** Tools that need no approval when the agent works on a copy, whose changes a person reviews afterwards. */
const CHANGING: ReadonlySet<string> = new Set(["exec", "write", "edit", EXTERNAL_TOOL]);

// One object for all turns: a schema is compiled once.
const parameters = Type.Object({}, { additionalProperties: true });

/**
 * Returns a digest of the arguments of a call.
 * @param params - its arguments
 */
export function digestOfCall(params: unknown): string {
  return sha256(canonicalJson(params));
}

/**
 * Creates the tools of the turns of an external agent. They have the names of the tools of the host, so that its policy,
 * its hooks and the settings of its approvals hold, and do nothing: the agent makes the call itself once it is allowed.
 * @param isCopy - returns true when the agent works on a copy of the workspace
 */
export function createGateTools(isCopy: () => boolean): readonly CoreTool[] {
  return Object.entries(NAMES).map(([name, does]) =>
    defineTool({
      name,
      label: name,
      description: `Ask whether an external agent may ${does}.`,
      parameters,
      approval: () => (isCopy() || !CHANGING.has(name) ? "never" : "unless-granted"),
      idempotent: true,
      execute(_toolCallId, params: Readonly<Record<string, unknown>>) {
        if (name === EXTERNAL_TOOL && params.tool === CANARY_TOOL) {
          const text = "the guard check denies its canary call";
          return { content: [{ type: "text", text }], isError: true };
        }
        return {
          content: [{ type: "text", text: "allowed" }],
          details: { digest: digestOfCall(params) },
        };
      },
    }),
  );
}
