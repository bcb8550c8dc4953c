import { fittingInput, MAXIMUM_ROUNDS, ownInputRequest } from "@openclaw/approval-broker";
import { defined, jsonCopy } from "@openclaw/foundation";
import { type PluginOffers, PluginPromptFailedError } from "@openclaw/plugin-runtime";
import type { PromptMessage } from "@openclaw/plugin-sdk/plugin-entry";
import type { InputRequest, JsonObject, ToolInput } from "@openclaw/plugin-sdk/tools";

/** Answer of a client to an input request. */
interface PromptAnswer {
  readonly action: ToolInput["action"];
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

type Rendered = Awaited<ReturnType<PluginOffers["render"]>>;

/** Prompt with its messages, or with the request for input without which it has none. */
export interface AnsweredPrompt {
  readonly description: string;
  readonly messages: readonly PromptMessage[];
  readonly input?: (InputRequest & { readonly name: string }) | undefined;
}

/**
 * Renders a prompt of a plugin with the answers of a person. The prompt is rendered again for each answer, which is checked
 * against the request that the plugin makes now, so that a client cannot give an answer that was not asked for (EXT-506).
 * @param render - renders it with the answers so far
 * @param answers - answers of the client, by the names of their requests
 * @throws PluginPromptFailedError for an answer that does not fit, and a request that cannot be used
 */
export async function renderAnswered(
  prompt: string,
  render: (inputs: Readonly<Record<string, ToolInput>>) => Promise<Rendered>,
  answers: Readonly<Record<string, PromptAnswer>>,
): Promise<AnsweredPrompt> {
  const given: Record<string, ToolInput> = {};
  for (;;) {
    const rendered = await render({ ...given });
    const { description, pluginId } = rendered;
    if ("messages" in rendered) return { description, messages: rendered.messages };
    const fail = (problem: string) => new PluginPromptFailedError(pluginId, prompt, problem);
    const request = ownInputRequest(rendered.input);
    if (typeof request === "string") throw fail(`its input request cannot be used: ${request}`);
    const { name, message, schema, url } = request;
    if (Object.hasOwn(given, name)) throw fail(`it asked for the input "${name}" twice`);
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (answer === undefined) {
      return { description, messages: [], input: { name, message, schema, ...defined({ url }) } };
    }
    if (Object.keys(given).length === MAXIMUM_ROUNDS) {
      throw fail(`it asked for input more than ${MAXIMUM_ROUNDS} times`);
    }
    const { action, content = {} } = answer;
    if (action !== "accept") {
      given[name] = { name, action };
      continue;
    }
    const fitting = fittingInput(schema, jsonCopy(content) as JsonObject);
    if (typeof fitting === "string") throw fail(`the input "${name}" does not fit: ${fitting}`);
    given[name] = { name, action, content: fitting };
  }
}
