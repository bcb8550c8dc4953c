import { join } from "node:path";
import type { Timers } from "@openclaw/foundation";
import type { MessageRouter, ReceivedFiles } from "@openclaw/messaging";
import type {
  OlderChannelRuntime,
  OlderInboundContext,
  OlderReplyOptions,
} from "@openclaw/plugin-sdk/channel-core";
import type { VisibleConfig } from "@openclaw/plugin-sdk/services";
import { createInboundDebouncer, resolveInboundDebounceMs } from "../debounce.js";
import type { MessageFlight } from "../flight.js";
import { chunkByParagraph, chunkText, chunkTextWithMode } from "../text/chunks.js";
import {
  hasControlCommand,
  resolveCommandAuthorizedFromAuthorizers,
  shouldComputeCommandAuthorized,
} from "../text/commands.js";
import {
  buildMentionRegexes,
  matchesMentionPatterns,
  matchesMentionWithExplicit,
} from "../text/mentions.js";
import {
  resolveChunkMode,
  resolveMarkdownTableMode,
  resolveTextChunkLimit,
} from "../text/settings.js";
import { convertMarkdownTables } from "../text/tables.js";
import { createActivityGroup } from "./activity.js";
import { resolveGroupPolicy, resolveRequireMention } from "./groups.js";
import { createInboundGroup } from "./inbound.js";
import { createMediaGroup } from "./media.js";
import { createPairingGroup, type OlderPairing } from "./pairing.js";
import { removeAckReactionAfterReply, shouldAckReaction } from "./reactions.js";
import { createReplyGroup } from "./reply.js";
import { createRoutingGroup } from "./routing.js";

/** Dependencies of {@link createOlderRuntime}. */
export interface OlderRuntimeDependencies {
  readonly router: Pick<MessageRouter, "route" | "defaultAgent">;
  readonly files: Pick<ReceivedFiles, "save">;
  readonly pairing: OlderPairing;
  readonly stateDir: string;
  readonly timers: Timers;
  config(): VisibleConfig;
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * Hands a message to the host and resolves when its work has ended.
   * @param context - message of the plugin
   * @param options - receiver of its replies
   */
  dispatch(context: OlderInboundContext, options: OlderReplyOptions): Promise<MessageFlight>;
}

/**
 * Creates the `api.runtime.channel` of one plugin.
 * @param dependencies - channels of the plugin, routing, senders and files
 */
export function createOlderRuntime(dependencies: OlderRuntimeDependencies): OlderChannelRuntime {
  const { router, files, pairing, stateDir, timers, fetch } = dependencies;
  const reply = createReplyGroup((context, options) => dependencies.dispatch(context, options));
  const inbound = createInboundGroup(reply);
  return {
    reply,
    inbound,
    turn: inbound,
    routing: createRoutingGroup(router),
    text: {
      chunkText,
      chunkMarkdownText: chunkText,
      chunkByNewline: chunkByParagraph,
      chunkTextWithMode,
      chunkMarkdownTextWithMode: chunkTextWithMode,
      resolveChunkMode,
      resolveTextChunkLimit,
      resolveMarkdownTableMode,
      convertMarkdownTables,
      hasControlCommand,
    },
    pairing: createPairingGroup(pairing),
    media: createMediaGroup({ files, fetch }),
    activity: createActivityGroup(),
    session: sessionGroup(stateDir),
    mentions: { buildMentionRegexes, matchesMentionPatterns, matchesMentionWithExplicit },
    reactions: { shouldAckReaction, removeAckReactionAfterReply },
    groups: { resolveGroupPolicy, resolveRequireMention },
    debounce: {
      resolveInboundDebounceMs,
      createInboundDebouncer: (options: Parameters<typeof createInboundDebouncer>[0]) =>
        createInboundDebouncer(options, timers),
    },
    commands: {
      isControlCommandMessage: hasControlCommand,
      shouldComputeCommandAuthorized,
      shouldHandleTextCommands: () => true,
      resolveCommandAuthorizedFromAuthorizers,
    },
  };
}

/** The host stores sessions and where their replies go itself, when it routes a message; nothing is left to record. */
function sessionGroup(stateDir: string) {
  return {
    resolveStorePath: (_store?: unknown, { agentId = "main" }: { agentId?: string } = {}) =>
      join(stateDir, "agents", agentId, "sessions"),
    readSessionUpdatedAt: () => undefined,
    recordInboundSession: async () => undefined,
    recordSessionMetaFromInbound: async () => undefined,
    updateLastRoute: async () => undefined,
  };
}
