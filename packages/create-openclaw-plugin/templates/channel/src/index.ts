import { setTimeout as wait } from "node:timers/promises";
import {
  ChannelHttpError,
  ChannelStartupFailedError,
  defineChannelPluginEntry,
} from "@openclaw/plugin-sdk/channel-core";

const NAME = "{{id}}";

/** Servers of the accounts. */
const servers = new Map();

export default defineChannelPluginEntry({
  id: NAME,
  plugin: {
    name: NAME,
    // A longer reply is sent in several messages.
    capabilities: { textLimit: 4000 },

    async *start({ config, accountId, signal, connected }) {
      const { server } = config;
      if (typeof server !== "string") {
        const problem = `no server; run openclaw channels add ${NAME} server=https://example.com`;
        throw new ChannelStartupFailedError(NAME, problem);
      }
      servers.set(accountId, server);
      let after = 0;
      while (!signal.aborted) {
        const response = await fetch(`${server}/messages?after=${after}`, { signal });
        if (!response.ok) {
          throw new ChannelHttpError(NAME, response.status, "the server sent no messages");
        }
        connected();
        for (const { id, user, text } of JSON.parse(await response.text())) {
          yield {
            id: crypto.randomUUID(),
            channel: NAME,
            accountId,
            userId: user,
            content: text,
            receivedAt: new Date(),
            // A message with the same ID is not run again.
            externalId: String(id),
          };
          // The message is stored now.
          after = id;
        }
        await wait(1000, undefined, { signal }).catch(() => undefined);
      }
    },

    async respond({ userId, accountId = "default" }, { content, idempotencyKey }) {
      const response = await fetch(`${servers.get(accountId)}/messages`, {
        method: "POST",
        body: JSON.stringify({ to: userId, text: content, key: idempotencyKey }),
      });
      // The error says whether the host may try again.
      if (!response.ok) {
        throw new ChannelHttpError(NAME, response.status, "the server did not take a reply");
      }
    },
  },
});
