import { DeadlineExceededError, defined, type Timers, withDeadline } from "@openclaw/foundation";
import type { SpeechProvider, SpeechTarget } from "@openclaw/plugin-sdk/plugin-entry";

/** Time that a provider has to speak one text, in milliseconds. */
const SPEECH_MS = 60_000;
/** Largest audio of a text, in bytes. */
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

/** Text to speak. */
interface SynthesisRequest {
  /** Text without markup. */
  readonly text: string;
  readonly target: SpeechTarget;
  /** Voice instead of the configured one. */
  readonly voice?: string | undefined;
  readonly signal: AbortSignal;
}

/** Spoken text in a known format. */
interface Synthesis {
  readonly audio: Uint8Array;
  readonly mimeType: string;
  readonly fileExtension: string;
  readonly provider: string;
}

/** Dependencies of {@link synthesize}. */
interface SynthesisDependencies {
  /** Calls code of a plugin, so that its faults are attributed to it. */
  callPlugin<Result>(pluginId: string, call: () => Result): Result;
  readonly timers: Timers;
}

/**
 * Speaks a text with a provider, and checks what it returns.
 * @param selected - the provider, or the reason why there is none
 * @param request - text, form and voice
 * @param dependencies - call of plugins, and timers
 * @throws Error that names the reason
 */
export async function synthesize(
  selected: SelectedSpeech | { readonly unavailable: string },
  { text, target, voice, signal }: SynthesisRequest,
  { callPlugin, timers }: SynthesisDependencies,
): Promise<Synthesis> {
  if ("unavailable" in selected) throw new Error(selected.unavailable);
  const { provider, pluginId } = selected;
  const ending = new AbortController();
  const request = {
    ...{ text, target, timeoutMs: SPEECH_MS },
    signal: AbortSignal.any([signal, ending.signal]),
    ...defined({ voice: voice ?? selected.voice }),
  };
  const spoken = await withDeadline(
    SPEECH_MS,
    () => callPlugin(pluginId, () => provider.synthesize(request)),
    timers,
  ).finally(() => ending.abort(new DeadlineExceededError(SPEECH_MS)));
  const { audioBuffer: audio, fileExtension } = spoken;
  const mimeType = MIME_TYPES.get(fileExtension.toLowerCase());
  if (mimeType === undefined) {
    const known = [...MIME_TYPES.keys()].join(", ");
    throw new Error(
      `speech provider "${provider.id}" returned the format "${fileExtension}"; expected one of ${known}`,
    );
  }
  if (audio.byteLength === 0 || audio.byteLength > MOST_BYTES) {
    throw new Error(
      `speech provider "${provider.id}" returned ${audio.byteLength} bytes; expected 1 to ${MOST_BYTES}`,
    );
  }
  const extension = fileExtension === ".opus" ? ".ogg" : fileExtension.toLowerCase();
  return { audio, mimeType, fileExtension: extension, provider: provider.id };
}
