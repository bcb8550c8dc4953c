import { appendFile, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  type ChannelContext,
  ChannelStartupFailedError,
  defineChannelPluginEntry,
  type IncomingMessage,
  type OutgoingResponse,
} from "openclaw/plugin-sdk/channel-core";

const folders = new Map<string, string>();

/** Returns the folder of an account, `channels.drop-folder.folder`. */
function folderOf({ folder }: ChannelContext["config"]): string {
  if (typeof folder === "string" && folder !== "") return folder;
  const problem = "no folder; run `openclaw channels add drop-folder folder=/path`";
  throw new ChannelStartupFailedError("drop-folder", problem);
}

/** Yields each file as a message; the host stores it before it asks for the next one. */
async function* receive({ config, accountId, signal, connected }: ChannelContext) {
  const folder = folderOf(config);
  folders.set(accountId, folder);
  while (!signal.aborted) {
    const files = (await readdir(folder)).filter((file) => file.endsWith(".message.txt"));
    connected();
    for (const file of files.sort()) {
      const path = join(folder, file);
      const { mtime, ino } = await stat(path);
      const message: IncomingMessage = {
        id: crypto.randomUUID(),
        channel: "drop-folder",
        accountId,
        userId: file.replace(".message.txt", ""),
        content: await readFile(path, "utf8"),
        receivedAt: mtime,
        // The same file is the same message, also after a crash between storing and removing it.
        externalId: `${ino}-${mtime.getTime()}`,
      };
      yield message;
      await rm(path);
    }
    await wait(100, undefined, { signal }).catch(() => undefined);
  }
}

async function reply(to: string, { accountId = "default", content }: OutgoingResponse) {
  const folder = folders.get(accountId) ?? "";
  await appendFile(join(folder, `${to}.replies.txt`), `${content}\n`);
}

export default defineChannelPluginEntry({
  id: "drop-folder",
  plugin: {
    name: "drop-folder",
    start: receive,
    respond: (message, response) => reply(message.userId, response),
    broadcast: (userId, response) => reply(userId, response),
  },
});
