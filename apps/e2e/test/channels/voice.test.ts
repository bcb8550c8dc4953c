import openaiAudio from "@openclaw/openai-audio";
import { startAudioServer, startTelegramServer } from "@openclaw/platform-fakes";
import { definePluginEntry, type OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import telegram from "@openclaw/telegram";
import { describe, expect, it, onTestFinished, vi } from "vitest";

const eventually = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, 60_000);

type Speech = NonNullable<NonNullable<TestHostOptions["config"]>["speech"]>;

/** A Telegram bot whose host uses an audio service for voice messages and spoken replies. */
async function spokenTo(
  speech: Speech,
  model: NonNullable<TestHostOptions["model"]>,
  register?: (api: OpenClawPluginApi) => void,
) {
  const server = await startTelegramServer();
  const audio = await startAudioServer({ apiKey: "key" });
  vi.stubEnv("AUDIO_BASE_URL", audio.baseURL);
  vi.stubEnv("AUDIO_API_KEY", "key");
  const { token: botToken, url: apiRoot } = server;
  const host = await createTestHost({
    plugin: telegram,
    neighbours: [
      openaiAudio,
      definePluginEntry({ id: "watcher", register: (api) => register?.(api) }),
    ],
    config: { channels: { telegram: { botToken, apiRoot, dmPolicy: "open" } }, speech },
    model,
  });
  onTestFinished(async () => {
    server.dropPoll();
    await host.dispose();
    await server.close();
    await audio.close();
    vi.unstubAllEnvs();
  });
  const speak = (text: string) => {
    const file_id = `voice-${text.length}`;
    server.addFile(file_id, audio.record(text));
    const voice = { file_id, file_unique_id: file_id, duration: 2, mime_type: "audio/ogg" };
    return server.write({ voice });
  };
  const reply = (number = 1) =>
    eventually(() => {
      const sent = server.sent[number - 1];
      if (sent === undefined) throw new Error(`only ${server.sent.length} messages were sent`);
      return sent;
    });
  return { server, audio, host, speak, reply };
}

describe("a voice message in Telegram", () => {
  it("[EXT-016] [HCR-018] is transcribed, answered, and the answer is spoken after the hooks", async () => {
    const seen: object[] = [];
    const { audio, host, speak, reply } = await spokenTo(
      { replies: "to-voice", voice: "nova" },
      [{ text: "It is **noon**, says [the clock](https://example.com)." }],
      (api) => {
        api.on("message_sending", ({ content }) => {
          seen.push({ sending: content });
          return { content: content.replace("noon", "midnight") };
        });
        api.on("message_sent", ({ content }) => void seen.push({ sent: content }));
        api.on("reply_dispatch", ({ inboundAudio }) => {
          seen.push({ inboundAudio });
          return undefined;
        });
      },
    );
    speak("What time is it?");
    const spoken = await reply();
    expect(JSON.stringify(host.modelRequests[0])).toContain(
      "[Transcript of voice.ogg] What time is it?",
    );
    expect(audio.transcriptions).toEqual([
      { model: "gpt-4o-mini-transcribe", language: undefined, fileName: "audio.ogg", bytes: 20 },
    ]);
    // The rewritten text is spoken, and is not a caption.
    expect(spoken).toMatchObject({ chatId: 42, text: "", file: { kind: "voice" } });
    expect(audio.hear(spoken.file?.content ?? new Uint8Array())).toBe(
      "It is midnight, says the clock.",
    );
    expect(audio.speeches[0]).toMatchObject({ voice: "nova", format: "opus" });
    await eventually(() => expect(seen).toHaveLength(3));
    const text = "It is **noon**, says [the clock](https://example.com).";
    expect(seen).toEqual([
      { inboundAudio: true },
      { sending: text },
      { sent: text.replace("noon", "midnight") },
    ]);
  });

  it("[HCR-018] answers in text what is written, cannot be read aloud, or was not spoken", async () => {
    const code = "Run this:\n\n```sh\nls\n```";
    const { server, audio, host, speak, reply } = await spokenTo({ replies: "to-voice" }, [
      { text: "Written." },
      { text: code },
      { text: "Not spoken." },
      { error: new Error("the model is down") },
    ]);
    server.write({ text: "hi" });
    expect(await reply(1)).toHaveProperty("text", "Written.");
    speak("show me a command");
    expect((await reply(2)).text).toContain("Run this:");
    // Neither the recording is transcribed, nor is the answer spoken.
    audio.fail(500, "overloaded");
    audio.fail(500, "overloaded");
    speak("this fails");
    expect(await reply(3)).toHaveProperty("text", "Not spoken.");
    expect(JSON.stringify(host.modelRequests[2])).toContain("was not transcribed");
    // A notice is not spoken either.
    speak("and this fails in the model");
    expect((await reply(4)).text).toContain("The request failed");
    expect(audio.speeches).toHaveLength(0);
    await eventually(() =>
      expect(host.logs.map(({ message }) => message).join("\n")).toContain("HTTP 500"),
    );
  });
});
