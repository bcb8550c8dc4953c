import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CANARY_TOOL, EXTERNAL_TOOL } from "../../workers/external/gate-names.js";
import { BridgeError } from "../errors.js";
import type { AgentHost } from "../external-agent.js";
import type { ControlRequest } from "./lines.js";
import { type ClaudeCommand, ClaudeProcess } from "./process.js";

/** Time of the whole check. */
const CANARY_MS = 60_000;

/**
 * Proves that Claude Code asks before a call that it allows by itself, and that a denial of the host holds (JOB-533). A
 * scripted model lets it read a file; the host denies the call with the same guards as every other one. The check has its
 * own folder and its own session.
 * @param command - program, environment and model
 * @param host - decides about the call
 * @throws BridgeError when it does not ask, the host allows the call, or the content of the file reaches the model
 */
export async function proveWithCanary(
  command: Omit<ClaudeCommand, "configDir" | "resume" | "workdir">,
  host: Pick<AgentHost, "authorize">,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "openclaw-canary-"));
  const path = join(folder, "canary.txt");
  const secret = randomUUID();
  await writeFile(path, secret);
  const bodies: string[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      if (incoming.method !== "POST") return response.writeHead(200).end();
      const body = Buffer.concat(chunks).toString("utf8");
      bodies.push(body);
      const isFirst = !body.includes('"tool_result"');
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(scriptedReply(isFirst ? { file_path: path } : undefined));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  let hasAsked = false;
  let wasAllowed = false;
  let end: () => void = () => {};
  const turned = new Promise<void>((resolve) => {
    end = resolve;
  });
  const claude = new ClaudeProcess(
    {
      ...command,
      ...{ workdir: folder, configDir: join(folder, "config"), resume: undefined },
      model: { ...command.model, url: `http://127.0.0.1:${port}` },
    },
    {
      async answer(request) {
        if (request.kind !== "hook" || request.call === undefined) return refusalOf(request);
        hasAsked = true;
        const { id } = request.call;
        const params = { tool: CANARY_TOOL, input: {} };
        const { allowed } = await host.authorize({ id, tool: EXTERNAL_TOOL, params });
        wasAllowed ||= allowed;
        return denied("the guard check denies its canary call");
      },
      line(line) {
        if (line.kind === "turn") end();
      },
    },
  );
  const timer = setTimeout(() => claude.stop(), CANARY_MS);
  try {
    await claude.initialize();
    claude.say("Read the file.");
    await Promise.race([turned, claude.ended]);
    const problem = problemOf({ hasAsked, wasAllowed, bodies, secret });
    if (problem !== undefined) {
      throw new BridgeError(
        `${problem}, so that its calls cannot be guarded; use another version of Claude Code, or a job with mode sandboxed`,
      );
    }
  } finally {
    clearTimeout(timer);
    claude.stop();
    await claude.ended;
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function problemOf({
  hasAsked,
  wasAllowed,
  bodies,
  secret,
}: {
  readonly hasAsked: boolean;
  readonly wasAllowed: boolean;
  readonly bodies: readonly string[];
  readonly secret: string;
}): string | undefined {
  if (bodies.length === 0) return "Claude Code did not call the model of the guard check";
  if (!hasAsked) return "Claude Code made the canary call without asking";
  if (wasAllowed) return "the host allowed the canary call";
  if (bodies.some((body) => body.includes(secret))) {
    return "Claude Code made the canary call although it was denied";
  }
  return bodies.length > 1 ? undefined : "Claude Code ended before it answered the guard check";
}

/**
 * Returns the answer to the callback before a call that denies it.
 * @param reason - reason that the model reads
 */
export function denied(reason: string): object {
  return decision("deny", reason);
}

/**
 * Returns an answer to the callback before a call.
 * @param reason - reason that the model reads
 */
export function decision(permissionDecision: "allow" | "ask" | "deny", reason: string): object {
  const hookSpecificOutput = {
    ...{ hookEventName: "PreToolUse", permissionDecision },
    permissionDecisionReason: reason,
  };
  return { hookSpecificOutput };
}

/** Returns the answer to a request about which the bridge does not decide. */
export function refusalOf(request: ControlRequest): object {
  if (request.kind === "hook") return denied("the callback does not name a call");
  if (request.kind === "permission") return { behavior: "deny", message: "it is not permitted" };
  throw new BridgeError(`the request ${request.subtype} of Claude Code is not supported`);
}

/** Returns a streamed reply of the Messages API: a call of `Read`, or a text. */
function scriptedReply(input: object | undefined): string {
  const message = {
    ...{ id: "msg_canary", type: "message", role: "assistant", model: "canary", content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
  };
  const block =
    input === undefined
      ? { type: "text", text: "" }
      : { type: "tool_use", id: "toolu_canary", name: "Read", input: {} };
  const delta =
    input === undefined
      ? { type: "text_delta", text: "done" }
      : { type: "input_json_delta", partial_json: JSON.stringify(input) };
  const reason = input === undefined ? "end_turn" : "tool_use";
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
