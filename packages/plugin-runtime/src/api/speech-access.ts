import type { HostAgentPort, RuntimeSpeech } from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../instances/instance.js";
import { expectObject, expectTexts } from "../registration/check.js";

/** Creates `runtime.speech`. Requests end when the plugin is unloaded. */
export function createRuntimeSpeech(
  instance: PluginInstance,
  speech: NonNullable<HostAgentPort["speech"]>,
): RuntimeSpeech {
  return {
    unavailable() {
      instance.assertAlive("runtime.speech.unavailable");
      return speech.unavailable();
    },
    async synthesize(request) {
      const member = "runtime.speech.synthesize";
      instance.assertAlive(member);
      const call = { origin: instance.origin, member };
      expectObject(call, "request", request);
      const { signal } = request;
      const [text = ""] = expectTexts(call, "text", [request.text]);
      return await speech.synthesize({
        ...request,
        text,
        signal: signal === undefined ? instance.signal : AbortSignal.any([instance.signal, signal]),
      });
    },
  };
}
