import { rm } from "node:fs/promises";
import {
  DeadlineExceededError,
  defined,
  errorMessage,
  type Timers,
  withDeadline,
} from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { SpeechProvider } from "@openclaw/plugin-sdk/plugin-entry";
import type { ReceivedFiles } from "../channels/received-files.js";
import { hasAudio } from "../inbound/transcription.js";
import { failureRecord } from "../messages/failure-record.js";
import type { Speak, SpokenReply } from "./chunk.js";
import type { ReplyOccasion } from "./occasion.js";
import type { SpeechSection } from "./speech-section.js";
import { spokenText } from "./spoken-text.js";

/** Time that a provider has to speak one reply, in milliseconds. */
const SPEECH_MS = 60_000;
/** Largest audio of a reply, in bytes. */
const MOST_BYTES = 20 * 1024 * 1024;

/** Formats by the extension that a provider names. */
const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  [".ogg", "audio/ogg"],
  [".opus", "audio/ogg"],
  [".mp3", "audio/mpeg"],
  [".m4a", "audio/mp4"],
  [".aac", "audio/aac"],
  [".wav", "audio/wav"],
  [".flac", "audio/flac"],
]);

/** Provider of speech that is used now. */
export interface SelectedSpeech {
  readonly provider: SpeechProvider;
  readonly pluginId: string;
  readonly voice?: string | undefined;
}

/** Speech of a host, which follows plugins and configuration. */
export interface HostSpeech {
  /** Replies that are spoken, `speech.replies`. */
  readonly replies: NonNullable<SpeechSection["replies"]>;
  /** Returns the provider, or the reason why there is none. */
  select(): SelectedSpeech | { readonly unavailable: string };
}

/** Dependencies of {@link SpokenReplies}. */
export interface SpokenRepliesDependencies {
  /** Absent for a host without speech. */
  readonly speech: HostSpeech | undefined;
  readonly files: Pick<ReceivedFiles, "save">;
  /** Calls code of a plugin, so that its faults are attributed to it. */
  callPlugin<Result>(pluginId: string, call: () => Result): Result;
  readonly logger: Logger;
  readonly timers: Timers;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
}

/** Turns replies into audio, on channels that can show it (HCR-018). A reply that cannot be spoken is sent as text. */
export class SpokenReplies {
  readonly #dependencies: SpokenRepliesDependencies;

  /** @param dependencies - provider of speech, files, log and timers */
  constructor(dependencies: SpokenRepliesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns how a reply is spoken; undefined for one that is sent as text.
   * @param occasion - reply and answered message
   */
  speakerOf({ reply, inbound, caller, isAnswer }: ReplyOccasion): Speak | undefined {
    const { speech } = this.#dependencies;
    const form = caller.surface?.audio;
    if (speech === undefined || speech.replies === "off" || form === undefined) return undefined;
    if (isAnswer !== true || reply.attachments.length > 0) return undefined;
    if (speech.replies === "to-voice" && !hasAudio(inbound)) return undefined;
    const target = form === "voice" ? "voice-note" : "audio-file";
    return (content) => this.#speak(content, { speech, target, channel: inbound.channel });
  }

  async #speak(
    content: string,
    {
      speech,
      target,
      channel,
    }: {
      readonly speech: HostSpeech;
      readonly target: "voice-note" | "audio-file";
      readonly channel: string;
    },
  ): Promise<SpokenReply | undefined> {
    const { files, callPlugin, logger, timers, signal } = this.#dependencies;
    const selected = speech.select();
    try {
      if ("unavailable" in selected) throw new Error(selected.unavailable);
      const text = await spokenText(content);
      if (text === undefined) return undefined;
      const { provider, pluginId, voice } = selected;
      const ending = new AbortController();
      const request = {
        ...{ text, target, timeoutMs: SPEECH_MS },
        signal: AbortSignal.any([signal, ending.signal]),
        ...defined({ voice }),
      };
      const spoken = await withDeadline(
        SPEECH_MS,
        () => callPlugin(pluginId, () => provider.synthesize(request)),
        timers,
      ).finally(() => ending.abort(new DeadlineExceededError(SPEECH_MS)));
      const { audioBuffer, fileExtension } = spoken;
      const mimeType = MIME_TYPES.get(fileExtension.toLowerCase());
      if (mimeType === undefined) {
        const known = [...MIME_TYPES.keys()].join(", ");
        throw new Error(
          `speech provider "${provider.id}" returned the format "${fileExtension}"; expected one of ${known}`,
        );
      }
      if (audioBuffer.byteLength === 0 || audioBuffer.byteLength > MOST_BYTES) {
        throw new Error(
          `speech provider "${provider.id}" returned ${audioBuffer.byteLength} bytes; expected 1 to ${MOST_BYTES}`,
        );
      }
      const extension = fileExtension === ".opus" ? ".ogg" : fileExtension.toLowerCase();
      const name = `reply${extension}`;
      const attachment = await files.save(channel, { name, mimeType, content: audioBuffer });
      const { path = "" } = attachment;
      return { attachment, remove: () => rm(path, { force: true }) };
    } catch (error) {
      const { code } = failureRecord(error);
      logger.warn(`a reply is sent as text, because it was not spoken: ${errorMessage(error)}`, {
        code: code === "UNEXPECTED" ? "SPEECH_FAILED" : code,
        channel,
      });
      return undefined;
    }
  }
}
