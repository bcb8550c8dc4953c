import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import audio from "@openclaw/openai-audio";
import { startAudioServer } from "@openclaw/platform-fakes";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createFakeChannel, createTestHost } from "@openclaw/plugin-testkit";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { platformHost } from "../../src/proxies/platform-host.js";
import { PLATFORMS } from "../../src/proxies/platforms.js";

/** Names of files, and what arrives of those that no header can have. */
const NAMES: readonly (readonly [name: string, shown?: string])[] = [
  ["合同 最终版.pdf"],
  ["عقد نهائي.pdf"],
  ["📄🦞 plan.pdf"],
  ["Zoë & Jürgen.pdf"],
  ["100%25 50%.pdf"],
  [`a";name="b.pdf`],
  ["it's; a=b, c.pdf"],
  [`${"长".repeat(100)}.pdf`],
  ["first\r\nX-Evil: 1.pdf", "first X-Evil: 1.pdf"],
  ["tab\tnul\0bell\u0007.pdf", "tab nul bell .pdf"],
  ["half \ud83d.pdf", "half \ufffd.pdf"],
  ["next\u0085line\u2028sep.pdf", "next line sep.pdf"],
];

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** Adds files with all names to each reply. */
const filing = definePluginEntry({
  id: "filing",
  register(api) {
    const attachments = NAMES.map(([name], index) => {
      const path = join(folder.path, `${index}.pdf`);
      writeFileSync(path, "%PDF-1.4");
      return { path, name, mimeType: "application/pdf", bytes: 8 };
    });
    api.on("before_dispatch", ({ content }) => ({ payload: { text: content, attachments } }));
  },
});

const CHANNELS = Object.entries(PLATFORMS).filter(
  // Teams takes images only, without their names.
  ([name]) => !name.includes("Socket Mode") && name !== "teams",
);

it.each(CHANNELS)(
  "[CHAN-741] files with names in any script arrive on %s, without what ends a header",
  async (_name, startPlatform) => {
    const host = platformHost();
    const platform = await startPlatform(host.inbound);
    await host.start(platform, { neighbours: [filing], model: [{ text: "Here they are." }] });
    await platform.exchange();
    // The Bot API has no quotation marks in the name of a file.
    const mark = platform.channel === "telegram" ? "'" : '"';
    const expected = NAMES.map(([name, shown = name]) => shown.replaceAll('"', mark));
    await vi.waitFor(() => expect(platform.fileNames()).toEqual(expected), 60_000);
  },
  30_000,
);

it.each(["audio/ogg\r\nX-Evil: 1", "audio/音频", 'audio/ogg; codecs="🦞"', ""])(
  "[CHAN-741] a recording of the type %j is transcribed, or the message arrives without it",
  async (mimeType) => {
    await using server = await startAudioServer();
    vi.stubEnv("AUDIO_BASE_URL", server.baseURL);
    onTestFinished(() => void vi.unstubAllEnvs());
    const fake = createFakeChannel();
    await using host = await createTestHost({
      ...{ plugin: audio, neighbours: [fake.asPlugin()], model: "demo/echo" },
      config: { channels: { fake: { dmPolicy: "open" } } },
    });
    const path = join(folder.path, "voice.ogg");
    writeFileSync(path, server.record("good morning"));
    const name = "声音 🦞\r\nX-Evil: 1.ogg";
    await fake.say("listen", { attachments: [{ path, name, mimeType, bytes: 16 }] });
    const { content } = await fake.delivery(1);
    expect(content).toContain("listen");
    expect(server.transcriptions.every(({ fileName }) => /^[\w.-]+$/.test(fileName))).toBe(true);
    expect(host.logs.filter(({ level }) => level === "error")).toEqual([]);
  },
);
