import { channel, tracingChannel } from "node:diagnostics_channel";
import { Counter, Histogram, type Registry } from "prom-client";
import { BoundedLabel } from "./bounded-label.js";
import { DURATION_BUCKETS } from "./duration-buckets.js";

const MAXIMUM_TOOLS = 40;
const MAXIMUM_MODELS = 15;

/** Fields of the messages of the tracing channels that metrics read (GW-049). */
interface EndMessage {
  readonly durationMs?: number;
  readonly outcome?: string;
  readonly errorCode?: string;
  readonly toolName?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** US dollars. */
  readonly costUsd?: number | undefined;
}

/**
 * Registers the metrics of turns, tool calls and model calls, which are counted from the tracing channels.
 * @param registry - registry of the metrics
 * @returns function that stops counting
 */
export function traceMetrics(registry: Registry): () => void {
  const stops = [traceTurns, traceTools, traceModels, tracePolicyShadow, traceFuel].map((trace) =>
    trace(registry),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

function traceTurns(registry: Registry): () => void {
  const registers = [registry];
  const labelNames = ["outcome"] as const;
  const turns = new Counter({
    name: "openclaw_turns_total",
    help: "Turns that ended, were suspended or wait for an approval, by outcome.",
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: "openclaw_turn_duration_seconds",
    help: "Time from the start of a turn to its end, in seconds.",
    labelNames,
    buckets: DURATION_BUCKETS,
    registers,
  });
  return onEnd("openclaw:turn", ({ outcome = "failed", durationMs = 0 }) => {
    turns.inc({ outcome });
    durations.observe({ outcome }, durationMs / 1000);
  });
}

function traceTools(registry: Registry): () => void {
  const registers = [registry];
  const tools = new BoundedLabel(MAXIMUM_TOOLS);
  const calls = new Counter({
    name: "openclaw_tool_calls_total",
    help: "Executed tool calls, by tool and outcome.",
    labelNames: ["tool", "outcome"],
    registers,
  });
  const durations = new Histogram({
    name: "openclaw_tool_duration_seconds",
    help: "Time that a tool ran, in seconds.",
    labelNames: ["tool"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  return onEnd("openclaw:tool", ({ toolName = "", outcome = "threw", durationMs = 0 }) => {
    const tool = tools.of(toolName);
    calls.inc({ tool, outcome });
    durations.observe({ tool }, durationMs / 1000);
  });
}

function traceModels(registry: Registry): () => void {
  const registers = [registry];
  const models = new BoundedLabel(MAXIMUM_MODELS);
  const durations = new Histogram({
    name: "openclaw_model_duration_seconds",
    help: "Time from the request to a model to the end of its reply, in seconds.",
    labelNames: ["model"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: "openclaw_model_failures_total",
    help: "Requests to a model that failed.",
    labelNames: ["model"],
    registers,
  });
  const tokens = new Counter({
    name: "openclaw_tokens_total",
    help: "Tokens as the provider reported them.",
    labelNames: ["model", "direction"],
    registers,
  });
  const cost = new Counter({
    name: "openclaw_model_cost_usd_total",
    help: "Cost of model calls in US dollars, with estimates where a price is not known.",
    labelNames: ["model"],
    registers,
  });
  return onEnd("openclaw:llm", (message) => {
    const { provider = "", model: id = "", durationMs = 0, errorCode } = message;
    const model = models.of(`${provider}/${id}`);
    durations.observe({ model }, durationMs / 1000);
    if (errorCode !== undefined) failures.inc({ model });
    const { inputTokens, outputTokens, costUsd } = message;
    if (costUsd !== undefined) cost.inc({ model }, costUsd);
    if (inputTokens !== undefined) tokens.inc({ model, direction: "input" }, inputTokens);
    if (outputTokens !== undefined) tokens.inc({ model, direction: "output" }, outputTokens);
  });
}

/** A call that a tried policy decides otherwise (POL-035). */
interface ShadowMessage {
  readonly tool: string;
  readonly live: string;
  readonly candidate: string;
}

function tracePolicyShadow(registry: Registry): () => void {
  const tools = new BoundedLabel(MAXIMUM_TOOLS);
  const differences = new Counter({
    name: "openclaw_policy_shadow_total",
    help: "Tool calls that tools.candidate decides otherwise, by tool and both outcomes.",
    labelNames: ["tool", "live", "candidate"],
    registers: [registry],
  });
  return onMessage<ShadowMessage>("openclaw:policy-shadow", ({ tool, live, candidate }) =>
    differences.inc({ tool: tools.of(tool), live, candidate }),
  );
}

/** Fuel of a call of a WebAssembly component (WASM-018). */
interface FuelMessage {
  readonly component: string;
  readonly consumed: number;
}

function traceFuel(registry: Registry): () => void {
  const components = new BoundedLabel(MAXIMUM_TOOLS);
  const fuel = new Counter({
    name: "openclaw_wasm_fuel_total",
    help: "Units of fuel that calls of WebAssembly components consumed, by component.",
    labelNames: ["component"],
    registers: [registry],
  });
  return onMessage<FuelMessage>("openclaw:wasm-fuel", ({ component, consumed }) =>
    fuel.inc({ component: components.of(component) }, consumed),
  );
}

function onMessage<Message>(name: string, receive: (message: Message) => void): () => void {
  const messages = channel(name);
  // Node.js types the message of every channel as unknown.
  const listener = (message: unknown) => receive(message as Message);
  messages.subscribe(listener);
  return () => void messages.unsubscribe(listener);
}

function onEnd(name: string, count: (message: EndMessage) => void): () => void {
  const channel = tracingChannel<unknown, EndMessage>(name).asyncEnd;
  // Node.js types the message of every channel as unknown.
  const listener = (message: unknown) => count(message as EndMessage);
  channel.subscribe(listener);
  return () => void channel.unsubscribe(listener);
}
