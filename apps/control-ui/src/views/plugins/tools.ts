import type { GatewayMethodResult } from "@openclaw/protocol";
import { effect, signal } from "@preact/signals";
import { FormState } from "../../components/schema-form/form-state.js";
import { isRecord } from "../../components/schema-form/schema.js";
import { token } from "../../state/credential.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, onEvent } from "../../state/link.js";
import { watched } from "../../state/watched.js";

/** Tool as models of a session are offered it. */
export type EffectiveTool = GatewayMethodResult<"tools.effective">["tools"][number];

/** Call of a tool by hand. */
export type ToolRun =
  | { readonly kind: "running"; readonly preview: string }
  | {
      readonly kind: "done";
      readonly result: GatewayMethodResult<"tools.invoke">;
      readonly tookMs: number;
    }
  | { readonly kind: "failed"; readonly fault: Fault };

/** Sessions that a tool can be run in, most recently used first. */
const SESSIONS = 50;

/** Session whose policy applies; empty for the one that was used last. */
export const session = signal("");
/** Tools of the session, and the sessions to choose from. */
export const tools = watched(async () => {
  const { sessions } = await call("sessions.list", { limit: SESSIONS });
  const keys = sessions.map(({ sessionKey }) => sessionKey);
  const chosen = session.peek() === "" ? keys[0] : session.peek();
  const offered =
    chosen === undefined ? [] : (await call("tools.effective", { sessionKey: chosen })).tools;
  return { keys, chosen, tools: offered };
});

/** Parameters of each tool as a person filled them in, so that going back keeps them. */
const forms = new Map<string, FormState>();
/** Last call of each tool. */
export const runs = signal<Readonly<Record<string, ToolRun>>>({});

/** Call that is under way, by its ID. */
let own: { readonly toolCallId: string; readonly tool: string } | undefined;

/** Returns the form of a tool. */
export function formOf(tool: string): FormState {
  const found = forms.get(tool) ?? new FormState();
  forms.set(tool, found);
  return found;
}

/**
 * Runs a tool with the parameters of its form, on the path of every call (TURN-031).
 * @param sessionKey - session whose policy, hooks and memory apply
 */
export async function runTool(tool: string, sessionKey: string): Promise<void> {
  if (own !== undefined) return;
  const toolCallId = `console-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  own = { toolCallId, tool };
  note(tool, { kind: "running", preview: "" });
  const began = performance.now();
  const { value } = formOf(tool).current;
  try {
    const params = isRecord(value) ? { ...value } : {};
    const result = await call("tools.invoke", { sessionKey, tool, params, toolCallId });
    note(tool, { kind: "done", result, tookMs: performance.now() - began });
  } catch (error) {
    note(tool, { kind: "failed", fault: faultOf(error) });
  }
  own = undefined;
}

function note(tool: string, run: ToolRun): void {
  runs.value = { ...runs.peek(), [tool]: run };
}

onEvent("tool.update", ({ payload: { toolCallId, text } }) => {
  if (own?.toolCallId === toolCallId) note(own.tool, { kind: "running", preview: text });
});
for (const name of ["plugins.changed", "config.changed"] as const) {
  onEvent(name, () => tools.refresh());
}
effect(() => {
  if (token.value !== undefined) return;
  forms.clear();
  runs.value = {};
});
