import { defined, errorMessage } from "@openclaw/foundation";
import { type HostSpeech, synthesize } from "@openclaw/messaging";
import type { RuntimeSpeech } from "@openclaw/plugin-sdk/services";
import { type RuleSet, scanLeaks } from "@openclaw/safety";
import { SpeechFailedError } from "../../errors.js";

/** Longest text that is spoken, in characters: the limit of common speech services. */
const LONGEST_TEXT = 4096;

/** Dependencies of {@link pluginSpeech}. */
interface PluginSpeechDependencies extends Pick<Parameters<typeof synthesize>[2], "timers"> {
  callPlugin: Parameters<typeof synthesize>[2]["callPlugin"];
  /** Returns the rules for secrets in force. */
  rules(): RuleSet | undefined;
  /** Aborts when the host stops. */
  readonly signal: AbortSignal;
}

/**
 * Creates the speech of plugins, with the provider that speaks replies. A text with a secret does not leave the host.
 * @param dependencies - call of plugins, rules, timers and the end of the host
 */
export function pluginSpeech(
  speech: Pick<HostSpeech, "select">,
  dependencies: PluginSpeechDependencies,
): RuntimeSpeech {
  return {
    unavailable() {
      const selected = speech.select();
      return "unavailable" in selected ? selected.unavailable : undefined;
    },
    async synthesize({ text, target = "audio-file", voice, signal }) {
      const problem = problemOf(text, dependencies.rules());
      if (problem !== undefined) throw new SpeechFailedError(problem);
      const signals = [dependencies.signal, ...(signal === undefined ? [] : [signal])];
      const request = { text, target, ...defined({ voice }), signal: AbortSignal.any(signals) };
      try {
        return await synthesize(speech.select(), request, dependencies);
      } catch (error) {
        request.signal.throwIfAborted();
        throw new SpeechFailedError(errorMessage(error), error);
      }
    },
  };
}

function problemOf(text: string, rules: RuleSet | undefined): string | undefined {
  if (text.trim() === "") return "it is empty";
  if (text.length > LONGEST_TEXT) {
    return `it has ${text.length} characters; the limit is ${LONGEST_TEXT}, so divide it`;
  }
  const { findings } = scanLeaks(text, { rules });
  const finding = findings.find(({ action }) => action === "block");
  return finding && `rule "${finding.rule}" found a secret in it`;
}
