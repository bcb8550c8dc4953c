import { offeredTools, type TurnDependencies } from "@openclaw/agent";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { PLUGIN_API_VERSION } from "@openclaw/plugin-sdk/plugin-entry";
import type { Store } from "@openclaw/store";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionLifecycle } from "../sessions/lifecycle.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { agentPin } from "../turns/agent-pin.js";
import type { CommandCatalog } from "./catalog.js";
import { type CommandReply, ReplyWriter } from "./command-reply.js";
import type { SessionRequests } from "./session-request.js";
import type { SystemCommand } from "./submission.js";

/** Dependencies of {@link SystemCommands}. */
export interface SystemCommandsDependencies {
  readonly store: Store;
  readonly catalog: CommandCatalog;
  readonly plugins: Pick<PluginRuntime, "pin" | "mayAddToPrompts">;
  readonly sessions: Pick<SessionLifecycle, "opened" | "updated">;
  readonly live: Pick<LiveSessions, "settingsOf">;
  readonly requests: SessionRequests;
  /** Version of the product. */
  readonly version: string;
  /** Returns the services for turns that start now. */
  services(): TurnDependencies;
}

/** Commands about the host and the settings of the session (SUB-017, SUB-018). */
export class SystemCommands {
  readonly #dependencies: SystemCommandsDependencies;

  /** @param dependencies - store, commands, plugins, sessions and services */
  constructor(dependencies: SystemCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Answers a system command.
   * @param submission - the command
   * @param routed - message that contains it
   */
  async answer({ command, args }: SystemCommand, routed: RoutedMessage): Promise<CommandReply> {
    const { catalog, version } = this.#dependencies;
    switch (command) {
      case "help":
        return { text: catalog.help() };
      case "ping":
        return { text: "pong" };
      case "version":
        return { text: `OpenClaw ${version}, plugin API ${PLUGIN_API_VERSION}` };
      case "tools":
        return { text: await this.#tools(routed) };
      case "debug":
        return await this.#toggleDetails(routed);
      case "model": {
        const [model, ...more] = args;
        if (model === undefined) return { text: this.#models(routed) };
        if (more.length > 0)
          return { text: "/model takes one name, for example /model provider/model." };
        return await this.#choose(model, routed);
      }
    }
  }

  async #tools(routed: RoutedMessage): Promise<string> {
    const { plugins, services, requests } = this.#dependencies;
    const session = await this.#open(routed);
    const current = services();
    const request = await requests.of(session, routed);
    const pin = plugins.pin();
    try {
      const offered = await offeredTools(request, current, agentPin(pin, plugins));
      const allowed = new Set(offered.map(({ name }) => name));
      const known = current.policy.tools.map(({ name }) => name);
      const denied = [...new Set(known)].filter((name) => !allowed.has(name));
      const lines = offered.map(
        ({ name, description }) => `  ${name}: ${firstSentence(description)}`,
      );
      return [
        lines.length === 0 ? "Policy allows no tools in this session." : "Allowed in this session:",
        ...lines,
        ...(denied.length === 0 ? [] : ["Not offered here, by policy:", `  ${denied.join(", ")}`]),
      ].join("\n");
    } finally {
      pin.release();
    }
  }

  async #toggleDetails(routed: RoutedMessage): Promise<CommandReply> {
    const { sessionKey } = routed.route;
    const verbose = this.#dependencies.live.settingsOf(sessionKey).verbose !== true;
    const text = verbose
      ? "Details of each turn are shown in this session. Use /debug again to hide them."
      : "Details of turns are hidden in this session.";
    return await this.#change(routed, { verbose }, text);
  }

  #models({ route }: RoutedMessage): string {
    const { live, services } = this.#dependencies;
    const active = live.settingsOf(route.sessionKey).model ?? route.modelRef;
    const known = services()
      .models.providers()
      .map(({ id, defaultModel, credential }) => {
        const ready = credential === undefined ? " (not configured)" : "";
        // A provider of any server has no default model.
        return `  ${id}/${defaultModel === "" ? "<model>" : defaultModel}${ready}`;
      });
    return [
      `Model of this session: ${active}`,
      "Providers and their default models:",
      ...known,
    ].join("\n");
  }

  async #choose(model: string, routed: RoutedMessage): Promise<CommandReply> {
    const { services } = this.#dependencies;
    const { models } = services();
    try {
      await models.resolve(model);
    } catch (error) {
      if (!OpenClawError.isInstance(error)) throw error;
      // The error names the nearest models, or those that exist.
      return { text: `The model was not changed: ${error.message}` };
    }
    return await this.#change(routed, { model }, `Turns of this session use ${model} from now on.`);
  }

  async #change(
    routed: RoutedMessage,
    change: { readonly model?: string; readonly verbose?: boolean },
    text: string,
  ): Promise<CommandReply> {
    const { store, sessions } = this.#dependencies;
    const { sessionKey } = routed.route;
    await this.#open(routed);
    const writer = new ReplyWriter(routed);
    const changed = await store.transaction(async (unit) => {
      const session = await unit.sessions.change(sessionKey, change);
      await writer.store(unit, text);
      return session;
    });
    if (changed !== undefined) sessions.updated(changed);
    return writer.reply(text);
  }

  /** Opens the session, because a command may be its first message. */
  async #open({ route, admitted, context }: RoutedMessage) {
    const { store, sessions } = this.#dependencies;
    const { sessionKey, agentId } = route;
    const { channel } = admitted;
    const { session, created } = await store.sessions.open(sessionKey, { agentId, channel });
    sessions.opened(session, created, context);
    return session;
  }
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}
