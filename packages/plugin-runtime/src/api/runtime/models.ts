import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import type {
  AgentRunAnswer,
  AgentRunRequest,
  CompletionAnswer,
  CompletionMessage,
  CompletionRequest,
  HostAgentPort,
  HostQuestion,
} from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../../instances/instance.js";
import { expectObject, expectText, wrongArgument } from "../../registration/check.js";

/** Time limit of a turn for which a plugin gives none, in milliseconds. */
const DEFAULT_TURN_MS = 600_000;
const LONGEST_TURN_MS = 3_600_000;

type Complete = NonNullable<HostAgentPort["complete"]>;
type Role = HostQuestion["messages"][number]["role"];

/**
 * Creates `runtime.llm.complete`, which accepts the requests of all versions of the API.
 * @param complete - asks the model
 */
export function createCompletion(instance: PluginInstance, complete: Complete) {
  const member = "runtime.llm.complete";
  return async (request: CompletionRequest): Promise<CompletionAnswer> => {
    instance.assertAlive(member);
    const call = { origin: instance.origin, member };
    expectObject(call, "request", request);
    const { prompt, messages = [], signal, model, temperature, sessionKey } = request;
    const conversation: readonly CompletionMessage[] =
      prompt === undefined ? messages : [...messages, { role: "user", content: prompt }];
    const asked = conversation.flatMap(({ role, content }) =>
      role === "system"
        ? []
        : [{ role: role satisfies Role, content: expectText(call, "content", content) }],
    );
    if (asked.length === 0) {
      throw wrongArgument(call, "request", "expected a prompt or a message, got neither");
    }
    const system = [
      request.system ?? request.systemPrompt,
      ...conversation.flatMap(({ role, content }) => (role === "system" ? [content] : [])),
    ]
      .filter((text) => text !== undefined)
      .join("\n\n");
    return complete(instance.id, {
      messages: asked,
      ...(system === "" ? {} : { system }),
      ...defined({
        model,
        temperature,
        sessionKey,
        maxOutputTokens: request.maxOutputTokens ?? request.maxTokens,
      }),
      signal: signal === undefined ? instance.signal : AbortSignal.any([instance.signal, signal]),
    });
  };
}

/**
 * Creates `runtime.agent.runEmbeddedPiAgent`: a turn in a session, or without tools one request to the model.
 * @param host - models and agents
 */
export function createAgentRun(
  instance: PluginInstance,
  { complete, runAgent }: Required<Pick<HostAgentPort, "complete" | "runAgent">>,
) {
  const member = "runtime.agent.runEmbeddedPiAgent";
  return async (request: AgentRunRequest): Promise<AgentRunAnswer> => {
    instance.assertAlive(member);
    const call = { origin: instance.origin, member };
    expectObject(call, "request", request);
    const prompt = expectText(call, "prompt", request.prompt);
    const model = modelOf(request);
    const { timeoutMs = DEFAULT_TURN_MS, extraSystemPrompt: system, disableTools } = request;
    const deadline = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TURN_MS));
    const signal = AbortSignal.any([instance.signal, deadline]);
    const began = performance.now();
    const took = () => ({ durationMs: Math.round(performance.now() - began) });
    if (disableTools === true) {
      const messages = [{ role: "user" as const, content: prompt }];
      const { text } = await complete(instance.id, {
        messages,
        ...defined({ system, model }),
        signal,
      });
      return { payloads: [{ text }], meta: took() };
    }
    const sessionKey = request.sessionKey ?? request.sessionId ?? randomUUID();
    const text = system === undefined ? prompt : `${system}\n\n${prompt}`;
    const reply = await runAgent(instance.id, {
      prompt: text,
      sessionKey,
      ...defined({ model }),
      signal,
    });
    const isError = reply.status !== "completed";
    return {
      payloads:
        reply.text === "" ? [] : [isError ? { text: reply.text, isError } : { text: reply.text }],
      meta: { ...took(), ...(reply.status === "aborted" ? { aborted: true } : {}) },
    };
  };
}

function modelOf({ provider, model }: AgentRunRequest): string | undefined {
  if (model === undefined || provider === undefined || model.includes("/")) return model;
  return `${provider}/${model}`;
}
