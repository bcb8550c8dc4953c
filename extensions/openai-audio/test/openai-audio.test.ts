import { startAudioServer } from "@openclaw/platform-fakes";
import { createFakeChannel, createTestHost } from "@openclaw/plugin-testkit";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import { OpenAIAudioFailedError } from "../src/errors.js";
import plugin from "../src/index.js";
import { AudioService } from "../src/service.js";
import { audioSettings } from "../src/settings.js";

const VARIABLES = ["AUDIO_BASE_URL", "AUDIO_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"];
beforeEach(() => VARIABLES.forEach((name) => void vi.stubEnv(name, "")));
afterEach(() => void vi.unstubAllEnvs());

async function audioServer() {
  const server = await startAudioServer({ apiKey: "key" });
  onTestFinished(() => server.close());
  return server;
}

const never = new AbortController().signal;

describe("settings of the audio service", () => {
  it("send the key of OpenAI to OpenAI and to the service of the models only", () => {
    const openai = audioSettings({}, { OPENAI_API_KEY: "sk" });
    expect(openai).toMatchObject({ baseURL: "https://api.openai.com/v1", apiKey: "sk" });
    const proxy = { OPENAI_API_KEY: "sk", OPENAI_BASE_URL: "http://proxy/v1" };
    expect(audioSettings({}, proxy)).toMatchObject({ baseURL: "http://proxy/v1", apiKey: "sk" });
    const local = audioSettings({}, { ...proxy, AUDIO_BASE_URL: "http://local/v1" });
    expect(local).toMatchObject({ baseURL: "http://local/v1", missing: undefined });
    expect(local.apiKey).toBeUndefined();
    const own = audioSettings({ baseURL: "http://own/v1", apiKey: "own" }, proxy);
    expect(own).toMatchObject({ baseURL: "http://own/v1", apiKey: "own" });
  });

  it("say what is missing", () => {
    expect(audioSettings({}, {}).missing).toContain("set AUDIO_API_KEY or OPENAI_API_KEY");
    expect(audioSettings({ baseURL: "local:8000" }, {}).missing).toContain("must begin with http");
  });
});

describe("the audio service", () => {
  const failing = (settings: object) => {
    const service = new AudioService({ ...audioSettings({}, {}), ...settings, missing: undefined });
    return service.transcribe(new Uint8Array([1]), "audio/ogg", never).then(
      () => undefined,
      (error: unknown) => error,
    );
  };

  it("reports a wrong key, an unreadable recording and a missing server with the next step", async () => {
    const { baseURL } = await audioServer();
    const wrongKey = await failing({ baseURL, apiKey: "wrong" });
    expect(wrongKey).toBeInstanceOf(OpenAIAudioFailedError);
    expect(wrongKey).toHaveProperty(
      "message",
      `The audio service at ${baseURL} did not transcribe a recording: HTTP 401, Incorrect API key provided; check AUDIO_API_KEY or OPENAI_API_KEY`,
    );
    expect(await failing({ baseURL, apiKey: "key" })).toHaveProperty(
      "message",
      expect.stringContaining("HTTP 400, Audio file might be corrupted or unsupported"),
    );
    expect(await failing({ baseURL: "http://127.0.0.1:9/v1" })).toHaveProperty(
      "message",
      expect.stringContaining("check AUDIO_BASE_URL and that the service runs"),
    );
  });

  it("transcribes with the configured model and language, and speaks as a file or a voice message", async () => {
    const server = await audioServer();
    const config = { baseURL: server.baseURL, apiKey: "key", language: "de", voice: "echo" };
    const service = new AudioService(
      audioSettings({ ...config, transcriptionModel: "whisper-1", speechModel: "tts-1" }, {}),
    );
    const type = "audio/ogg; codecs=opus";
    expect(await service.transcribe(server.record("Hallo"), type, never)).toEqual({
      text: "Hallo",
      language: "de",
    });
    expect(server.transcriptions).toEqual([
      { model: "whisper-1", language: "de", fileName: "audio.ogg", bytes: 9 },
    ]);
    const mp3 = await service.speak("Guten Tag", "mp3", { signal: never });
    expect(server.hear(mp3)).toBe("Guten Tag");
    expect(server.speeches).toEqual([
      { model: "tts-1", input: "Guten Tag", voice: "echo", format: "mp3" },
    ]);
  });
});

describe("the plugin openai-audio", () => {
  it("leaves recordings to others and offers no speech while it is not set up", async () => {
    const channel = createFakeChannel({ capabilities: { audio: "file" } });
    await using host = await createTestHost({
      ...{ plugin, manifest, neighbours: [channel.asPlugin()] },
      config: { channels: { fake: { dmPolicy: "open" } }, speech: { replies: "always" } },
      model: [{ text: "ok" }],
    });
    await channel.say("", {
      attachments: [{ name: "a.ogg", mimeType: "audio/ogg", bytes: 1, url: "https://a.example/a" }],
    });
    expect((await channel.delivery(1)).content).toBe("ok");
    expect(host.registrations.hooks).toEqual([]);
    expect(JSON.stringify(host.modelRequests)).toContain("[The audio a.ogg was not transcribed.]");
    const logged = host.logs.map(({ message }) => message).join("\n");
    expect(logged).toContain("no plugin transcribed the audio of a message");
    expect(logged).toContain("set AUDIO_API_KEY or OPENAI_API_KEY");
  });

  it("speaks every reply as a file with speech.replies: always", async () => {
    const server = await audioServer();
    const channel = createFakeChannel({ capabilities: { audio: "file" } });
    const pluginConfig = { baseURL: server.baseURL, apiKey: "key" };
    await using _host = await createTestHost({
      ...{ plugin, manifest, pluginConfig, neighbours: [channel.asPlugin()] },
      config: { channels: { fake: { dmPolicy: "open" } }, speech: { replies: "always" } },
      model: [{ text: "Hello." }],
    });
    await channel.say("hi");
    expect(await channel.delivery(1)).toMatchObject({
      content: "",
      attachments: [{ name: "reply.mp3", mimeType: "audio/mpeg" }],
    });
    await channel.say("/version");
    expect((await channel.delivery(2)).attachments).toBeUndefined();
  });
});
