import {
  makeSingleCall,
  requestSize,
  type SpendingDependencies,
  type TurnDependencies,
} from "@openclaw/agent";
import { defined, sha256 } from "@openclaw/foundation";
import {
  agentOfCallerKey,
  type InboundMessage,
  type Messaging,
  mainSessionKey,
  type PluginMessages,
  type ReplyOutcome,
} from "@openclaw/messaging";
import { createDescribedModel, modelCandidates } from "@openclaw/models";
import type { ChannelAdapters } from "@openclaw/older-plugins";
import type {
  CompletionMessage,
  HostAgentPort,
  HostAgentReply,
  HostAgentTurn,
  HostMessagePort,
  HostQuestion,
  RuntimeSpeech,
  ToolInvocation,
} from "@openclaw/plugin-sdk/services";
import type { AgentMessage, NestedToolResult, Usage } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import { PluginSessionDeniedError } from "../../errors.js";
import type { HostEmbeddings } from "../../host/embeddings/host-embeddings.js";
import { createPluginEmbeddingPort } from "./embeddings.js";

/** Surface of the messages of plugins; the same as for callers of the API, which have no approver either. */
const CHANNEL = "api";
/** Number of messages of a session that a plugin gets by default. */
const DEFAULT_MESSAGES = 50;
const MOST_MESSAGES = 500;

/** Agents and models that plugins use. */
export interface PluginAgents {
  /** Returns the models of the current generation, and the rules by which they are called. */
  services(): Pick<TurnDependencies, "models" | "modelChain" | "fallbacksOf"> &
    SpendingDependencies;
  readonly embeddings: Pick<HostEmbeddings, "model" | "embed">;
  readonly speech: RuntimeSpeech;
  /** Model of the default agent. */
  readonly defaultModel: string;
  readonly defaultAgent: string;
  readonly store: Store;
  now(): number;
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
  /**
   * Processes a message and resolves with its outcome.
   * @param message - message of a plugin
   * @param caller - interrupts its turn
   */
  receive(message: InboundMessage, caller: { readonly signal: AbortSignal }): Promise<ReplyOutcome>;
  /**
   * Deletes a session with its data.
   * @param sessionKey - full key
   * @throws SessionNotFoundError, SessionBusyError
   */
  deleteSession(sessionKey: string): Promise<unknown>;
  /**
   * Calls a tool in a session.
   * @param invocation - session, tool and requester
   * @throws SessionNotFoundError
   */
  invokeTool(
    invocation: ToolInvocation & { readonly signal: AbortSignal },
  ): Promise<NestedToolResult>;
  /** Sends messages that answer none. */
  readonly messages: Pick<PluginMessages, "send">;
  /** Asks people for credentials. */
  readonly authentication: Messaging["authentication"];
}

/**
 * Creates the access of plugins to models and agents. A turn of a plugin runs with the rights of a caller that is not
 * the owner: policy, hooks and approvals apply.
 * @param agents - returns agents and models; called when a plugin uses them
 * @param adapters - channels of older plugins
 */
export function createPluginAgentPort(
  agents: () => PluginAgents,
  adapters: Pick<ChannelAdapters, "runtimeOf">,
): Required<Omit<HostAgentPort, "memoryTools"> & HostMessagePort> {
  /** Sessions outside the plugins' own names that the turn of a plugin created. */
  const started = new StartedSessions();
  return {
    describedModel: createDescribedModel,
    channelRuntime: (pluginId, access) => adapters.runtimeOf(pluginId, access),
    sendMessage: (pluginId, message) => agents().messages.send(pluginId, message),
    async requestCredential(pluginId, prompt) {
      const sessionKey = agents().fullKey(prompt.sessionKey);
      await agents().authentication.request(pluginId, { ...prompt, sessionKey });
    },
    async complete(_pluginId, question) {
      const { services, defaultAgent, defaultModel, now, store, fullKey } = agents();
      const { models, modelChain, fallbacksOf } = services();
      const session =
        question.sessionKey === undefined
          ? undefined
          : await store.sessions.get(fullKey(question.sessionKey));
      const preferred = await models.resolve(question.model ?? defaultModel);
      const { system, temperature, maxOutputTokens, signal } = question;
      const fallbacks = fallbacksOf?.(defaultAgent, preferred.ref) ?? [];
      const candidates = modelCandidates(preferred, fallbacks, (ref) => models.resolve(ref));
      return await modelChain.run({ candidates, signal }, async ({ model, events }) => {
        const { ref, provider } = model;
        const messages = question.messages.map((message) =>
          noteOf(message, { provider, model: ref }, now()),
        );
        const request = {
          messages,
          tools: [],
          ...defined({ system, temperature, maxOutputTokens }),
        };
        const caller =
          session === undefined
            ? { agentId: defaultAgent }
            : { agentId: session.agentId, sessionId: session.sessionId };
        const size = requestSize({ request: { ...request, system: system ?? "" } });
        const called = await makeSingleCall(services(), { caller, model, size }, async () => {
          let text = "";
          let usage: Usage = {};
          for await (const event of events(request)) {
            if (event.type === "text") text += event.delta;
            if (event.type === "finish") usage = event.usage;
          }
          return { text, usage };
        });
        const { input: inputTokens, output: outputTokens } = called.usage;
        const usage = defined({ inputTokens, outputTokens });
        return { text: called.text, model: ref, provider, usage };
      });
    },
    embeddings: createPluginEmbeddingPort(() => agents().embeddings),
    speech: {
      unavailable: () => agents().speech.unavailable(),
      synthesize: (request) => agents().speech.synthesize(request),
    },
    invokeTool: (_pluginId, invocation) => agents().invokeTool(invocation),
    runAgent: (pluginId, turn) => runAgent(agents(), pluginId, turn, started),
    async deleteSession(pluginId, named) {
      const { sessionKey, isOwn } = sessionOf(agents(), pluginId, named);
      if (!isOwn && !started.has(pluginId, sessionKey)) {
        throw new PluginSessionDeniedError(pluginId, sessionKey);
      }
      await agents().deleteSession(sessionKey);
      started.delete(pluginId, sessionKey);
    },
    async sessionMessages(pluginId, named, limit = DEFAULT_MESSAGES) {
      const { store } = agents();
      const session = await store.sessions.get(sessionOf(agents(), pluginId, named).sessionKey);
      if (session === undefined) return [];
      const count = Math.min(Math.max(1, Math.floor(limit)), MOST_MESSAGES);
      const entries = await store.messages.transcript.load(session.sessionId, { limit: count });
      return entries.map(({ message }) => message);
    },
  };
}

async function runAgent(
  agents: PluginAgents,
  pluginId: string,
  { prompt, sessionKey: named, model, signal }: HostAgentTurn,
  started: StartedSessions,
): Promise<HostAgentReply> {
  const { sessionKey, agentId, isOwn } = sessionOf(agents, pluginId, named);
  if (!isOwn && (await agents.store.sessions.get(sessionKey)) === undefined) {
    started.add(pluginId, sessionKey);
  }
  const outcome = await agents.receive(
    {
      channel: CHANNEL,
      accountId: "plugin",
      conversationId: sessionKey,
      senderId: pluginId,
      senderIsOwner: false,
      text: prompt,
      sessionKey,
      agentId,
      ...defined({ model }),
    },
    { signal },
  );
  return replyOf(outcome);
}

/** Session that a plugin named. */
interface NamedSession {
  /** Full key. */
  readonly sessionKey: string;
  readonly agentId: string;
  /** True for a session with a name of the plugin instead of a key. */
  readonly isOwn: boolean;
}

function sessionOf(
  { defaultAgent, fullKey }: Pick<PluginAgents, "defaultAgent" | "fullKey">,
  pluginId: string,
  named: string,
): NamedSession {
  const full = fullKey(named);
  const known = agentOfCallerKey(full);
  if (known !== undefined) return { sessionKey: full, agentId: known, isOwn: false };
  const sessionKey = pluginSession(defaultAgent, pluginId, named);
  return { sessionKey, agentId: defaultAgent, isOwn: true };
}

/** Sessions that did not exist before the turn of a plugin. */
class StartedSessions {
  readonly #keys = new Map<string, Set<string>>();

  add(pluginId: string, sessionKey: string): void {
    const keys = this.#keys.get(pluginId) ?? new Set();
    this.#keys.set(pluginId, keys.add(sessionKey));
  }

  has(pluginId: string, sessionKey: string): boolean {
    return this.#keys.get(pluginId)?.has(sessionKey) ?? false;
  }

  delete(pluginId: string, sessionKey: string): void {
    this.#keys.get(pluginId)?.delete(sessionKey);
  }
}

/** A name that is not a session key belongs to the plugin, so that plugins cannot meet in one session by chance. */
function pluginSession(agentId: string, pluginId: string, name: string): string {
  const place = /^[\w.-]{1,64}$/.test(name) ? name : sha256(name).slice(0, 32);
  return `${mainSessionKey(agentId).replace(/:main$/, "")}:plugin:${encodeURIComponent(pluginId)}:${place}`;
}

function replyOf(outcome: ReplyOutcome): HostAgentReply {
  switch (outcome.status) {
    case "replied":
    case "answered":
      return { status: "completed", text: outcome.text };
    case "withheld":
      return { status: "failed", text: outcome.reason };
    case "interrupted":
      return { status: "aborted", text: "" };
    case "failed":
      return { status: "failed", text: outcome.error.message };
    default:
      return { status: "failed", text: `the message was not processed: ${outcome.status}` };
  }
}

function noteOf(
  { role, content }: Pick<HostQuestion["messages"][number], "role" | "content"> & CompletionMessage,
  origin: { readonly provider: string; readonly model: string },
  timestamp: number,
): AgentMessage {
  const parts = [{ type: "text" as const, text: content }];
  return role === "user"
    ? { role, content: parts, timestamp }
    : { role: "assistant", content: parts, timestamp, ...origin, stopReason: "stop" };
}
