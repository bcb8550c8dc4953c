import { startTelegramServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { openStore } from "@openclaw/store";
import telegram from "@openclaw/telegram";
import { expect, it, onTestFinished, vi } from "vitest";

const eventually = (check: () => void) => vi.waitFor(check, 60_000);
const GROUP = { id: -100, type: "group" } as const;
const MENTION = { type: "mention", offset: 0, length: 11 };
const SUPERGROUP = { id: -1_001_234, type: "supergroup" } as const;

const said = (text: string) => ({ text: `@helper_bot ${text}`, entities: [MENTION] });

it("[EXT-240] a group that becomes a supergroup keeps its rights and its conversation, also after a restart", async () => {
  const server = await startTelegramServer();
  server.addChat(GROUP);
  const store = await openStore({ file: ":memory:" });
  const { token: botToken, url: apiRoot } = server;
  const section = { botToken, apiRoot, groups: { "-100": {} } };
  const start = (...texts: string[]) =>
    createTestHost({
      ...{ plugin: telegram, config: { channels: { telegram: section } }, store },
      model: texts.map((text) => ({ text })),
    });
  const texts = () => server.sent.map(({ chatId, text }) => [chatId, text]);
  const first = await start("one", "two");
  server.write({ chat: GROUP, ...said("first") });
  await eventually(() => expect(texts()).toEqual([[-100, "one"]]));
  server.upgrade(GROUP.id, SUPERGROUP.id);
  // The numbers of messages begin again; this one was taken by the first message of the group.
  const { message } = server.write({ chat: SUPERGROUP, ...said("second"), message_id: 1002 });
  expect(message).toMatchObject({ message_id: 1002 });
  await eventually(() => expect(texts()).toContainEqual([SUPERGROUP.id, "two"]));
  expect(JSON.stringify(first.modelRequests[1]?.prompt)).toContain("first");
  server.dropPoll();
  await first.dispose();
  const next = await start("three");
  onTestFinished(async () => {
    server.dropPoll();
    await next.dispose();
    await store.close();
    await server.close();
  });
  server.write({ chat: SUPERGROUP, ...said("third") });
  await eventually(() => expect(texts()).toContainEqual([SUPERGROUP.id, "three"]));
  expect(JSON.stringify(next.modelRequests[0]?.prompt)).toContain("second");
});
