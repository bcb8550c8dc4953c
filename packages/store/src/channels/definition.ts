import type { ContextDefinition } from "../database/context-definition.js";
import { channelSenders } from "./migrations/0024-channel-senders.js";
import type { ChannelSchema } from "./schema.js";

/** The channels context: the senders whom channels accept, and requests to be accepted. */
export const CHANNELS: ContextDefinition<ChannelSchema> = {
  migrations: [channelSenders],
  retentionDays: {},
  tables: {
    channel_senders: {
      key: ["channel", "account_id", "sender_id"],
      // The operator admits and removes senders; they do not belong to a session.
      retention: "kept",
      removal: "kept",
    },
    channel_pairings: {
      key: ["channel", "account_id", "sender_id"],
      // Expired requests are removed when the next sender asks.
      retention: "kept",
      removal: "kept",
    },
    channel_pairing_failures: {
      key: ["channel"],
      // One row per channel.
      retention: "kept",
      removal: "kept",
    },
  },
};
