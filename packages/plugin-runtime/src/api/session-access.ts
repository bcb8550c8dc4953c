import { PluginStoreArgumentError } from "@openclaw/plugin-sdk/errors";
import type { HostSessionPort } from "@openclaw/plugin-sdk/services";
import type { PluginSession } from "@openclaw/plugin-sdk/sessions";
import type { Registrar } from "../registration/registrar.js";
import { readSessionExtension } from "../registration/session-extension.js";
import { lackOf } from "./missing-capability.js";

/**
 * Creates the `api.session` of one plugin.
 * @param registrar - adds registrations to the registry
 */
export function createSession(registrar: Registrar, services: HostSessionPort): PluginSession {
  const { instance } = registrar;
  const { id, origin } = instance;
  const { sessionState, enqueueInjection } = services;
  const requireNamespace = (call: string, namespace: string) => {
    const known = instance
      .registered("sessionExtensions")
      .map(({ extension }) => extension.namespace);
    if (known.includes(namespace)) return;
    const expected = known.length === 0 ? "one that was registered" : known.join(" or ");
    const problem = `namespace: expected ${expected}, got ${JSON.stringify(namespace)}; register it with api.session.state.registerSessionExtension`;
    throw new PluginStoreArgumentError(id, call, problem);
  };
  return {
    state: {
      registerSessionExtension(extension) {
        registrar.add("registerSessionExtension", "sessionExtensions", () =>
          readSessionExtension(origin, extension),
        );
      },
      async get(sessionKey, namespace) {
        instance.assertAlive("session.state.get");
        if (sessionState === undefined) throw lackOf(id, "session.state.get");
        requireNamespace("session.state.get", namespace);
        return sessionState.get(id, sessionKey, namespace);
      },
      async patch(sessionKey, namespace, patch) {
        instance.assertAlive("session.state.patch");
        if (sessionState === undefined) throw lackOf(id, "session.state.patch");
        requireNamespace("session.state.patch", namespace);
        return sessionState.patch(id, sessionKey, namespace, patch);
      },
    },
    workflow: {
      async enqueueNextTurnInjection(injection) {
        instance.assertAlive("session.workflow.enqueueNextTurnInjection");
        if (instance.grants.entry?.hooks?.allowPromptInjection === false) {
          instance.diagnoseOnce("injection", {
            level: "info",
            code: "hook-inactive",
            message: `prompt injections of plugin "${id}" are rejected: the operator does not allow it to add to prompts`,
            hint: `remove plugins.entries.${id}.hooks.allowPromptInjection or set it to true`,
          });
          const { sessionKey } = injection;
          return { enqueued: false, reason: "prompt-injection-off", sessionKey };
        }
        if (enqueueInjection === undefined) {
          throw lackOf(id, "session.workflow.enqueueNextTurnInjection");
        }
        return enqueueInjection(id, injection);
      },
    },
  };
}
