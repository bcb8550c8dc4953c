import type { HostAgentPort, RuntimeEmbeddings } from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../../instances/instance.js";
import { expectObject, expectTexts } from "../../registration/check.js";

/**
 * Creates `runtime.embeddings`. Requests end when the plugin is unloaded.
 * @param embeddings - embedding models of the host
 */
export function createRuntimeEmbeddings(
  instance: PluginInstance,
  embeddings: NonNullable<HostAgentPort["embeddings"]>,
): RuntimeEmbeddings {
  return {
    async model(name) {
      instance.assertAlive("runtime.embeddings.model");
      return embeddings.model(name);
    },
    async embed(request) {
      const member = "runtime.embeddings.embed";
      instance.assertAlive(member);
      const call = { origin: instance.origin, member };
      expectObject(call, "request", request);
      const { texts, signal } = request;
      return embeddings.embed({
        ...request,
        texts: expectTexts(call, "texts", texts),
        signal: signal === undefined ? instance.signal : AbortSignal.any([instance.signal, signal]),
      });
    },
  };
}
