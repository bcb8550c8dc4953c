import { createHash, type Hash } from "node:crypto";
import type { ModelRequest } from "@openclaw/models";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { HistoryFold } from "../conversation/history-fold.js";

/** Fields of a model request that determine the answer. */
export type DigestedRequest = Pick<ModelRequest, "messages" | "tools"> & {
  readonly system: string;
};

const hashes = new HistoryFold<Hash>({
  start: () => createHash("sha256"),
  add: (hash, message) => hash.update(sent(message)),
  copy: (hash) => hash.copy(),
});

/**
 * Creates a function that hashes model requests, so that a replay finds the first request that differs
 * (TURN-057). Times, usage and details of messages do not count: no model sees them. A conversation that
 * only grows is hashed once, however often it is sent, and its stored part once in the process.
 * @returns a function from a request to its SHA-256 in hexadecimal
 */
export function createRequestDigest(): (request: DigestedRequest) => string {
  let hashed:
    | (Pick<DigestedRequest, "messages" | "tools"> & { hash: Hash; count: number })
    | undefined;
  return ({ system, tools, messages }) => {
    const isSame = hashed?.messages === messages && hashed.tools === tools;
    if (hashed === undefined || !isSame || hashed.count > messages.length) {
      const head = headOf(system, tools);
      const hash = hashes.of(messages, head, () => createHash("sha256").update(head));
      hashed = { hash, messages, tools, count: messages.length };
    }
    for (const message of messages.slice(hashed.count)) hashed.hash.update(sent(message));
    hashed.count = messages.length;
    return hashed.hash.copy().digest("hex");
  };
}

/** JSON of offered tools, which are the same objects in each turn. */
const toolTexts = new WeakMap<DigestedRequest["tools"][number], string>();

function headOf(system: string, tools: DigestedRequest["tools"]): string {
  return `[${JSON.stringify(system)},[${tools.map(toolText).join(",")}]]`;
}

function toolText(tool: DigestedRequest["tools"][number]): string {
  const text = toolTexts.get(tool) ?? JSON.stringify(tool);
  toolTexts.set(tool, text);
  return text;
}

function sent(message: AgentMessage): string {
  const { role, content } = message;
  if (role !== "toolResult") return JSON.stringify([role, content]);
  const { toolCallId, toolName, isError } = message;
  return JSON.stringify([role, content, toolCallId, toolName, isError]);
}
