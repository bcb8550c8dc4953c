import type { ModelServerReplySource, ModelServerRequest } from "@openclaw/platform-fakes";
import { clientHostCall, type ScriptedCall } from "./tool-calls.js";

/** Reply to a subagent. */
export interface InSubagent {
  readonly inSubagent: string;
}

/** A bundle, a message, and the replies of the model. */
export interface BundleScenario {
  readonly name: string;
  /** Folder of the bundle. */
  readonly bundle: string;
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  readonly prompt: string;
  /** A call, the text of a reply, or that of a reply in a subagent. */
  readonly script: readonly (ScriptedCall | string | InSubagent)[];
  /** Hook that runs last, after the reply. */
  readonly until?: string;
  /** Strings of which each host must give the model the same ones. */
  readonly texts?: readonly string[];
}

/** Longest conversation of a scenario, in requests. */
const MOST_REQUESTS = 40;

/**
 * Returns the replies of the model for one of the hosts.
 * @param host - whose names of tools and fields the calls have
 * @param workspace - folder of the paths that begin with `./`
 */
export function repliesFor(
  { script, prompt }: BundleScenario,
  host: "claude-code" | "openclaw",
  workspace: string,
): readonly ModelServerReplySource[] {
  const main = script.filter((step) => typeof step === "string" || "tool" in step);
  const subagents = script.filter((step) => typeof step === "object" && "inSubagent" in step);
  let calls = 0;
  return Array.from({ length: MOST_REQUESTS }, () => ({ body }: ModelServerRequest) => {
    if (!isOfPrompt(body, prompt))
      return { text: subagents.shift()?.inSubagent ?? "Nothing to do." };
    const step = main.shift() ?? "The script has ended.";
    if (typeof step === "string") return { text: step };
    calls += 1;
    const { tool, input } = host === "claude-code" ? step : clientHostCall(step);
    const text = JSON.stringify(input).replaceAll('"./', `"${workspace}/`);
    return { thinking: "Next.", toolCalls: [{ id: `call_${calls}`, name: tool, arguments: text }] };
  });
}

/**
 * Returns true for a request of the conversation with a prompt, and false for that of a subagent or of a hook.
 * @param body - request of the Messages API
 * @param prompt - message of the scenario
 */
export function isOfPrompt(body: Readonly<Record<string, unknown>>, prompt: string): boolean {
  // A command is replaced by its text.
  if (prompt.startsWith("/")) return true;
  return JSON.stringify(body.messages).includes(prompt);
}
