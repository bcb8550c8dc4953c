import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { defineChannelPluginEntry } from "@openclaw/plugin-sdk/channel-core";

const POLL_MS = 200;

export default defineChannelPluginEntry({
  id: "{{id}}",
  plugin: {
    name: "{{channelName}}",

    async *start({ config, signal }) {
      const folder = String(config.folder);
      while (!signal.aborted) {
        for (const name of await readdir(folder)) {
          if (!name.endsWith(".txt")) continue;
          const file = join(folder, name);
          const content = await readFile(file, "utf8");
          // Under its new name the file is no longer a message.
          await rename(file, `${file}.read`);
          yield {
            id: randomUUID(),
            channel: "{{channelName}}",
            userId: "folder",
            threadId: file,
            content,
            receivedAt: new Date(),
          };
        }
        await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    },

    async respond({ threadId }, { content }) {
      await writeFile(`${threadId}.answer`, content);
    },
  },
});
