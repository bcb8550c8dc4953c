import { readFile } from "node:fs/promises";
import { defined, errorMessage } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AttachmentMeta, MessageContext } from "@openclaw/plugin-sdk/hooks";
import { isAudio } from "../messages/audio.js";
import type { InboundMessage } from "../messages/inbound.js";

/** Dependencies of {@link AudioTranscription}. */
export interface AudioTranscriptionDependencies {
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly logger: Logger;
}

/** Puts the text of attached audio into messages, with the hook `transcribe_audio` (TURN-003). */
export class AudioTranscription {
  readonly #dependencies: AudioTranscriptionDependencies;

  /** @param dependencies - hooks and log */
  constructor(dependencies: AudioTranscriptionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Adds the transcript of each attached audio to the text of a message, or a note that there is none. The
   * attachments stay.
   * @param message - message from a surface
   * @param context - context of its hooks
   */
  async transcribe(message: InboundMessage, context: MessageContext): Promise<InboundMessage> {
    const { attachments = [], channel } = message;
    const texts: string[] = [];
    const spoken: string[] = [];
    for (const [index, attachment] of attachments.entries()) {
      if (!isAudio(attachment)) continue;
      const text = await this.#textOf(attachment, { channel, index }, context);
      const { name = "audio" } = attachment;
      if (text !== undefined) spoken.push(text);
      texts.push(
        text === undefined
          ? `[The audio ${name} was not transcribed.]`
          : `[Transcript of ${name}] ${text}`,
      );
    }
    if (texts.length === 0) return message;
    const { text, cleanText = text } = message;
    return {
      ...message,
      text: [text, ...texts].filter(Boolean).join("\n"),
      cleanText: [cleanText, ...spoken].filter(Boolean).join("\n"),
      transcript: spoken.length === 0 ? undefined : spoken.join("\n"),
    };
  }

  /** Returns the transcript of the first handler that has one. */
  async #textOf(
    { path, mimeType, bytes }: AttachmentMeta,
    { channel, index: attachmentIndex }: { readonly channel: string; readonly index: number },
    context: MessageContext,
  ): Promise<string | undefined> {
    const { plugins, logger } = this.#dependencies;
    const read = async () => {
      if (path === undefined) throw new Error("the audio has no file; use its URL");
      return new Uint8Array(await readFile(path));
    };
    const audio = defined({ path, mimeType, bytes, read });
    try {
      const claim = await plugins.hooks.claim(
        "transcribe_audio",
        { audio, channel, attachmentIndex },
        context,
      );
      if (claim?.handled !== true) {
        const problem = "no plugin transcribed the audio of a message";
        logger.info(`${problem}; docs/operate/channels.md says how to set one up`, {
          code: "AUDIO_NOT_TRANSCRIBED",
          channel,
        });
        return undefined;
      }
      const text = claim.text?.trim();
      return text === "" ? undefined : text;
    } catch (error) {
      logger.warn(`audio was not transcribed: ${errorMessage(error)}`);
      return undefined;
    }
  }
}
