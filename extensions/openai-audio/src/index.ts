import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { AudioService } from "./service.js";
import { type AudioConfig, audioSettings } from "./settings.js";

/** Longest transcription of one recording, in milliseconds; less than the deadline of the hook. */
const TRANSCRIPTION_MS = 55_000;

export default definePluginEntry<AudioConfig>({
  id: "openai-audio",
  name: "OpenAI audio",
  description: "Transcribes voice messages and speaks replies with the audio API of OpenAI.",
  register(api) {
    const settings = audioSettings(api.pluginConfig, process.env);
    const service = new AudioService(settings);
    // Without a service, another plugin transcribes the recording, or the host adds its note.
    if (settings.missing === undefined) {
      api.on("transcribe_audio", async ({ audio }) => {
        const signal = AbortSignal.timeout(TRANSCRIPTION_MS);
        const { text, language } = await service.transcribe(
          await audio.read(),
          audio.mimeType,
          signal,
        );
        const about = language === undefined ? {} : { language };
        return { handled: true, text, provider: "openai-audio", ...about };
      });
    }
    api.registerSpeechProvider({
      id: "openai-audio",
      label: "OpenAI audio",
      missing: () => settings.missing,
      async synthesize({ text, target, voice, signal }) {
        const isVoice = target === "voice-note";
        const format = isVoice ? "opus" : "mp3";
        const audioBuffer = await service.speak(text, format, { voice, signal });
        return {
          audioBuffer,
          fileExtension: isVoice ? ".ogg" : ".mp3",
          outputFormat: format,
          voiceCompatible: isVoice,
        };
      },
    });
  },
});
