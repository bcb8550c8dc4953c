import { createCounters, createSkillCatalog, ToolRateLimits } from "@openclaw/agent";
import { ApprovalBroker, type ApprovalSettings } from "@openclaw/approval-broker";
import { BackgroundProcesses } from "@openclaw/core-tools";
import type { Timers } from "@openclaw/foundation";
import type { InboundMessage, MessageHost } from "@openclaw/messaging";
import {
  ApprovalAttendance,
  type Attendant,
  createMessageFlow,
  createMessageRouter,
  createSessionLife,
  createSubagentLife,
  createTurnLines,
  createTurnQueue,
  HookTraces,
  type MessageFlow,
  SessionStates,
  TurnPauses,
} from "@openclaw/messaging";
import { createModelCatalog, createScriptedModel, type ModelScript } from "@openclaw/models";
import { createPluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger, OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import { createHttpApp, type HttpHost, type HttpServer, listen } from "@openclaw/server";
import { openStore, type Store } from "@openclaw/store";
import { compilePolicy, type Policy } from "@openclaw/tool-policy";
import { onTestFinished } from "vitest";
import type { OpenClawConfiguration } from "../../src/configuration/schema.js";
import { scriptedProvider } from "./scripted-provider.js";

export { type Gate, gate } from "./gate.js";

export const SESSION = "agent:main:main";

/** How a test's host differs from the plain one. */
export interface TestHostOptions {
  /** What the model says; `ok` to everything by default. */
  readonly script?: ModelScript;
  /** Registers hooks and tools as the plugin `guard`. */
  readonly register?: (api: OpenClawPluginApi) => void;
  /** Further plugins. */
  readonly plugins?: readonly PluginDefinition[];
  /** Its configuration, as far as it says where messages go and when sessions end. */
  readonly configuration?: Pick<OpenClawConfiguration, "agents" | "bindings" | "session">;
  /** What its tools are judged by; everything is allowed by default. */
  readonly policy?: Policy;
  /** Its clock, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** How many of its turns run at once. */
  readonly concurrentTurns?: number;
  /** How its people are asked. */
  readonly approvals?: ApprovalSettings;
  /** Moves its deadlines on. */
  readonly timers?: Timers;
  /** A store that outlives the host, for what happens over a restart. */
  readonly store?: Store;
  /** Channels that outlive the host. */
  readonly lastingSurface?: MessageHost["lastingSurface"];
}

/** Who answers in tests. */
export const OWNER = { channel: "test", senderId: "owner", isOwner: true } as const;

/** Somebody who is shown every question and answers it at once. */
export function answering(
  { approvals }: Pick<MessageHost, "approvals">,
  decision: "allow-once" | "allow-always" | "deny",
): Attendant {
  return {
    channel: "test",
    async show({ id, state }) {
      if (state === "pending") await approvals.decide(id, { decision, via: "test" }, OWNER);
    },
  };
}

/** A host with a real store, real plugins and a scripted model, without files, lock or listener. */
export interface TestHost extends MessageHost {
  readonly flow: MessageFlow;
  /** `provider/model` of its turns. */
  readonly model: string;
  /** What the model was asked so far, as one text per request. */
  asked(): string[];
  /** What was logged, as `level: message`. */
  readonly lines: readonly string[];
  /** Aborts every turn, as the end of a stop does. */
  readonly ending: AbortController;
}

/**
 * Makes a host that is closed at the end of the test.
 * @param options - how it differs from the plain one
 */
export async function createTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { script = () => ({ text: "ok" }), register = () => {} } = options;
  const { configuration = {}, now = Date.now, policy = compilePolicy([]) } = options;
  const { session = {} } = configuration;
  const store = options.store ?? (await openTestStore());
  const lines: string[] = [];
  const logger = collectLines(lines);
  const sessionStates = new SessionStates(store, logger);
  const plugins = createPluginRuntime({
    config: {},
    logger,
    inline: [{ id: "guard", register }, ...(options.plugins ?? [])],
    hostServices: { hosts: ["sessionExtensions"], ...sessionStates.services },
  });
  await plugins.load();
  const model = createScriptedModel(script);
  const provider = scriptedProvider(model);
  const processes = new BackgroundProcesses();
  const queue = createTurnQueue(options.concurrentTurns ?? 16);
  const ending = new AbortController();
  const approvals = new ApprovalBroker({
    store,
    logger,
    place: { path: "", workspaceDir: "/nowhere" },
    ...(options.approvals === undefined ? {} : { settings: options.approvals }),
    ...(options.timers === undefined ? {} : { timers: options.timers }),
  });
  const traces = new HookTraces({ store, plugins, logger });
  const host: MessageHost = {
    get subagents() {
      return subagents;
    },
    store,
    plugins,
    traces,
    approvals,
    pauses: new TurnPauses(approvals),
    attendance: new ApprovalAttendance(approvals, store, logger),
    queue,
    turnLines: createTurnLines(queue),
    sessions: createSessionLife(
      { store, plugins, sessionStates, processes, approvals, logger, now },
      session.reset,
    ),
    sessionStates,
    router: createMessageRouter(configuration, {
      model: "scripted/script",
      workspaceDir: () => "/nowhere",
    }),
    queueMode: session.queueMode ?? "queue",
    logger,
    signal: ending.signal,
    lastingSurface: (target) => options.lastingSurface?.(target),
    services: {
      store,
      models: createModelCatalog([provider]),
      policy,
      subagents: {
        limits: { maxDepth: 2, maxChildren: 8 },
        agentIds: ["main"],
        modelOf: () => "scripted/script",
        spawn: (spawn) => subagents.spawn(spawn),
        stop: (runId) => subagents.stop(runId),
      },
      safety: {},
      approvals,
      coreTools: [],
      skills: createSkillCatalog({ origins: [], safety: {}, logger }),
      toolTimeouts: {},
      maxParallelCalls: 4,
      toolRateLimits: new ToolRateLimits({}, Date.now),
      latestPolicy: () => policy,
      counters: createCounters(),
      maxIterations: 5,
      configRevision: "test",
      logger,
      now,
      ...(options.timers === undefined ? {} : { timers: options.timers }),
    },
  };
  const subagents = createSubagentLife(host, 8);
  const flow = createMessageFlow(host);
  onTestFinished(async () => {
    ending.abort(new Error("the test is over"));
    await flow.close();
    await approvals.close();
    await traces.close();
    await plugins.dispose();
  });
  return {
    ...host,
    flow,
    model: "scripted/script",
    lines,
    ending,
    asked: () => model.requests.map(({ prompt }) => JSON.stringify(prompt)),
  };
}

export const TOKEN = "a-token-of-the-test-host-only";

/** A host that listens on a port of loopback. */
export interface ServedHost extends HttpServer {
  readonly url: string;
  /** What an authorised request carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Serves a host over HTTP until the end of the test.
 * @param host - takes the messages in
 * @param parts - what answers otherwise
 */
export async function serve(host: TestHost, parts: Partial<HttpHost> = {}): Promise<ServedHost> {
  const app = createHttpApp({
    token: TOKEN,
    agentIds: ["main"],
    model: () => ({ ref: host.model }),
    receive: host.flow.receive,
    ready: async () => [{ name: "store", ok: true }],
    now: Date.now,
    logger: host.logger,
    ...parts,
  });
  const server = await listen(app, 0);
  onTestFinished(() => server.close(0));
  const { port } = server;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    close: (graceMs) => server.close(graceMs),
  };
}

/**
 * Opens a store in memory that is closed at the end of the test.
 * @param now - its clock, in milliseconds since the epoch
 */
export async function openTestStore(now: () => number = Date.now): Promise<Store> {
  const store = await openStore({ file: ":memory:", now });
  onTestFinished(() => store.close());
  return store;
}

/**
 * A message of the operator.
 * @param text - what it says
 * @param rest - how else it differs
 */
export function message(text: string, rest: Partial<InboundMessage> = {}): InboundMessage {
  return {
    channel: "terminal",
    conversationId: "terminal",
    senderId: "operator",
    senderIsOwner: true,
    text,
    sessionKey: SESSION,
    agentId: "main",
    ...rest,
  };
}

function collectLines(lines: string[]): Logger {
  const write = (level: string) => (text: string) => void lines.push(`${level}: ${text}`);
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
}
