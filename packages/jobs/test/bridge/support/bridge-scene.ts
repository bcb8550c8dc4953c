import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { AgentMessage, AssistantMessage, ToolResult } from "@openclaw/plugin-sdk/tools";

import { onTestFinished } from "vitest";
import { createClaudeAgent } from "../../../src/bridge/claude/agent.js";
import { runBridge } from "../../../src/bridge/run.js";
import { openRelay } from "../../../src/worker/egress.js";
import { createWorkerApp } from "../../../src/workers/api/app.js";
import { WorkerConversation } from "../../../src/workers/api/conversation.js";
import type { WorkerCompletion } from "../../../src/workers/api/requests.js";
import { WorkerServer } from "../../../src/workers/api/server.js";
import { WorkerTokens } from "../../../src/workers/api/tokens.js";
import { CallAuthorizations } from "../../../src/workers/external/call-authorizations.js";
import { createGateTools } from "../../../src/workers/external/gate-tools.js";
import type { WorkerModelCall } from "../../../src/workers/model-port.js";
import { WorkerSession } from "../../../src/workers/session.js";
import { testJob } from "../../workers/support/test-job.js";
import { testWire } from "./test-wire.js";

const FAKE = join(import.meta.dirname, "../../support/fake-claude.mjs");
const JOB = "job-1";

/** Reply of the model of a scene: a call of a tool, or a text. */
export type Step =
  | { readonly text: string; readonly after?: Promise<void> }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** A call that reached the tools of the host. */
export interface AuthorizedCall {
  readonly tool: string;
  readonly params: unknown;
}

/** Options of {@link openBridgeScene}. */
export interface BridgeSceneOptions {
  readonly steps?: readonly Step[];
  /** Wrong behaviour of the fake Claude Code. */
  readonly behaviour?: object;
  /** Decision of the host about a call, instead of permission. */
  readonly decide?: (call: AuthorizedCall) => Promise<ToolResult> | undefined;
  /** Messages of the turn before a restart. */
  readonly progress?: readonly AgentMessage[];
  /** Prompts that wait, by the number of the request. */
  readonly prompts?: (request: number) => readonly string[];
}

/** The API of workers with one run of an external agent, and the fake Claude Code. */
export async function openBridgeScene({
  steps = [],
  behaviour = {},
  decide = () => undefined,
  progress = [],
  prompts = () => [],
}: BridgeSceneOptions) {
  const folder = temporaryFolder("bridge");
  onTestFinished(() => folder[Symbol.dispose]());
  folder.write({ "claude/fake-claude.json": JSON.stringify(behaviour) });
  const program = join(folder.path, "claude/claude.mjs");
  copyFileSync(FAKE, program);
  chmodSync(program, 0o755);
  const workdir = join(folder.path, "work");
  mkdirSync(workdir);
  const published: { readonly type: string; readonly text: string }[] = [];
  const sessions: string[] = [];
  const modelCalls: WorkerModelCall[] = [];
  const asked: AuthorizedCall[] = [];
  const waits: boolean[] = [];
  let step = 0;
  let requests = 0;
  const tokens = new WorkerTokens(() => Date.now());
  const session = new WorkerSession(
    {
      ...{ job: testJob(JOB), sessionId: "session", model: "scripted/script" },
      signal: new AbortController().signal,
    },
    {
      events: { publish: (_name, payload) => void published.push(payload as never) },
      elapsed: () => 0,
      guard: (_tool, text) => text.replaceAll("secret", "[redacted]"),
      progressed: () => undefined,
    },
  );
  session.onSession = (id) => void sessions.push(id);
  const guard = (_tool: string, text: string) => text.replaceAll("secret", "[redacted]");
  const conversation = new WorkerConversation(guard, () => 0);
  const gates = createGateTools(() => true).flatMap((tool) =>
    typeof tool === "function" ? [] : [tool],
  );
  const tools = gates.map((tool) => ({
    ...{ name: tool.name, description: "", parameters: {} },
    async execute(toolCallId: string, params: Record<string, unknown>): Promise<ToolResult> {
      asked.push({ tool: tool.name, params });
      const decided = decide({ tool: tool.name, params });
      if (decided !== undefined) return await decided;
      const signal = new AbortController().signal;
      return (await tool.execute(
        toolCallId,
        params as never,
        signal,
        () => undefined,
      )) as ToolResult;
    },
  }));
  const authorizations = new CallAuthorizations(
    { tools, progress },
    { waiting: (isWaiting) => void waits.push(isWaiting) },
  );
  const app = createWorkerApp({
    tokens,
    messages: testWire,
    host: {
      async callModel(call) {
        modelCalls.push(call);
        const next = steps[step] ?? { text: "done" };
        step += 1;
        if ("text" in next) await next.after;
        const content: AssistantMessage["content"] =
          "text" in next
            ? [{ type: "text", text: next.text }]
            : [
                {
                  ...{ type: "toolCall", toolCallId: `call-${step}`, toolName: next.tool },
                  params: JSON.parse(JSON.stringify(next.input)),
                },
              ];
        return {
          message: {
            ...{ role: "assistant", provider: "scripted", model: "script", timestamp: 0, content },
            stopReason: "text" in next ? "stop" : "tool-calls",
          },
          usage: { input: 3, output: 2 },
        };
      },
    },
    find: (jobId) => (jobId === JOB ? { session, conversation, authorizations } : undefined),
    async takePrompts() {
      requests += 1;
      return prompts(requests);
    },
    use: async () => undefined,
  });
  const server = new WorkerServer(join(folder.path, "api.sock"), app);
  await server.open();
  onTestFinished(() => server.close());
  const { token } = await tokens.issue(JOB);
  const port = await openRelay(server.path);
  /** Runs the bridge to its end. */
  async function run({
    resume,
    patienceMs,
    wait,
    maxTurns = 50,
  }: {
    readonly resume?: string;
    readonly patienceMs?: number;
    readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
    readonly maxTurns?: number;
  } = {}): Promise<WorkerCompletion> {
    const agent = createClaudeAgent({
      ...{ program, isScript: true, workdir, maxTurns, system: "be brief", patienceMs },
      configDir: join(folder.path, "sessions"),
      environment: { PATH: process.env.PATH, HOME: folder.path },
      model: {
        ...{ name: "sonnet", key: token },
        url: `http://127.0.0.1:${port}/worker/${JOB}/anthropic`,
      },
    });
    const given = { jobId: JOB, orchestratorUrl: `unix:${server.path}`, token, resume };
    await runBridge(given, agent, {
      signal: new AbortController().signal,
      wait:
        wait ??
        ((_ms, signal) =>
          new Promise((resolve) => signal.addEventListener("abort", () => resolve()))),
    });
    return await session.completed;
  }
  return { ...{ folder, workdir, published, sessions, modelCalls, asked, waits, program }, run };
}
