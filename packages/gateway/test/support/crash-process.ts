import type { InboundMessage, ReplySurface } from "@openclaw/messaging";
import { createScriptedModel } from "@openclaw/models";
import type { Store } from "@openclaw/store";
import { openHost } from "../../src/host/host.js";
import type { Host } from "../../src/host/running-host.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import {
  type CrashMessage,
  type CrashScenario,
  type CrashWorld,
  registerCrashPlugin,
  reply,
  textOf,
} from "./crash-scenario.js";
import type { MortalProcess } from "./mortal-process.js";
import { scriptedProvider } from "./scripted-provider.js";

/**
 * Runs one process of a scenario: a host recovers the work of the previous one, receives the messages that
 * are not acknowledged yet, and ends when all are answered.
 * @param scenario - messages to send
 * @param store - store that all processes share
 * @param process - determines when it is killed
 * @param world - outlives the process
 * @param isAcknowledged - returns true when a message was acknowledged before
 */
export async function runCrashProcess(
  scenario: CrashScenario,
  store: Store,
  process: MortalProcess,
  world: CrashWorld,
  isAcknowledged: (key: string) => boolean,
): Promise<void> {
  const host = await openCrashHost(scenario, process.handle(store), process, world);
  await host.serve(0);
  const surface = channel(scenario, process, world);
  await Promise.all(
    scenario.messages
      .filter(({ key }) => !isAcknowledged(key))
      .map((message) => send(message, host, surface, process, world)),
  );
  await host.close("command");
}

async function send(
  message: CrashMessage,
  host: Host,
  surface: ReplySurface,
  process: MortalProcess,
  world: CrashWorld,
): Promise<void> {
  await process.point();
  const { messageId } = await host.receive(inbound(message), {
    surface,
    onStored: (id) => world.acknowledged(message.key, id),
  });
  // A repeat is acknowledged too, with the ID under which it was stored before.
  world.acknowledged(message.key, messageId);
}

function inbound(message: CrashMessage): InboundMessage {
  return {
    channel: "crash",
    conversationId: message.session,
    senderId: "sender",
    senderIsOwner: true,
    text: textOf(message),
    sessionKey: `agent:main:${message.session}`,
    agentId: "main",
    idempotencyKey: message.key,
  };
}

function channel(
  { deduplicates, textLimit }: CrashScenario,
  process: MortalProcess,
  world: CrashWorld,
): ReplySurface {
  return {
    deduplicates,
    textLimit,
    async send({ text = "" }, { idempotencyKey }) {
      await process.point();
      world.given(idempotencyKey, text);
      await process.point();
      return {};
    },
  };
}

function openCrashHost(
  scenario: CrashScenario,
  store: Store,
  process: MortalProcess,
  world: CrashWorld,
): Promise<Host> {
  const model = createScriptedModel(async (request) => {
    await process.point();
    return reply(request);
  });
  const surface = channel(scenario, process, world);
  return openHost({
    version: "1.0.0",
    configuration: {
      value: {
        agents: { defaults: { model: "scripted/script" } },
        session: { queueMode: scenario.queueMode },
      },
      file: undefined,
      warnings: [],
      locate: () => undefined,
    },
    workspaceDir: import.meta.dirname,
    bundledExtensions: [],
    inlinePlugins: [{ id: "crash", register: (api) => registerCrashPlugin(api, process, world) }],
    providers: [scriptedProvider(model)],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log: openLog(undefined, { level: "silent" }),
    store,
    findSurface: () => surface,
  });
}
