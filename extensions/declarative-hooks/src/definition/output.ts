import { errorMessage, isRecord } from "@openclaw/plugin-sdk/kit";
import { block, CONTINUE, NO_REASON, type Outcome } from "./outcome.js";

/** Output that is not an outcome. */
export interface OutputProblem {
  readonly problem: string;
}

/**
 * Reads what a program printed or a server responded: nothing, an outcome as a JSON object, or the new content
 * (DHOOK-022, DHOOK-024). Text that begins like an object and is not an outcome is a problem, so that half a document
 * is never taken for content.
 * @param text - output
 * @param forParams - true at a tool call, whose parameters no text can replace
 */
export function readOutput(text: string, forParams: boolean): Outcome | OutputProblem {
  const trimmed = text.trim();
  if (trimmed === "") return CONTINUE;
  if (trimmed.startsWith("{")) return readObject(trimmed, forParams);
  if (forParams) {
    return { problem: "it answered with text, and a tool call needs a JSON object with an action" };
  }
  return { action: "modify", content: text.replace(/\r?\n$/, "") };
}

function readObject(text: string, forParams: boolean): Outcome | OutputProblem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = errorMessage(error);
    return { problem: `its answer begins with { and is not valid JSON: ${reason}` };
  }
  if (!isRecord(value)) return { problem: "its answer is not a JSON object" };
  const { action } = value;
  if (action === "continue") return CONTINUE;
  if (action === "block") {
    const { reason } = value;
    return block(typeof reason === "string" ? reason : NO_REASON);
  }
  if (action !== "modify") {
    return {
      problem: `its answer has the action ${JSON.stringify(action) ?? "undefined"}; expected continue, modify or block`,
    };
  }
  if (forParams) {
    return isRecord(value.params)
      ? { action, params: value.params }
      : { problem: "its answer modifies a tool call without an object in params" };
  }
  return typeof value.content === "string"
    ? { action, content: value.content }
    : { problem: "its answer modifies the content without a string in content" };
}
