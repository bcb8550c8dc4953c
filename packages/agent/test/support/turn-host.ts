import {
  ApprovalBroker,
  type ApprovalSettings,
  type Approver,
  requestDecision,
} from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import {
  chainSettings,
  createModelCatalog,
  createScriptedModel,
  ModelChain,
  ModelHealth,
  type ModelScript,
} from "@openclaw/models";
import { createPluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger, OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import type { HookName } from "@openclaw/plugin-sdk/hooks";
import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import type {
  AgentMessage,
  AnyAgentTool,
  DeepReadonly,
  ToolDefinition,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";
import { openStore, type Store } from "@openclaw/store";
import { compilePolicy, type PolicyLayer } from "@openclaw/tool-policy";
import { expect, onTestFinished } from "vitest";
import {
  createCounters,
  createSkillCatalog,
  type PluginPin,
  runTurn,
  ToolRateLimits,
  type TurnDependencies,
  type TurnEvent,
  type TurnOutcome,
  type TurnRequest,
} from "../../src/index.js";

/** The clock of every host; its time does not advance. */
export const NOW = 1_700_000_000_000;

/** A line that the host or a plugin logged. */
export interface LoggedLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Options that a test changes of its host. */
export interface TurnHostOptions extends Partial<Omit<TurnDependencies, "approvals" | "policy">> {
  /** Replies of the model `scripted/script`, step by step. */
  readonly script?: ModelScript;
  /** Further providers; `scripted` is always the first. */
  readonly providers?: readonly ModelProvider[];
  readonly plugins?: readonly PluginDefinition[];
  readonly layers?: readonly PolicyLayer[];
  readonly approvals?: ApprovalSettings;
  /** Configuration of the host, whose `plugins` section rules the plugins. */
  readonly config?: Parameters<typeof createPluginRuntime>[0]["config"];
  /** State folder that plugins receive. */
  readonly stateDir?: string;
}

/** A real host around turns: store, plugin runtime, policy and a scripted model. */
export interface TurnHost {
  readonly services: TurnDependencies;
  readonly store: Store;
  readonly pin: PluginPin;
  /** Every request the model was sent, in order. */
  readonly requests: ReturnType<typeof createScriptedModel>["requests"];
  readonly lines: readonly LoggedLine[];
  /** Events that the turns reported so far. */
  readonly events: readonly TurnEvent[];
  readonly sessionId: string;
  /** A request as `run` makes it. */
  request(changes?: Partial<TurnRequest>): TurnRequest;
  /** Runs one turn of the session; the approver settles its requests; without an approver, approval is unavailable. */
  run(changes?: Partial<TurnRequest> & { approver?: Approver | undefined }): Promise<TurnOutcome>;
  /** Returns the session's transcript. */
  transcript(): Promise<AgentMessage[]>;
  /** The answers to tool calls in the transcript. */
  toolResults(): Promise<ToolResultMessage[]>;
}

/**
 * Makes a host whose parts are real but for the model; it is closed when the running test ends.
 * @param options - differences from an empty host
 */
export async function turnHost(options: TurnHostOptions = {}): Promise<TurnHost> {
  const { script = [{ text: "done" }], providers = [], plugins = [], ...others } = options;
  const { layers = [], approvals = {}, config = {}, stateDir, ...services } = others;
  const model = createScriptedModel(script);
  const lines: LoggedLine[] = [];
  const events: TurnEvent[] = [];
  const logger = memoryLogger(lines);

  const store = options.store ?? (await openStore({ file: ":memory:", now: () => NOW }));
  onTestFinished(() => store.close());
  const { session } = await store.sessions.open("agent:main:main", { agentId: "main" });
  const { sessionId, sessionKey } = session;

  const runtime = createPluginRuntime({
    config,
    logger,
    inline: plugins,
    ...defined({ stateDir }),
  });
  await runtime.load();
  onTestFinished(() => runtime.dispose());
  const held = runtime.pin();
  const core = (services.coreTools ?? []).map(({ name }) => ({
    name,
    origin: "core" as const,
    optional: false,
    aliases: [],
  }));
  const ofPlugins = held.generation.tools.flatMap(({ names, pluginId, optional }) =>
    names.map((name) => ({ name, origin: "plugin" as const, pluginId, optional, aliases: [] })),
  );

  const policy = compilePolicy(layers, { tools: [...core, ...ofPlugins] });
  const host = {
    services: {
      store,
      models: createModelCatalog([scriptedProvider("scripted", () => model), ...providers]),
      coreTools: [],
      skills: createSkillCatalog({ origins: [], safety: {}, logger }),
      toolTimeouts: {},
      maxParallelCalls: 4,
      toolRateLimits: new ToolRateLimits({}, () => NOW),
      brokenTools: options.brokenTools,
      maxIterations: 10,
      modelChain: options.modelChain ?? singleRequests(),
      configRevision: "test",
      counters: createCounters(),
      logger,
      now: () => NOW,
      latestPolicy: () => policy,
      safety: {},
      ...services,
      policy,
      approvals: new ApprovalBroker({
        store,
        logger,
        settings: approvals,
        timers: services.timers,
        place: { path: process.env.PATH ?? "", workspaceDir: "/workspace" },
      }),
    },
    store,
    pin: {
      generation: held.generation.number,
      hooks: held.hooks,
      tools: held.generation.tools,
      agentHarnesses: held.generation.agentHarnesses.map((each) => ({
        ...each,
        ownProviders: held.generation.providers
          .filter(({ pluginId }) => pluginId === each.pluginId)
          .map(({ provider }) => provider.id),
      })),
      mayAddToPrompts: (pluginId: string) => runtime.mayAddToPrompts(pluginId),
    },
    requests: model.requests,
    lines,
    events,
    sessionId,
  };
  let turns = 0;
  const request = (changes: Partial<TurnRequest> = {}): TurnRequest => ({
    runId: `run-${++turns}`,
    agentId: "main",
    sessionKey,
    sessionId,
    trigger: "user",
    origin: {
      channel: "terminal",
      channelId: "terminal:me",
      messageId: "message-1",
      senderId: "me",
      senderIsOwner: true,
    },
    text: "hello",
    model: "scripted/script",
    workspaceDir: "/workspace",
    signal: new AbortController().signal,
    onEvent: (event) => void events.push(event),
    ...changes,
  });
  const transcript = async () => {
    const entries = await store.messages.transcript.load(sessionId);
    return entries.map(({ message }) => message);
  };
  return {
    ...host,
    request,
    async run({ approver, ...changes } = {}) {
      const isAttended = () => approver !== undefined;
      const asked = { ...request({ isAttended, ...changes }) };
      for (;;) {
        const outcome = await runTurn(asked, host.services, host.pin);
        if (outcome.status !== "paused" || approver === undefined) return outcome;
        const { approvals } = host.services;
        const approval = await store.decisions.approvals.get(outcome.approvalId);
        if (approval === undefined) throw new Error("the question is gone");
        await requestDecision(approval, approver, approvals, asked.signal, logger);
      }
    },
    transcript,
    toolResults: async () =>
      (await transcript()).filter((message) => message.role === "toolResult"),
  };
}

/** A chain that sends each request once to each model, so that scripts of replies count requests. */
function singleRequests(health = new ModelHealth()): ModelChain {
  return new ModelChain({ health, settings: chainSettings({ retry: { retries: 0 } }) });
}

/**
 * A provider of models that are made on the spot.
 * @param languageModel - makes a model of an id
 */
export function scriptedProvider(
  id: string,
  languageModel: ModelProvider["languageModel"],
): ModelProvider {
  return {
    id,
    defaultModel: "script",
    paid: false,
    setup: "nothing to set up",
    credential: { source: "the test" },
    languageModel,
  };
}

/**
 * A plugin of nothing but its `register`.
 * @param register - registers the plugin's hooks and tools
 */
export function plugin(id: string, register: (api: OpenClawPluginApi) => void): PluginDefinition {
  return { id, register };
}

/**
 * A plugin that notes the names of hooks as they fire.
 * @param order - takes the names
 * @param names - the hooks to watch
 */
export function watcher(order: string[], names: readonly HookName[]): PluginDefinition {
  return plugin("watcher", (api) => {
    api.registerHook(names, (_event, { hookName }) => void order.push(hookName));
  });
}

/**
 * A tool that says `<name> ran`, unless the test gives it another behaviour.
 * @param changes - fields that differ
 */
export function tool(name: string, changes: Partial<ToolDefinition> = {}): AnyAgentTool {
  return {
    name,
    description: `The tool ${name}.`,
    parameters: { type: "object", properties: {} },
    execute: () => `${name} ran`,
    ...changes,
  };
}

/**
 * A step of a script that calls tools.
 * @param toolNames - called without arguments, in this order
 */
export function calling(...toolNames: string[]) {
  return { toolCalls: toolNames.map((toolName) => ({ toolName })) };
}

/** Expects every call of a transcript to have one answer behind it, and no answer to be without a call. */
export async function expectAnswered(host: TurnHost): Promise<void> {
  const open: string[] = [];
  for (const message of await host.transcript()) {
    if (message.role === "toolResult") expect(open.shift()).toBe(message.toolCallId);
    else expect(open).toEqual([]);
    for (const part of message.content) if (part.type === "toolCall") open.push(part.toolCallId);
  }
  expect(open).toEqual([]);
}

/** The fields that the event of a hook has, as plain data. */
export function fieldsOf(event: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(event));
}

/** The text of a message's parts, one per line. */
export function textOf(message: DeepReadonly<Pick<AgentMessage, "content">> | undefined): string {
  return (message?.content ?? [])
    .map((part) => ("text" in part ? part.text : `[${part.type}]`))
    .join("\n");
}

function memoryLogger(lines: LoggedLine[]): Logger {
  const write =
    (level: LoggedLine["level"]) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, message, fields });
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
}
