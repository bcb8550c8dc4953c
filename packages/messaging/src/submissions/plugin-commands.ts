import { MAXIMUM_ROUNDS, ownInputRequest } from "@openclaw/approval-broker";
import { defined, errorMessage, type Timers, withDeadline } from "@openclaw/foundation";
import type { PluginCommandRegistration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger, PluginCommandContext, PluginCommandReply } from "@openclaw/plugin-sdk";
import type { ToolInput } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SenderAccess } from "../senders/sender-access.js";
import { AwaitedInput, type CommandInputs, type GivenInput } from "./command-input.js";
import type { CommandReply } from "./command-reply.js";
import type { PluginCommandIntent } from "./intent.js";

/** Time that the handler of a command has, in milliseconds. */
const DEADLINE_MS = 30_000;

/** Time that a completion has, in milliseconds. */
const COMPLETION_MS = 3000;
const MOST_COMPLETIONS = 100;

interface AskedCommand {
  readonly args: string;
  readonly variant: string | undefined;
  readonly isAuthorizedSender: boolean;
  readonly input: ToolInput | undefined;
}

/** Dependencies of {@link PluginCommands}. */
export interface PluginCommandsDependencies {
  readonly plugins: Pick<PluginRuntime, "pin" | "callPlugin" | "visibleConfig">;
  readonly store: Pick<Store, "sessions" | "messages">;
  readonly access: Pick<SenderAccess, "isAdmitted">;
  readonly inputs: Pick<CommandInputs, "ask">;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Runs the commands of plugins (PLUG-033). */
export class PluginCommands {
  readonly #dependencies: PluginCommandsDependencies;

  /** @param dependencies - plugins, sessions, access lists, input requests, timers and log */
  constructor(dependencies: PluginCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Runs a command. A handler that fails or takes more than 30 seconds is reported to the sender and logged.
   * @param intent - name and arguments
   * @param routed - message that is the command
   * @param given - input for which it asked before
   */
  async run(
    registration: PluginCommandRegistration,
    { name, text }: Pick<PluginCommandIntent, "name" | "text">,
    routed: RoutedMessage,
    given?: GivenInput,
  ): Promise<CommandReply> {
    const { command, pluginId } = registration;
    const { plugins, store, timers, logger } = this.#dependencies;
    const isAuthorizedSender = this.#isAuthorized(routed);
    if (command.requireAuth !== false && !isAuthorizedSender) {
      return { text: `You may not use /${name}. Ask an owner of this host.` };
    }
    const variant = name === command.name ? undefined : name;
    if (text !== "" && command.acceptsArgs !== true && variant === undefined) {
      return { text: `/${name} takes no arguments. Send /${name} alone.` };
    }
    const asked = { args: text, variant, isAuthorizedSender, input: given?.input };
    const context = await this.#contextOf(routed, asked);
    let request: unknown;
    const pin = plugins.pin();
    try {
      const call = () => command.handler(context);
      const answer = async () => await plugins.callPlugin(pluginId, call);
      const returned = await withDeadline(DEADLINE_MS, answer, timers);
      if (returned?.forgetsMessage === true) await store.messages.inbox.empty(routed.row.id);
      request = returned?.input;
      if (request === undefined) return replyOf(returned);
    } catch (error) {
      const problem = errorMessage(error);
      logger.error(`the command /${name} of plugin "${pluginId}" failed: ${problem}`, { pluginId });
      return {
        text: `The command /${name} of plugin "${pluginId}" failed. The log of the host has the cause.`,
      };
    } finally {
      pin.release();
    }
    const input = ownInputRequest(request);
    if (typeof input === "string") {
      return { text: `/${name} failed: its input request cannot be used: ${input}` };
    }
    const round = (given?.round ?? 0) + 1;
    const called = { pluginId, command: command.name, name, args: text };
    const awaited = await this.#dependencies.inputs.ask(called, input, round, routed);
    if (awaited instanceof AwaitedInput) return { text: "", awaits: awaited };
    if (round > MAXIMUM_ROUNDS) {
      return { text: `/${name} failed: it asked for input more than ${MAXIMUM_ROUNDS} times` };
    }
    return await this.run(registration, { name, text }, routed, awaited);
  }

  /**
   * Returns values for the word of a command that a person is writing; none when the plugin fails or takes too long.
   * @param registration - command of a plugin
   * @param name - name of the command or of its variant
   * @param args - text after the name
   */
  async complete(
    { command, pluginId }: PluginCommandRegistration,
    name: string,
    args: string,
  ): Promise<readonly string[]> {
    const { plugins, timers, logger } = this.#dependencies;
    const { complete } = command;
    if (complete === undefined) return [];
    const written = { args, ...defined({ variant: name === command.name ? undefined : name }) };
    try {
      const call = () => complete(written);
      const values = await withDeadline(
        COMPLETION_MS,
        async () => await plugins.callPlugin(pluginId, call),
        timers,
      );
      return values.filter((value) => typeof value === "string").slice(0, MOST_COMPLETIONS);
    } catch (error) {
      logger.debug(`/${name} was not completed: ${errorMessage(error)}`, { pluginId });
      return [];
    }
  }

  async #contextOf(
    { admitted, route, context }: RoutedMessage,
    { args, variant, isAuthorizedSender, input }: AskedCommand,
  ): Promise<PluginCommandContext> {
    const { plugins, store } = this.#dependencies;
    const { channel, senderId, senderIsOwner, accountId, threadId } = admitted;
    const { agentId, sessionKey, deliveryContext } = route;
    const session = await store.sessions.get(sessionKey);
    return Object.freeze(
      defined({
        channel,
        channelId: context.channelId,
        accountId,
        senderId,
        senderIsOwner,
        isAuthorizedSender,
        variant,
        args: args === "" ? undefined : args,
        commandBody: admitted.text.trim(),
        agentId,
        sessionKey,
        sessionId: session?.sessionId,
        from: senderId,
        to: deliveryContext.to,
        messageThreadId: threadId,
        input,
        config: plugins.visibleConfig,
      }),
    );
  }

  #isAuthorized({ admitted }: RoutedMessage): boolean {
    return this.#dependencies.access.isAdmitted(admitted);
  }
}

/** Reads what a plugin returned, which may be of any type. */
function replyOf(returned: PluginCommandReply | undefined): CommandReply {
  const { text, suppressReply, continueAgent, agentText } = returned ?? {};
  return {
    text: typeof text === "string" && suppressReply !== true ? text : "",
    continuesWithAgent: continueAgent === true,
    ...defined({ agentText: typeof agentText === "string" ? agentText : undefined }),
  };
}
