import { defined, errorMessage } from "@openclaw/foundation";
import type {
  AgentEvent,
  AgentEventSubscription,
  AgentEvents,
  OpenClawPluginApi,
} from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginInstance } from "../instances/instance.js";
import { expectFunction, expectObject, expectText } from "../registration/check.js";

/** Passes the events that plugins add to runs to the subscriptions of all plugins. */
export class AgentEventBus {
  readonly #listeners = new Set<(event: AgentEvent) => void>();

  /**
   * @param listener - receives each event
   * @returns a function that removes the listener
   */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param event - event of a plugin */
  publish(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/**
 * Creates `api.agent.events`. The events of runs come from hooks, so that the permission to see conversations applies
 * to them too.
 * @param on - registers a hook handler of the plugin
 * @param emit - sends an event to connected clients
 * @param bus - events of plugins
 */
export function createAgentEvents(
  instance: PluginInstance,
  on: OpenClawPluginApi["on"],
  emit: OpenClawPluginApi["gatewayEvents"]["emit"],
  bus: AgentEventBus,
): AgentEvents {
  const { origin } = instance;
  return {
    registerAgentEventSubscription(subscription) {
      const call = { origin, member: "agent.events.registerAgentEventSubscription" };
      instance.assertUsable(call.member);
      expectObject(call, "subscription", subscription);
      expectText(call, "id", subscription.id);
      expectFunction(call, "handle", subscription.handle);
      const deliver = deliveryOf(instance, subscription);
      instance.onDispose(bus.subscribe(deliver));
      const wants = (stream: string) => subscription.streams?.includes(stream) !== false;
      if (wants("tool")) {
        on("after_tool_call", ({ toolName, toolCallId, error }, { runId, sessionKey }) => {
          const data = { phase: "result", name: toolName, isError: error !== undefined };
          deliver(eventOf("tool", runId, sessionKey, { ...data, ...defined({ toolCallId }) }));
        });
      }
      if (wants("assistant")) {
        on("llm_output", ({ assistantTexts }, { runId, sessionKey }) => {
          const text = assistantTexts.join("\n");
          deliver(eventOf("assistant", runId, sessionKey, { text }));
        });
      }
      if (wants("lifecycle")) {
        on("agent_end", ({ success, error }, { runId, sessionKey }) => {
          const data = { phase: success ? "end" : "error", ...defined({ error }) };
          deliver(eventOf("lifecycle", runId, sessionKey, data));
        });
      }
    },
    emitAgentEvent({ runId, stream, sessionKey, data = {} }) {
      const call = { origin, member: "agent.events.emitAgentEvent" };
      instance.assertAlive(call.member);
      const event = eventOf(
        expectText(call, "stream", stream),
        expectText(call, "runId", runId),
        sessionKey,
        data,
      );
      bus.publish(event);
      emit("agent", event);
      return { emitted: true };
    },
  };
}

function deliveryOf(instance: PluginInstance, { id, streams, handle }: AgentEventSubscription) {
  const report = (error: unknown) =>
    instance.logger.error(
      `the agent event subscription "${id}" of plugin "${instance.id}" failed: ${errorMessage(error)}`,
    );
  return (event: AgentEvent): void => {
    if (streams !== undefined && !streams.includes(event.stream)) return;
    try {
      Promise.resolve(handle(event)).catch(report);
    } catch (error) {
      report(error);
    }
  };
}

function eventOf(
  stream: string,
  runId: string | undefined,
  sessionKey: string | undefined,
  data: Readonly<Record<string, unknown>>,
): AgentEvent {
  return { runId: runId ?? "", stream, data, ts: Date.now(), ...defined({ sessionKey }) };
}
