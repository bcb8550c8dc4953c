import { randomUUID } from "node:crypto";
import { runTool } from "@openclaw/agent";
import { renderAnswered } from "@openclaw/gateway";
import { mainSessionKey } from "@openclaw/messaging";
import { type PluginGeneration, PluginOffers } from "@openclaw/plugin-runtime";
import type { LifecyclePhase } from "@openclaw/plugin-sdk";
import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";
import type { LifecycleAlias, PhaseHook } from "@openclaw/plugin-sdk/lifecycle";
import { type JsonValue, messageText } from "@openclaw/plugin-sdk/tools";
import { PluginLeftoversError, TestResourceNotFoundError } from "../errors.js";
import { closeTestHost, openTestHost, type TestHostDependencies } from "./composition.js";
import type { TestMessage } from "./conversation.js";
import { createTestFolder } from "./folder.js";
import { fireHook, hookOfPhase } from "./hook-firing.js";
import { type LeftoverWatch, watchLeftovers } from "./leftovers.js";
import type {
  TestCommandSender,
  TestHost,
  TestHostOptions,
  TestPromptInputs,
  TestRegistrations,
  TestRequest,
  TestToolResult,
} from "./test-host.js";
import { belongsTo, testedRecords } from "./tested-plugin.js";

const AGENT_ID = "main";

/**
 * Starts a host in memory for tests of a plugin: the real host with the real runtime and hook engine, a
 * store in memory, a scripted model, and a clock that the test moves.
 * @param options - the plugin under test and the settings of the host
 * @throws PluginMissingError when there is nothing at the path
 * @throws PluginNotLoadedError when the plugin does not run, with what the host says about it
 * @throws ConfigurationError when the configuration is wrong
 * @example
 * ```ts
 * await using host = await createTestHost({ plugin, model: [{ text: "Hello." }] });
 * expect((await host.turn("hi")).text).toBe("Hello.");
 * ```
 */
export async function createTestHost<Config = Record<string, unknown>>(
  options: TestHostOptions<Config>,
): Promise<TestHost> {
  const folder = createTestFolder();
  const watch = watchLeftovers();
  try {
    return new RunningTestHost(await watch.run(() => openTestHost(options, folder)), watch);
  } catch (error) {
    watch.stop();
    folder.remove();
    throw error;
  }
}

/** A running test host. All its work runs inside the watch for leftovers. */
class RunningTestHost implements TestHost {
  readonly #parts: TestHostDependencies;
  readonly #watch: LeftoverWatch;
  /** The last generation before the plugins were disposed. */
  #last: PluginGeneration | undefined;
  #disposed: Promise<void> | undefined;

  constructor(parts: TestHostDependencies, watch: LeftoverWatch) {
    this.#parts = parts;
    this.#watch = watch;
  }

  get plugin(): TestHost["plugin"] {
    return testedRecords(this.#generation, this.#parts.pluginId)[0];
  }

  get registrations(): TestRegistrations {
    const { number: _number, plugins: _plugins, diagnostics: _told, ...lists } = this.#generation;
    const own = Object.entries(lists).map(([kind, items]) => [
      kind,
      items.filter(({ pluginId }) => this.#isTested(pluginId)),
    ]);
    // The same lists, shorter.
    return Object.fromEntries(own) as TestRegistrations;
  }

  get diagnostics(): TestHost["diagnostics"] {
    return this.#generation.diagnostics.filter(
      ({ pluginId }) => pluginId === undefined || this.#isTested(pluginId),
    );
  }

  get sent(): TestHost["sent"] {
    return this.#parts.conversation.sent;
  }

  get questions(): TestHost["questions"] {
    return this.#parts.conversation.questions;
  }

  get logs(): TestHost["logs"] {
    return this.#parts.log.lines;
  }

  get trace(): TestHost["trace"] {
    return this.#parts.trace;
  }

  get modelRequests(): TestHost["modelRequests"] {
    return this.#parts.modelRequests;
  }

  get workspaceDir(): TestHost["workspaceDir"] {
    return this.#parts.folder.workspaceDir;
  }

  get clock(): TestHost["clock"] {
    return this.#parts.clock;
  }

  fire<Name extends CataloguedHookName>(
    hook: Name,
    event: HookMap[Name]["event"],
    context?: Partial<HookMap[Name]["context"]>,
  ) {
    const { hooks } = this.#parts.host.plugins;
    return this.#watch.run(() => fireHook(hooks, hook, event, context));
  }

  firePhase<Phase extends LifecyclePhase | LifecycleAlias>(
    phase: Phase,
    event: HookMap[PhaseHook<Phase>]["event"],
    context?: Partial<HookMap[PhaseHook<Phase>]["context"]>,
  ) {
    return this.fire(hookOfPhase(phase), event, context);
  }

  callTool(name: string, params: JsonValue = {}): Promise<TestToolResult> {
    return this.#watch.run(async () => {
      const { host, conversation } = this.#parts;
      const { approver, signal } = conversation;
      const pin = host.plugins.pin();
      const runId = randomUUID();
      conversation.notesCall(runId);
      try {
        const message = await runTool(
          { toolCallId: `call-${randomUUID()}`, toolName: name, params },
          {
            runId,
            agentId: AGENT_ID,
            sessionKey: mainSessionKey(AGENT_ID),
            sessionId: "test",
            trigger: "user",
            origin: {
              channel: "terminal",
              channelId: "terminal",
              messageId: "test",
              senderId: "operator",
              senderIsOwner: true,
            },
            model: host.model.ref,
            workspaceDir: this.workspaceDir,
            signal,
            onEvent: () => undefined,
            approver,
            isDirect: true,
          },
          host.services,
          {
            generation: pin.generation.number,
            hooks: pin.hooks,
            tools: pin.generation.tools,
            mayAddToPrompts: (pluginId) => host.plugins.mayAddToPrompts(pluginId),
          },
        );
        return { ...message, text: messageText(message) };
      } finally {
        pin.release();
      }
    });
  }

  prompt(
    name: string,
    values: Readonly<Record<string, string>> = {},
    inputs: TestPromptInputs = {},
  ) {
    const offers = new PluginOffers(this.#parts.host.plugins);
    return this.#watch.run(() =>
      renderAnswered(name, (given) => offers.render(name, values, given), inputs),
    );
  }

  async readResource(uri: string) {
    const tool = new PluginOffers(this.#parts.host.plugins).toolOf(uri);
    if (tool === undefined) throw new TestResourceNotFoundError(uri);
    return await this.callTool(tool, { uri });
  }

  runCommand(text: string, sender?: TestCommandSender) {
    return this.#watch.run(() => this.#parts.conversation.command(text, sender));
  }

  async request(path: string, request?: TestRequest) {
    const { requests } = this.#parts;
    await this.#watch.run(() => requests.start());
    // Outside the watch: the sockets of the caller are the test's own.
    return requests.send(path, request);
  }

  turn(text: string) {
    return this.receive({ text });
  }

  receive(message: TestMessage) {
    return this.#watch.run(() => this.#parts.conversation.receive(message));
  }

  approve(idOrCode?: string, decision: "allow-once" | "allow-always" = "allow-once") {
    return this.#watch.run(() => this.#parts.conversation.decide(decision, idOrCode));
  }

  deny(idOrCode?: string) {
    return this.#watch.run(() => this.#parts.conversation.decide("deny", idOrCode));
  }

  advance(milliseconds: number) {
    return this.clock.advance(milliseconds);
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #dispose(): Promise<void> {
    const { host, folder, pluginId } = this.#parts;
    this.#last = host.plugins.current;
    try {
      const leftovers = await closeTestHost(this.#parts, this.#watch);
      if (leftovers.length > 0) throw new PluginLeftoversError(pluginId, leftovers);
    } finally {
      this.#watch.stop();
      folder.remove();
    }
  }

  #isTested(pluginId: string): boolean {
    return belongsTo(this.#parts.pluginId, pluginId);
  }

  get #generation(): PluginGeneration {
    return this.#last ?? this.#parts.host.plugins.current;
  }
}
