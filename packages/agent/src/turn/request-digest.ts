import { createHash, type Hash } from "node:crypto";
import type { ModelRequest } from "@openclaw/models";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

/** Fields of a model request that determine the answer. */
export type DigestedRequest = Pick<ModelRequest, "messages" | "tools"> & {
  readonly system: string;
};

/**
 * Creates a function that hashes model requests, so that a replay finds the first request that differs
 * (TURN-057). Times, usage and details of messages do not count: no model sees them. A conversation that
 * only grows is hashed once, however often it is sent.
 * @returns a function from a request to its SHA-256 in hexadecimal
 */
export function createRequestDigest(): (request: DigestedRequest) => string {
  let hashed: { hash: Hash; messages: readonly AgentMessage[]; count: number } | undefined;
  return ({ system, tools, messages }) => {
    if (hashed?.messages !== messages || hashed.count > messages.length) {
      const hash = createHash("sha256").update(JSON.stringify([system, tools]));
      hashed = { hash, messages, count: 0 };
    }
    for (const message of messages.slice(hashed.count)) hashed.hash.update(sent(message));
    hashed.count = messages.length;
    return hashed.hash.copy().digest("hex");
  };
}

function sent(message: AgentMessage): string {
  const { role, content } = message;
  if (role !== "toolResult") return JSON.stringify([role, content]);
  const { toolCallId, toolName, isError } = message;
  return JSON.stringify([role, content, toolCallId, toolName, isError]);
}
