import { rm } from "node:fs/promises";
import { errorMessage, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { hasAudio } from "../messages/audio.js";
import { failureRecord } from "../messages/failure-record.js";
import type { ReceivedFiles } from "../messages/received-files.js";
import type { Speak, SpokenReply } from "./chunk.js";
import type { ReplyOccasion } from "./occasion.js";
import type { SpeechSection } from "./speech-section.js";
import { spokenText } from "./spoken-text.js";
import { type SelectedSpeech, synthesize } from "./synthesis.js";

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
      const text = "unavailable" in selected ? "" : await spokenText(content);
      if (text === undefined) return undefined;
      const { audio, mimeType, fileExtension } = await synthesize(
        selected,
        { text, target, signal },
        { callPlugin, timers },
      );
      const name = `reply${fileExtension}`;
      const attachment = await files.save(channel, { name, mimeType, content: audio });
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
