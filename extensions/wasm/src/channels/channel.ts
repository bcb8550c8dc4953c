import {
  type Channel,
  type ChannelContext,
  ChannelHealthCheckFailedError,
  ChannelSendFailedError,
  ChannelStartupFailedError,
  type IncomingMessage,
  MessageQueue,
  type OutgoingResponse,
  type StatusUpdate,
} from "@openclaw/plugin-sdk/channel-core";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";
import type { ChannelCapability } from "@openclaw/wasm-host";
import type { LoadedComponent } from "../library/folder-scan.js";
import type { CallbackContext } from "./callbacks.js";
import { type CallbackCounts, type CallbackResult, ChannelCallbacks } from "./callbacks.js";
import { type ChannelConfiguration, readConfiguration } from "./configuration.js";
import { agentResponse, incomingOf, type LastConversations, metadataText } from "./messages.js";
import { provideSecrets } from "./secrets.js";
import { endStatus, type GuestStatus, guestStatus } from "./status.js";
import { answerWebhook, endpointBelow } from "./webhook.js";

/** Services that the channels of components use. */
export interface ComponentChannelContext extends CallbackContext {
  readonly conversations: LastConversations;
  /** Secrets of the plugin; undefined on a host without a master key. */
  secrets(): PluginSecretStore | undefined;
  /**
   * Registers a route of the channel.
   * @param path - path of the gateway
   * @param handle - answers a request
   * @param isPrefix - true for the paths below it, too
   * @returns a function that removes it
   */
  route(
    path: string,
    handle: (request: Request) => Promise<Response>,
    isPrefix: boolean,
  ): () => void;
  /** Waits between two callbacks of polling; rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  warn(message: string): void;
}

/** State of a channel, for `/wasm-channels/health`. */
export interface ChannelHealthReport extends CallbackCounts {
  readonly name: string;
  readonly displayName: string;
  /** `failed`: its on-start failed, and is called again later. */
  readonly state: "stopped" | "running" | "failed";
  readonly problem?: string | undefined;
  readonly endpoints: readonly string[];
  readonly pollMs?: number | undefined;
}

/** Time that the host has to store the message of a request, in milliseconds. */
const STORE_MS = 30_000;
/** The same for the message of a poll, which nothing repeats. */
const POLL_STORE_MS = 600_000;

/** A channel that is a component (WASM-004, WASM-033). */
export class ComponentChannel implements Channel {
  readonly name: string;
  /** Installing it was the decision to use it. */
  readonly capabilities = { runsUnconfigured: true };
  readonly #component: LoadedComponent;
  readonly #capability: ChannelCapability;
  readonly #context: ComponentChannelContext;
  readonly #callbacks: ChannelCallbacks;
  #configuration: ChannelConfiguration | undefined;
  #problem: string | undefined;

  /**
   * @param component - a component of the world of channels
   * @param capability - its permissions
   * @param context - services of the host
   */
  constructor(
    component: LoadedComponent,
    capability: ChannelCapability,
    context: ComponentChannelContext,
  ) {
    this.name = component.name;
    this.#component = component;
    this.#capability = capability;
    this.#context = context;
    this.#callbacks = new ChannelCallbacks(component, capability, context);
  }

  get report(): ChannelHealthReport {
    const { displayName = this.name, endpoints = [], pollMs } = this.#configuration ?? {};
    const failed = this.#problem === undefined ? "stopped" : "failed";
    return {
      ...{ name: this.name, displayName, pollMs, problem: this.#problem },
      state: this.#configuration === undefined ? failed : "running",
      endpoints: endpoints.map(({ path }) => path),
      ...this.#callbacks.counts,
    };
  }

  async *start(context: ChannelContext): AsyncGenerator<IncomingMessage> {
    if (context.accountId !== "default") {
      const problem = `a component has one account; remove channels.${this.name}.accounts`;
      throw new ChannelStartupFailedError(this.name, problem);
    }
    this.#callbacks.pairing = context.pairing;
    const queue = new MessageQueue();
    const configuration = await this.#begin(context);
    const routes = this.#routes(configuration, queue, context);
    this.#configuration = configuration;
    const polling = this.#poll(configuration, queue, context);
    try {
      context.connected();
      yield* queue.read(context.signal);
    } finally {
      for (const remove of routes) remove();
      this.#configuration = undefined;
      await polling;
    }
  }

  async respond(message: IncomingMessage, response: OutgoingResponse): Promise<void> {
    const metadataJson = metadataText(message.metadata);
    const about = { messageId: message.id, metadataJson };
    const reply = await agentResponse(this.name, response, about);
    this.#accepted(await this.#send("onRespond", [reply]));
  }

  async sendStatus(
    update: StatusUpdate,
    metadata: unknown,
    _message: IncomingMessage,
  ): Promise<void> {
    const status = guestStatus(update, this.#component.prepared.world.version);
    if (status !== undefined) await this.#status(status, metadataText(metadata));
  }

  async broadcast(userId: string, response: OutgoingResponse): Promise<void> {
    const messageId = response.idempotencyKey ?? "";
    if (this.#component.prepared.world.version !== undefined) {
      const about = { messageId, metadataJson: "{}" };
      const message = await agentResponse(this.name, response, about);
      const result = await this.#send("onBroadcast", [userId, message]);
      if (!result.isMissing) return this.#accepted(result);
    }
    const metadataJson = await this.#context.conversations.of(userId);
    if (metadataJson === undefined) {
      const problem = `it knows no conversation with ${userId}; the recipient must write first`;
      throw new ChannelSendFailedError(this.name, problem);
    }
    const message = await agentResponse(this.name, response, { messageId, metadataJson });
    this.#accepted(await this.#send("onRespond", [message]));
  }

  async healthCheck(): Promise<void> {
    if (this.#configuration !== undefined) return;
    const problem = this.#problem ?? "it is not started; see openclaw channels list";
    throw new ChannelHealthCheckFailedError(this.name, problem);
  }

  async shutdown(): Promise<void> {
    await this.#callbacks.run("onShutdown", []);
  }

  async #begin({ signal }: ChannelContext): Promise<ChannelConfiguration> {
    const { requiredSecrets, config } = this.#component.capabilities;
    try {
      await provideSecrets(this.name, requiredSecrets, this.#context.secrets());
      const result = await this.#callbacks.run("onStart", [JSON.stringify(config)], signal);
      if (result.refusal !== undefined) {
        const problem = `its on-start failed: ${result.refusal}; correct what it names`;
        throw new ChannelStartupFailedError(this.name, problem);
      }
      const configuration = readConfiguration(this.name, result.value, this.#capability);
      this.#problem = undefined;
      return configuration;
    } catch (error) {
      this.#problem = errorMessage(error);
      throw error;
    }
  }

  #routes(
    { endpoints }: ChannelConfiguration,
    queue: MessageQueue,
    context: ChannelContext,
  ): readonly (() => void)[] {
    const { name } = this;
    const answer = async (request: Request, found: ReturnType<typeof endpointBelow>) =>
      found === undefined
        ? Response.json({ error: { message: "not found" } }, { status: 404 })
        : await answerWebhook(request, found.endpoint, found.path, {
            capability: this.#capability,
            secret: () => this.#secret(),
            run: (guest) => this.#callbacks.run("onHttpRequest", [guest], context.signal),
            deliver: (result) => this.#deliver(result, queue, context, STORE_MS),
            warn: (message) => this.#context.warn(`channel "${name}": ${message}`),
          });
    const base = `/channels/${name}/webhook`;
    return [
      ...endpoints.map((endpoint) => {
        const { path } = endpoint;
        return this.#context.route(path, (request) => answer(request, { endpoint, path }), false);
      }),
      this.#context.route(
        base,
        (request) => {
          const { pathname } = new URL(request.url);
          const rest = pathname.slice(pathname.indexOf(base) + base.length).replace(/\/$/, "");
          return answer(request, endpointBelow(rest, name, endpoints));
        },
        true,
      ),
    ];
  }

  async #poll(
    { pollMs }: ChannelConfiguration,
    queue: MessageQueue,
    context: ChannelContext,
  ): Promise<void> {
    const { signal } = context;
    while (pollMs !== undefined && !signal.aborted) {
      try {
        await this.#context.wait(pollMs, signal);
        const result = await this.#callbacks.run("onPoll", [], signal);
        if (!(await this.#deliver(result, queue, context, POLL_STORE_MS))) {
          this.#context.warn(`channel "${this.name}": messages of a poll were not stored`);
        }
      } catch (error) {
        if (signal.aborted) return;
        this.#context.warn(`channel "${this.name}": a poll failed: ${errorMessage(error)}`);
      }
    }
  }

  async #deliver(
    { emitted }: CallbackResult,
    queue: MessageQueue,
    context: ChannelContext,
    patienceMs: number,
  ): Promise<boolean> {
    const stored = await Promise.all(
      emitted.map(async (message) => {
        if (queue.isFull) return false;
        await this.#context.conversations.note(message);
        const incoming = await incomingOf(this.name, message, context);
        const settled: IncomingMessage["settled"] = (outcome) => {
          const status = endStatus(outcome);
          if (status !== undefined) void this.#status(status, message.metadataJson);
        };
        return (await queue.add({ ...incoming, settled }, patienceMs)) === "stored";
      }),
    );
    return stored.every(Boolean);
  }

  async #status({ status, message }: GuestStatus, metadataJson: string): Promise<void> {
    try {
      await this.#callbacks.run("onStatus", [{ status, message, metadataJson }]);
    } catch (error) {
      this.#context.warn(`channel "${this.name}": its on-status failed: ${errorMessage(error)}`);
    }
  }

  async #send(name: string, args: readonly unknown[]): Promise<CallbackResult> {
    try {
      return await this.#callbacks.run(name, args);
    } catch (error) {
      throw new ChannelSendFailedError(this.name, errorMessage(error), { cause: error });
    }
  }

  #accepted({ refusal }: CallbackResult): void {
    if (refusal === undefined) return;
    const problem = `the component did not send it: ${refusal}`;
    throw new ChannelSendFailedError(this.name, problem);
  }

  async #secret(): Promise<string | undefined> {
    const { secretName } = this.#capability.webhook;
    return secretName === undefined ? undefined : await this.#context.secrets()?.get(secretName);
  }
}
