import { startTelegramServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import telegram from "@openclaw/telegram";
import { expect, it, onTestFinished, vi } from "vitest";

const eventually = (check: () => void) => vi.waitFor(check, 60_000);

async function bot() {
  const server = await startTelegramServer();
  for (const name of ["a", "b", "c"]) server.addFile(name, Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  const { token: botToken, url: apiRoot } = server;
  const host = await createTestHost({
    plugin: telegram,
    config: { channels: { telegram: { botToken, apiRoot, dmPolicy: "open" } } },
    model: [{ text: "Three photos." }, { text: "Next." }],
  });
  onTestFinished(async () => {
    server.dropPoll();
    await host.dispose();
    await server.close();
  });
  const part = (name: string, more: object = {}) => ({
    media_group_id: "album-1",
    photo: [{ file_id: name, file_unique_id: name, width: 1, height: 1 }],
    ...more,
  });
  const images = (index: number) =>
    JSON.stringify(host.modelRequests[index]?.prompt ?? []).split("Attached: photo.jpg").length - 1;
  return { server, host, part, images };
}

it("[EXT-241] an album of three photos is one turn with all of them and its caption", async () => {
  const { server, host, part, images } = await bot();
  server.write(part("a", { caption: "What is this?" }));
  server.write(part("b"));
  server.write(part("c"));
  server.write({ text: "and now?" });
  await eventually(() =>
    expect(server.sent.map(({ text }) => text)).toEqual(["Three photos.", "Next."]),
  );
  expect(host.modelRequests).toHaveLength(2);
  expect(JSON.stringify(host.modelRequests[0]?.prompt)).toContain("What is this?");
  expect(images(0)).toBe(3);
});

it("[EXT-241] parts that come twice belong to the same turn, also after it", async () => {
  const { server, host, part, images } = await bot();
  const first = server.write(part("a", { caption: "Look." }));
  server.write(part("b"));
  server.send({ message: first.message });
  await eventually(() => expect(server.sent).toHaveLength(1));
  server.send({ message: first.message });
  server.write({ text: "next" });
  await eventually(() => expect(server.sent).toHaveLength(2));
  expect(host.modelRequests).toHaveLength(2);
  expect(images(0)).toBe(2);
  await eventually(() => expect(server.unconfirmed).toBe(0));
});
