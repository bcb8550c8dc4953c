import { resolve } from "node:path";
import {
  defined,
  definePluginEntry,
  type MemoryArchive,
  type MemorySearch,
} from "@openclaw/plugin-sdk/plugin-entry";
import { memoryCommands } from "./commands/register.js";
import { DEFAULTS, type MemoryConfig } from "./config.js";
import { HYGIENE_EVERY_MS, runHygiene } from "./documents/hygiene.js";
import { Notes } from "./documents/notes.js";
import { hostEmbedder } from "./embeddings/host-embedder.js";
import { openMemory } from "./memory.js";
import { DEFAULT_AGENT, OWNER_USER, ownerOf } from "./owner.js";
import type { MemoryServices } from "./services.js";
import { createTools, TOOL_NAMES } from "./tools/tools.js";
import { memoryData } from "./transfer/data-port.js";
import { WatchedFolder } from "./transfer/watched-folder.js";
import { archiveMessages } from "./turns/archive.js";
import { captureFacts, userText } from "./turns/capture.js";
import { Origins } from "./turns/origins.js";
import { promptParts } from "./turns/prompt.js";
import { recall } from "./turns/recall.js";

/** Triggers of turns whose message a user wrote. */
const USER_TRIGGERS = new Set(["user", "api"]);

export default definePluginEntry<MemoryConfig>({
  id: "memory",
  name: "Memory",
  description: "Long-term memory of agents: documents, search by meaning and by words, and recall.",
  kind: "memory",
  data: memoryData,
  register(api) {
    const { autoRecall = {}, autoCapture = true, prompt = {}, hygiene = {} } = api.pluginConfig;
    const { folders = [], timeZone, allowIdentityWrites = false, embedding } = api.pluginConfig;
    const { logger } = api;
    const keepDays = hygiene.keepDays ?? DEFAULTS.keepDays;
    const origins = new Origins();
    let opened: Promise<MemoryServices> | undefined;

    async function open(): Promise<MemoryServices> {
      const { minSimilarity, minScore } = api.pluginConfig.search ?? {};
      const memory = await openMemory(api.store, {
        ranking: defined({ minimumSimilarity: minSimilarity, minimumScore: minScore }),
        embedder: hostEmbedder(api.runtime.embeddings, embedding),
        onIndexFailure: (problem) => logger.warn(`documents could not be indexed: ${problem}`),
        onEmbeddingFailure: (problem) => logger.warn(`chunks could not be embedded: ${problem}`),
      });
      for (const notice of memory.database.notices) logger.warn(notice);
      return { ...memory, notes: new Notes(memory.documents, memory.now, timeZone) };
    }

    function services(): Promise<MemoryServices> {
      opened ??= open().catch((error: unknown) => {
        // A database that cannot be opened now may be opened later.
        opened = undefined;
        throw error;
      });
      return opened;
    }
    api.lifecycle.onDispose(async () => (await opened?.catch(() => undefined))?.close());

    const search = async (request: MemorySearch) =>
      await recall((await services()).search, request, {
        maxTokens: autoRecall.maxTokens ?? DEFAULTS.recallTokens,
        inGroups: autoRecall.inGroups ?? false,
        hasLimit: api.pluginConfig.search?.minSimilarity !== undefined,
      });
    api.registerMemoryCapability({
      runtime: defined({
        searchDeadlineMs: autoRecall.timeoutMs ?? DEFAULTS.recallTimeoutMs,
        search: autoRecall.enabled === false ? undefined : search,
        archive: async (archive: MemoryArchive) => await archiveMessages(await services(), archive),
      }),
    });

    api.registerTool(
      (context) => {
        const { agentId, messageChannel: channel, requesterSenderId, senderIsOwner } = context;
        const { sessionKey, groupId, isDirect = false } = context;
        const owner = ownerOf({ agentId, channel, senderId: requesterSenderId, senderIsOwner });
        if (owner === undefined) return null;
        // What the model of the session has seen is not where the text of somebody else comes from.
        const origin = () => (isDirect ? undefined : origins.labelOf(sessionKey, groupId));
        return createTools({ services, owner, session: context, allowIdentityWrites, origin });
      },
      { names: [...TOOL_NAMES] },
    );

    api.on("before_prompt_build", ({ messages }, { sessionKey = "" }) => {
      origins.open(sessionKey, messages);
    });
    api.on("after_tool_call", ({ toolName }, { sessionKey = "" }) => {
      origins.add(sessionKey, toolName);
    });

    if (prompt.enabled !== false) {
      api.on("before_prompt_build", async (_event, context) => {
        const owner = ownerOf({ ...context, channel: context.messageProvider });
        if (owner === undefined) return undefined;
        const { instructions, notes } = await promptParts(await services(), owner, {
          isGroup: context.groupId !== undefined,
          maxChars: prompt.maxCharsPerFile ?? DEFAULTS.charsPerFile,
        });
        return defined({ appendSystemContext: instructions, untrustedContext: notes });
      });
    }

    if (autoCapture) {
      api.on("agent_end", async ({ messages, success }, context) => {
        const owner = ownerOf({ ...context, channel: context.messageProvider });
        if (!success || owner === undefined || !USER_TRIGGERS.has(context.trigger ?? "")) return;
        const message = messages.findLast(({ role }) => role === "user");
        if (message?.role !== "user") return;
        const { profiles } = await services();
        await captureFacts(profiles, owner.user, userText(message.content));
      });
    }

    let watched: readonly WatchedFolder[] = [];
    api.registerService({
      id: "memory",
      async start({ repeat }) {
        const memory = await services();
        memory.embeddings?.start();
        watched = folders.map(
          ({ path, target = "" }) =>
            new WatchedFolder(memory, {
              folder: resolve(api.resolvePath(path)),
              target,
              owner: { user: OWNER_USER, agent: DEFAULT_AGENT },
              logger,
            }),
        );
        for (const folder of watched) await folder.start();
        if (hygiene.enabled === false) return;
        const tidy = async () => {
          const { documents, notes, now } = memory;
          const today = () => notes.today();
          await runHygiene({ documents, kv: api.store.kv, now, today }, { keepDays });
        };
        await tidy().catch((error: unknown) =>
          logger.warn(`old daily notes could not be removed: ${error}`),
        );
        repeat({ name: "hygiene", intervalMs: HYGIENE_EVERY_MS, run: tidy });
      },
      async stop() {
        for (const folder of watched) await folder.stop();
      },
    });

    api.registerCli(memoryCommands({ services, keepDays }), {
      descriptors: [
        {
          name: "memory",
          description: "search, read and write the long-term memory",
          hasSubcommands: true,
        },
      ],
    });
  },
});
