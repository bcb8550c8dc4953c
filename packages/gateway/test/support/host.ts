import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCounters,
  createSkillCatalog,
  type Subagents,
  ToolRateLimits,
  type TurnBudgets,
  type TurnDependencies,
  textTokens,
} from "@openclaw/agent";
import { ApprovalBroker, type ApprovalSettings } from "@openclaw/approval-broker";
import type { EmbeddingsSection, OpenClawConfiguration } from "@openclaw/configuration";
import { BackgroundProcesses } from "@openclaw/core-tools";
import { BackgroundTasks, systemClock, type Timers } from "@openclaw/foundation";
import {
  createJobTools,
  JobConversation,
  Jobs,
  type JobsConfiguration,
  jobSettings,
} from "@openclaw/jobs";
import {
  type Approver,
  ApproverPresence,
  createMessageRouter,
  createMessaging,
  type FindSurface,
  type InboundMessage,
  LiveSessions,
  type Messaging,
  pendingApproval,
  RESERVED_COMMAND_NAMES,
  SessionStates,
} from "@openclaw/messaging";
import {
  chainSettings,
  createEmbeddingCatalog,
  createModelCatalog,
  createScriptedModel,
  ModelChain,
  ModelHealth,
  type ModelScript,
} from "@openclaw/models";
import { createPluginRuntime, type PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger, OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import type { EmbeddingProvider } from "@openclaw/plugin-sdk/provider-entry";
import type { EventPublisher } from "@openclaw/protocol";
import {
  createRoutineTools,
  type HeartbeatConfiguration,
  heartbeatSettings,
  RoutineConversation,
  Routines,
  type RoutinesConfiguration,
  routineSettings,
} from "@openclaw/routines";
import { NetworkClient, type SafetySettings } from "@openclaw/safety";
import {
  createHttpApp,
  GatewayAccess,
  type HttpHost,
  type HttpServer,
  IdempotentCalls,
  listen,
  MethodCalls,
  type MethodSource,
} from "@openclaw/server";
import { openStore, type Store } from "@openclaw/store";
import { ChannelAccess, compilePolicy, type Policy } from "@openclaw/tool-policy";
import { onTestFinished } from "vitest";
import { createEmbeddingPort } from "../../src/host/embeddings/client-port.js";
import { HostEmbeddings } from "../../src/host/embeddings/host-embeddings.js";
import { localEmbeddings } from "../../src/host/embeddings/local-provider.js";
import { LatePort } from "../../src/host/late-port.js";
import { SessionTools } from "../../src/host/tools/session.js";
import { readContextFile } from "../../src/routines/context-file.js";
import { moveNotes } from "../../src/routines/notes-folder.js";
import { createRoutineToolCalls } from "../../src/routines/tool-calls.js";
import { scriptedProvider } from "./scripted-provider.js";

export { type Gate, gate } from "./gate.js";

export const SESSION = "agent:main:main";

/** Options of a test host. */
export interface TestHostOptions {
  /** Script of the model; by default it replies `ok` to everything. */
  readonly script?: ModelScript;
  /** Registers hooks and tools as the plugin `guard`. */
  readonly register?: (api: OpenClawPluginApi) => void;
  /** Further plugins. */
  readonly plugins?: readonly PluginDefinition[];
  /** Configuration of agents, bindings, channels and sessions. */
  readonly configuration?: Pick<
    OpenClawConfiguration,
    "agents" | "bindings" | "channels" | "session"
  >;
  /** Policy for its tools; by default everything is allowed. */
  readonly policy?: Policy;
  /** Returns milliseconds since the epoch. */
  readonly now?: () => number;
  /** Returns milliseconds that no change of the clock changes; by default {@link TestHostOptions.now}. */
  readonly elapsed?: () => number;
  /** Rules and limits of its safety engine. */
  readonly safety?: SafetySettings;
  /** Maximum number of concurrent turns. */
  readonly concurrentTurns?: number;
  /** Settings of approvals. */
  readonly approvals?: ApprovalSettings;
  /** Timers that the test controls. */
  readonly timers?: Timers;
  /** Store that outlives the host, for tests with a restart. */
  readonly store?: Store;
  /** Channels that outlive the host. */
  readonly findSurface?: FindSurface;
  /** Receives the events for connected clients. */
  readonly events?: EventPublisher;
  /** Stops the host. */
  readonly quit?: () => void;
  /** Receiver of unknown commands. */
  readonly unknownCommands?: "answer" | "model";
  /** Workspace of its jobs. */
  readonly workspaceDir?: string;
  /** Settings of its jobs, which start with `jobs.recover()`. */
  readonly jobs?: JobsConfiguration;
  /** Settings of its routines, which start with `routines.recover()`. */
  readonly routines?: RoutinesConfiguration;
  /** Settings of its heartbeat. */
  readonly heartbeat?: HeartbeatConfiguration;
  /** Returns the content of HEARTBEAT.md; undefined when there is none. */
  readonly heartbeatFile?: () => string | undefined;
  /** Agents of its routines. */
  readonly agentIds?: readonly string[];
  /** True for a host whose agents have the tools of routines. */
  readonly hasRoutineTools?: boolean;
  /** True for a host whose agents have the tools of jobs. */
  readonly hasJobTools?: boolean;
  /** Returns the services of turns that begin now. */
  readonly servicesNow?: (services: TurnDependencies) => TurnDependencies;
}

/** Approver in tests. */
export const OWNER = { channel: "test", senderId: "owner", isOwner: true } as const;

/** Returns an approver that decides every request at once. */
export function answering(
  { approvals }: Pick<TestHost, "approvals">,
  decision: "allow-once" | "allow-always" | "deny",
): Approver {
  return {
    channel: "test",
    async show({ id, state }) {
      if (state === "pending") await approvals.decide(id, { decision, via: "test" }, OWNER);
    },
  };
}

/** Host with a real store, real plugins and a scripted model, without files, lock or listener. */
export interface TestHost extends Messaging {
  readonly jobs: Jobs;
  readonly routines: Routines;
  readonly store: Store;
  readonly plugins: PluginRuntime;
  readonly approvals: ApprovalBroker;
  readonly presence: ApproverPresence;
  readonly sessionStates: SessionStates;
  readonly services: TurnDependencies;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Model of its turns as `provider/model`. */
  readonly model: string;
  /** Returns the model requests so far, one string per request. */
  asked(): string[];
  /** Logged lines as `level: message`. */
  readonly lines: readonly string[];
  /** Aborts every turn, as the end of a stop does. */
  readonly ending: AbortController;
}

/** Creates a host that is closed at the end of the test. */
export async function createTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { script = () => ({ text: "ok" }), register = () => {} } = options;
  const { configuration = {}, now = Date.now, policy = compilePolicy([]) } = options;
  const { session = {} } = configuration;
  const { safety = {} } = options;
  const store = options.store ?? (await openTestStore());
  const lines: string[] = [];
  const logger = collectLines(lines);
  const live = new LiveSessions(() => options.concurrentTurns ?? 16);
  const sessionStates = new SessionStates(store, live, logger);
  const plugins = createPluginRuntime({
    config: {},
    logger,
    inline: [{ id: "guard", register }, ...(options.plugins ?? [])],
    hostServices: {
      names: { commands: RESERVED_COMMAND_NAMES },
      hosts: ["commands", "sessionExtensions"],
      ...sessionStates.services,
    },
  });
  await plugins.load();
  const model = createScriptedModel(script);
  const provider = scriptedProvider(model);
  const ending = new AbortController();
  const { timers } = options;
  const tasks = new BackgroundTasks({
    ...{ timers: timers ?? systemClock, now },
    failed: (problem) => logger.warn(problem),
  });
  const approvals = new ApprovalBroker({
    ...{ store, logger, tasks },
    place: { path: "", workspaceDir: "/nowhere" },
    ...(options.approvals === undefined ? {} : { settings: options.approvals }),
    ...(timers === undefined ? {} : { timers }),
  });
  const presence = new ApproverPresence(approvals, store, logger);
  const counters = createCounters();
  const routinePort = new LatePort<Routines>("the routines");
  const jobPort = new LatePort<Jobs>("the jobs");
  const port = new LatePort<Pick<Subagents, "spawn" | "stop">>("the subagents");
  const services: TurnDependencies = {
    store,
    models: createModelCatalog([provider]),
    modelChain: new ModelChain({
      health: new ModelHealth(),
      settings: chainSettings({ retry: { retries: 0 } }),
    }),
    policy,
    subagents: {
      limits: { maxDepth: 2, maxChildren: 8 },
      agentIds: ["main"],
      modelOf: () => "scripted/script",
      spawn: (spawn) => port.target.spawn(spawn),
      stop: (runId) => port.target.stop(runId),
    },
    safety,
    approvals,
    coreTools: [
      ...(options.hasJobTools === true
        ? [
            createJobTools(
              () => jobPort.target,
              () => false,
            ),
          ]
        : []),
      ...(options.hasRoutineTools === true ? [createRoutineTools(() => routinePort.target)] : []),
    ],
    skills: createSkillCatalog({ origins: [], safety, logger }),
    toolTimeouts: {},
    maxParallelCalls: 4,
    toolRateLimits: new ToolRateLimits({}, Date.now),
    latestPolicy: () => policy,
    counters,
    maxIterations: 5,
    configRevision: "test",
    logger,
    now,
    ...(timers === undefined ? {} : { timers }),
  };
  const router = createMessageRouter(configuration, {
    model: "scripted/script",
    workspaceDir: () => "/nowhere",
  });
  const messaging = createMessaging({
    live,
    tasks,
    store,
    plugins,
    logger,
    signal: ending.signal,
    clock: { now, timers: timers ?? systemClock },
    settings: {
      session,
      get approvalDelivery() {
        return options.approvals?.delivery;
      },
      maxSubagents: 8,
      unknownCommands: options.unknownCommands,
    },
    version: "1.2.3",
    jobs: new JobConversation(() => jobPort.target),
    routines: new RoutineConversation(() => routinePort.target),
    handled: (message, outcome) => routinePort.target.triggers.handled(message, outcome),
    quit: options.quit,
    approvals,
    presence,
    events: options.events ?? { publish: () => undefined },
    router,
    sessionStates,
    processes: new BackgroundProcesses(),
    counters,
    access: new ChannelAccess(configuration),
    buttonKey: () => Buffer.alloc(32, 7),
    filesDir: () => join(tmpdir(), "received"),
    findSurface: (target) => options.findSurface?.(target),
    services: () => options.servicesNow?.(services) ?? services,
  });
  const { flow, traces, spawner, subagents } = messaging;
  const jobs = new Jobs({
    ...{ store, messaging, logger, tasks },
    events: options.events ?? { publish: () => undefined },
    clock: { now, timers: timers ?? systemClock, elapsed: options.elapsed ?? now },
    folders: async () => ({
      workspaceDir: options.workspaceDir ?? "/nowhere",
      stateDir: "/nowhere-else",
    }),
    settings: () => jobSettings(options.jobs),
    maxIterations: () => services.maxIterations,
  });
  jobPort.connect(jobs);
  const sessionTools = new SessionTools({
    ...{ plugins, store, router, services: () => services },
    events: options.events ?? { publish: () => undefined },
    sessionModel: () => undefined,
    isAttended: (lineage, kind) => presence.isAttended(lineage, kind),
  });
  const routines = new Routines({
    ...{ store, messaging, jobs, logger, tasks, posts: messaging.posts },
    events: options.events ?? { publish: () => undefined },
    clock: { now, timers: timers ?? systemClock },
    settings: () => routineSettings({ timezone: "UTC", ...options.routines }),
    triggers: {
      key: () => Buffer.alloc(32, 9),
      workspaceOf: () => options.workspaceDir ?? "/nowhere",
      settleMs: 50,
    },
    heartbeat: {
      pluginMessages: messaging.pluginMessages,
      settings: () => heartbeatSettings(options.heartbeat, { agentId: "main", timezone: "UTC" }),
      readFile: async () => ({ text: options.heartbeatFile?.() }),
    },
    readContextFile: (_agentId, path, most) =>
      readContextFile(options.workspaceDir ?? "/nowhere", path, most),
    moveFolder: (_agentId, from, to) => moveNotes(options.workspaceDir ?? "/nowhere", from, to),
    callTool: createRoutineToolCalls(sessionTools, store, ending.signal),
    agentIds: () => options.agentIds ?? ["main"],
    observe(event) {
      const context = { callDepth: 0, getCron: () => routines.cron };
      plugins.hooks.observe("cron_changed", event, context)?.catch(() => undefined);
    },
  });
  port.connect({
    spawn: (spawn) => spawner.spawn(spawn),
    stop: (runId) => subagents.stop(runId),
  });
  routinePort.connect(routines);
  onTestFinished(async () => {
    routines.close();
    jobs.close();
    ending.abort(new Error("the test is over"));
    await flow.close();
    await approvals.close();
    await traces.close();
    await plugins.dispose();
  });
  return {
    ...messaging,
    jobs,
    routines,
    store,
    plugins,
    approvals,
    presence,
    sessionStates,
    services,
    logger,
    signal: ending.signal,
    model: "scripted/script",
    lines,
    ending,
    asked: () => model.requests.map(({ prompt }) => JSON.stringify(prompt)),
  };
}

export const TOKEN = "a-token-of-the-test-host-only";

/** Options of the access of a test host; without them it has the token {@link TOKEN} and no limits of calls. */
export type TestAccess = Partial<ConstructorParameters<typeof GatewayAccess>[0]>;

/**
 * Creates the access of a test host.
 * @param options - options other than the defaults of tests
 */
export function testAccess(options: TestAccess = {}): GatewayAccess {
  const limits = { requestsPerMinute: 0, chatSendsPerMinute: 0, ...options.limits };
  const silent = () => undefined;
  return new GatewayAccess({
    token: TOKEN,
    clock: systemClock,
    now: Date.now,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    ...options,
    limits,
  });
}

/** Host that listens on a port of the loopback interface. */
export interface ServedHost extends HttpServer {
  readonly url: string;
  /** Headers of an authorised request. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Serves a host over HTTP until the end of the test.
 * @param host - host that receives the messages
 * @param parts - replacements for parts of the HTTP host
 */
export async function serve(host: TestHost, parts: Partial<HttpHost> = {}): Promise<ServedHost> {
  const access = parts.access ?? testAccess();
  const network = new NetworkClient();
  const app = createHttpApp({
    access,
    agentIds: ["main"],
    model: () => ({ ref: host.model }),
    models: () => [host.model],
    embeddings: createEmbeddingPort(embeddingsOf(host)),
    clientTools: true,
    modelNames: () => ({}),
    estimateTokens: textTokens,
    fetch: (url, signal) => network.fetch(url, { signal }),
    receive: (received, caller) => host.flow.receive(received, caller),
    outcomes: host.outcomes,
    clientTurns: host.clientTurns,
    responses: host.store.messages.responses,
    pendingApproval: (id) => pendingApproval(id, host),
    timers: systemClock,
    ready: async () => [{ name: "store", ok: true }],
    now: Date.now,
    logger: host.logger,
    ...parts,
  });
  const server = await listen(app, { port: 0, access });
  onTestFinished(() => server.close(0));
  const { port } = server;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    close: (graceMs) => server.close(graceMs),
    pause: () => server.pause(),
    resume: () => server.resume(),
  };
}

/**
 * Creates the embeddings of a test host.
 * @param host - host with safety rules
 * @param options - section `embeddings`, environment, budgets and providers in addition to the local one
 */
export function embeddingsOf(
  { services }: Pick<TestHost, "services">,
  {
    section = {},
    environment = {},
    providers = [],
    budgets,
  }: {
    readonly section?: EmbeddingsSection;
    readonly environment?: NodeJS.ProcessEnv;
    readonly providers?: readonly EmbeddingProvider[];
    readonly budgets?: TurnBudgets;
  } = {},
): HostEmbeddings {
  const configuration = { value: { embeddings: section } };
  const embeddings = createEmbeddingCatalog([localEmbeddings(), ...providers]);
  const { safety } = services;
  return new HostEmbeddings(
    { configuration, environment },
    () => ({ embeddings, safety }),
    () => ({ dependencies: { ...services, budgets }, agentId: "main" }),
  );
}

/**
 * Opens a store in memory that is closed at the end of the test.
 * @param now - clock in milliseconds since the epoch
 */
export async function openTestStore(now: () => number = Date.now): Promise<Store> {
  const store = await openStore({ file: ":memory:", now });
  onTestFinished(() => store.close());
  return store;
}

/**
 * Creates a message of the operator.
 * @param text - text of the message
 * @param rest - further fields
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

/**
 * Returns what executes the calls of clients, without limits.
 * @param methods - methods to call
 * @param host - store of the calls, and log
 */
export function callsOf(
  methods: () => Promise<MethodSource>,
  { store, logger }: { readonly store: Pick<Store, "calls">; readonly logger: Logger },
): MethodCalls {
  const limits = { count: () => undefined };
  const idempotency = new IdempotentCalls({ calls: store.calls, logger });
  return new MethodCalls({ methods, idempotency, limits, logger });
}
