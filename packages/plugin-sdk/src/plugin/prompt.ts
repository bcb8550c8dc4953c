import type { ImagePart, TextPart } from "../message/message.js";
import type { InputRequest, ToolInput } from "../tools/input.js";

/** Argument of a prompt. */
export interface PromptArgument {
  /** Name of 1 to 64 characters of `A-Z a-z 0-9 _ . -`. */
  readonly name: string;
  readonly description?: string;
  /** True rejects a prompt without it; default false. */
  readonly required?: boolean;
  /**
   * Returns values for the argument that a person is writing.
   * @param value - value as far as it is written
   * @param given - values of other arguments
   */
  complete?(
    value: string,
    given: Readonly<Record<string, string>>,
  ): readonly string[] | Promise<readonly string[]>;
}

/** Message of a prompt. A part of `resourcePart` embeds a resource. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: TextPart | ImagePart;
}

/** Messages of a prompt, or one message as text. */
export type RenderedPrompt = string | readonly PromptMessage[];

/** Input of a person without which a prompt cannot be rendered (EXT-506). */
export interface PromptInputRequest {
  readonly input: InputRequest;
}

/** Text with arguments that a person sends to an agent (PLUG-350). */
export interface PluginPrompt {
  /** Name of 1 to 64 characters of `A-Z a-z 0-9 _ -`. In a chat the prompt is `/plugin:name`, in lower case. */
  readonly name: string;
  /** Name for people; `name` when absent. */
  readonly title?: string;
  /** Description for the list of prompts and commands. */
  readonly description: string;
  /** Arguments in the order in which a person writes them. */
  readonly arguments?: readonly PromptArgument[];
  /**
   * Returns the text of the prompt, its messages, or a request for input. It is called again with all answers so far, so
   * that equal answers must lead to equal requests; at most ten are made.
   * @param values - values of the arguments; an optional one that was not given is absent
   * @param inputs - answers by the names of their requests
   */
  render(
    values: Readonly<Record<string, string>>,
    inputs: Readonly<Record<string, ToolInput>>,
  ): RenderedPrompt | PromptInputRequest | Promise<RenderedPrompt | PromptInputRequest>;
}

/**
 * Defines a typed prompt outside the plugin that registers it.
 * @returns the same object, for `api.registerPrompt`
 * @example
 * ```ts
 * import { definePrompt } from "@openclaw/plugin-sdk/plugin-entry";
 *
 * export const triage = definePrompt({
 *   name: "triage",
 *   description: "Sorts the open reports of a team.",
 *   arguments: [{ name: "team", required: true, complete: () => ["red", "blue"] }],
 *   render: ({ team }) => `Sort the open reports of team ${team} by urgency.`,
 * });
 * ```
 */
export function definePrompt(prompt: PluginPrompt): PluginPrompt {
  return prompt;
}
