import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ConversationPartner } from "@openclaw/client/conversation";
import { describe, expect, it } from "vitest";
import { type ChatPlace, startChatPlace } from "../../support/virtual-chat.js";
import { KEYS } from "../../support/virtual-terminal.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const SIZE = { columns: 160, rows: 30 };

const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

function writeImage(place: ChatPlace, name: string, content: Uint8Array = PNG): string {
  const path = join(place.workspaceDir, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Returns the data of the images in the user's messages, oldest first. */
async function storedImages({ gateway }: ChatPlace): Promise<readonly number[]> {
  const { messages } = await (await gateway.methods()).call("chat.history", {
    sessionKey: "agent:main:main",
    limit: 200,
  });
  return messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => content.filter(({ type }) => type === "image").length);
}

/** Records the images that a chat sends. */
function recording(sent: (readonly { readonly data: string }[] | undefined)[]) {
  return (hosted: ConversationPartner): ConversationPartner => ({
    ...hosted,
    send: (text, exchange) => {
      sent.push(exchange.images);
      return hosted.send(text, exchange);
    },
  });
}

describe("images in a chat", () => {
  it.each([
    ["a plain path", (path: string) => path],
    ["a quoted path", (path: string) => `'${path}'`],
    ["a path with escaped spaces", (path: string) => path.replaceAll(" ", "\\ ")],
    ["a file URL", (path: string) => `${pathToFileURL(path).href}\n`],
  ])("[GW-801] attaches %s that is pasted, and sends its bytes", async (_form, write) => {
    const place = await startChatPlace();
    const sent: (readonly { readonly data: string }[] | undefined)[] = [];
    const chat = await place.open({ size: SIZE, partner: recording(sent) });
    const path = writeImage(place, "my screen shots/shot 1.png");
    chat.type(paste(write(path)));
    await chat.shows("[image 1: shot 1.png]");
    await chat.shows("attached: shot 1.png (70 B)");
    await chat.shows("demo/echo does not see images; /model chooses another model");
    rmSync(path);
    chat.type(`what is this${KEYS.enter}`);
    await chat.shows(
      /you › \[image 1: shot 1\.png\] what is this\n+attached: shot 1\.png \(70 B\)/,
    );
    await chat.shows("I cannot see it");
    expect(sent).toEqual([[{ data: PNG.toString("base64") }]]);
    expect(await storedImages(place)).toEqual([1]);
    const history = readFileSync(join(place.folder.path, "state/chat-history.jsonl"), "utf8");
    expect(JSON.parse(history)).toBe(`@"${path}" what is this`);
    const other = await place.open({ size: SIZE });
    await other.shows(/you › \[image 1: shot 1\.png\] what is this\n+\(1 image attached\)/);
  });

  it("[GW-801] removes a mark with one backspace, and takes several images that are dropped at once", async () => {
    const place = await startChatPlace();
    const sent: (readonly { readonly data: string }[] | undefined)[] = [];
    const chat = await place.open({ size: SIZE, partner: recording(sent) });
    const first = writeImage(place, "a.png");
    const second = writeImage(place, "b.png");
    chat.type(`see ${paste(`${first} ${second}`)}`);
    await chat.shows("see [image 1: a.png] [image 2: b.png]");
    chat.type(KEYS.backspace);
    await chat.shows(/see \[image 1: a\.png\]\s*\n/);
    await chat.shows(/attached: a\.png \(70 B\)\s*\n/);
    chat.type(KEYS.enter);
    await chat.shows("I cannot see it");
    expect(sent).toEqual([[{ data: PNG.toString("base64") }]]);
    // The earlier input has its image again.
    chat.type(KEYS.up);
    await chat.shows(/attached: a\.png \(70 B\)\s*\n.*\n.*see \[image 1/s);
  });

  it("[GW-801] attaches an @path, says why a file cannot be attached, and leaves other pastes as they are", async () => {
    const place = await startChatPlace();
    const sent: (readonly { readonly data: string }[] | undefined)[] = [];
    const chat = await place.open({ size: SIZE, partner: recording(sent) });
    writeImage(place, "shot.png");
    const large = writeImage(place, "large.png", Buffer.concat([PNG, Buffer.alloc(4_000_000)]));
    const fake = writeImage(place, "fake.png", Buffer.from("text"));
    chat.type(`look at @shot.png and @fake.png`);
    await chat.shows("attached: shot.png (70 B)");
    await chat.shows("fake.png is not a PNG, JPEG, GIF or WebP image; it is not attached");
    chat.type(KEYS.ctrlC);
    chat.type(paste(large));
    await chat.shows(
      "large.png has 4.0 MB, and models accept images of 3.8 MB; send a smaller one",
    );
    chat.type(KEYS.ctrlC);
    chat.type(paste(`${fake} is broken`));
    await chat.shows(`${fake} is broken`);
    expect(chat.text).not.toContain("[image 1");
    chat.type(KEYS.ctrlC);
    chat.type(`!echo @shot.png${KEYS.enter}`);
    await chat.shows("exit code 0");
    chat.type(`what is @shot.png${KEYS.enter}`);
    await chat.shows("I cannot see it");
    expect(sent).toEqual([[{ data: PNG.toString("base64") }]]);
  });
});
