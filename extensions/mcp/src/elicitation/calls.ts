import type {
  InputRequests,
  InputRequiredResult,
  InputResponses,
} from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { ToolInput, ToolResult } from "@openclaw/plugin-sdk/tools";
import { asJson } from "../json.js";
import { acceptance, inputRequestOf } from "./elicitation.js";

/** Answers with which a call is repeated, and the state of the server, byte for byte. */
export interface Resumption {
  readonly inputResponses?: InputResponses;
  readonly requestState?: string;
}

/** Input that a server needs before its call can end. */
export interface NeededInput {
  readonly requests: InputRequests;
  readonly requestState?: string | undefined;
}

/** Work of a call that waits: its host stores it with the request, bound to the decision of the person (EXT-912). */
interface WaitingCall extends NeededInput {
  /** Key of the request that is asked about now. */
  readonly current: string;
  readonly responses: InputResponses;
}

/**
 * Returns the input that a server needs; undefined for a result that is complete.
 * @param result - result of a request that allows `input_required`
 */
export function neededInput(result: object): NeededInput | undefined {
  if (!("inputRequests" in result || "requestState" in result)) return undefined;
  const { inputRequests: requests = {}, requestState } = result as InputRequiredResult;
  return { requests, requestState };
}

/**
 * Asks the person what the server of a call needs, one request after the other (`input_required`).
 * @param needed - requests and state of the server
 * @param responses - answers so far
 * @returns result of the call for now
 */
export function askFor(
  server: string,
  { requests, requestState }: NeededInput,
  responses: InputResponses = {},
): ToolResult {
  const current = Object.keys(requests).find((key) => !Object.hasOwn(responses, key));
  const request = current === undefined ? undefined : requests[current];
  if (current === undefined || request === undefined) {
    return failed(`MCP server "${server}" asks for nothing; try it later.`);
  }
  if (request.method !== "elicitation/create") {
    return failed(`MCP server "${server}" asks for ${request.method}, which is not supported.`);
  }
  const asked = inputRequestOf(server, request.params);
  if (asked === undefined) {
    return failed(`MCP server "${server}" asks to open a page that is not on the web.`);
  }
  const state: WaitingCall = { requests, current, responses, ...defined({ requestState }) };
  const name = /^[\w-]{1,64}$/.test(current) ? current : "input";
  return { content: [], input: { ...asked, name, state: asJson(state) } };
}

/**
 * Continues a call with an answer: with the next request, or by making it once more.
 * @param input - answer of the person, with the work of the call
 */
export function continued(
  server: string,
  input: ToolInput,
): { readonly resumption: Resumption } | { readonly result: ToolResult } {
  // The host gives back what this module stored, and no call whose state was changed.
  const { requests, requestState, current, responses } = input.state as unknown as WaitingCall;
  const request = requests[current];
  if (input.action === "cancel" || request?.method !== "elicitation/create") {
    const text = `MCP server "${server}" asks for input, and no person gave it. The call was not made again.`;
    return { result: failed(text) };
  }
  const answer =
    input.action === "accept"
      ? acceptance(request.params, input.content)
      : { action: input.action };
  const all: InputResponses = { ...responses, [current]: answer };
  if (Object.keys(requests).some((key) => !Object.hasOwn(all, key))) {
    return { result: askFor(server, { requests, requestState }, all) };
  }
  return { resumption: { inputResponses: all, ...defined({ requestState }) } };
}

function failed(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
