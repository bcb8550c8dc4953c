import { AsyncLocalStorage } from "node:async_hooks";
import type { InputRequests, InputResponses } from "@modelcontextprotocol/client";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { RuntimeAgents } from "@openclaw/plugin-sdk/services";
import type { JsonValue, ToolRequester, ToolResult } from "@openclaw/plugin-sdk/tools";
import { type Answer, elicitationOf } from "./elicitation.js";
import type { AskedElicitation, StoredElicitation } from "./elicitations.js";

/** Most times that a server may ask within one call. */
const MAXIMUM_ROUNDS = 10;

/** Answers with which a call is repeated, and the state of the server, byte for byte. */
export interface Resumption {
  readonly inputResponses?: InputResponses;
  readonly requestState?: string;
  readonly round: number;
}

/** Call that waits for answers. */
export interface ParkedCall {
  /** Name by which models call the tool. */
  readonly tool: string;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly requester: ToolRequester;
  readonly requests: InputRequests;
  /** Key of the request that is asked about now. */
  readonly current: string;
  readonly responses: InputResponses;
  readonly requestState?: string;
  readonly round: number;
}

/** Call that is being made once more. */
interface RepeatedCall {
  readonly sessionKey: string;
  readonly tool: string;
  /** Undefined once the call has its answers. */
  resumption: Resumption | undefined;
}

/** Turn in which a call is made. */
export interface CallTurn {
  readonly sessionKey: string;
  readonly requester?: ToolRequester;
}

/** Call of a tool whose server needs answers first. */
export interface OpenCall {
  readonly server: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly requests: InputRequests;
  readonly requestState?: string | undefined;
  readonly round: number;
}

/** Dependencies of the calls that wait. */
interface ParkedDependencies {
  readonly callTool: () => RuntimeAgents["callTool"];
  /**
   * Asks a person.
   * @param asked - the elicitation
   */
  readonly ask: (
    asked: AskedElicitation<ParkedCall>,
  ) => Promise<{ readonly code: string } | { readonly reason: string }>;
}

/**
 * Calls that wait for answers of a person (`input_required`). The turn ends; the answer makes the call once more, on the path of
 * every call, with the answers and the state that the server gave. Nothing of it is lost in a restart.
 */
export class ParkedCalls {
  readonly #dependencies: ParkedDependencies;
  /** Call that is being repeated; another call has none of its answers, however much they are alike. */
  readonly #repeated = new AsyncLocalStorage<RepeatedCall>();

  /** @param dependencies - elicitations, and calls of tools */
  constructor(dependencies: ParkedDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the answers with which the current call is made, once.
   * @param sessionKey - session of the call
   * @param tool - name by which models call the tool
   * @returns undefined for a call that no answer continues
   */
  take(sessionKey: string, tool: string): Resumption | undefined {
    const call = this.#repeated.getStore();
    // A hook of the repeated call may call other tools.
    if (call?.sessionKey !== sessionKey || call.tool !== tool) return undefined;
    const { resumption } = call;
    call.resumption = undefined;
    return resumption;
  }

  /**
   * Asks the person what the server of a call asks.
   * @param call - the call
   * @param turn - turn of the call
   * @returns result of the call for now
   */
  async park(call: OpenCall, turn: CallTurn): Promise<ToolResult> {
    const { server, round, requests, requestState } = call;
    const [first] = Object.keys(requests);
    if (first === undefined)
      return failed(`MCP server "${server}" asks for nothing; try it later.`);
    if (round >= MAXIMUM_ROUNDS) {
      return failed(`MCP server "${server}" asked more than ${MAXIMUM_ROUNDS} times in one call.`);
    }
    if (turn.requester === undefined) {
      return failed(`MCP server "${server}" asks for input, and no person is in this session.`);
    }
    const work: ParkedCall = {
      tool: call.tool,
      // The host passes arguments that are JSON.
      params: call.params as ParkedCall["params"],
      requester: turn.requester,
      ...{ requests, round },
      ...defined({ requestState }),
      current: first,
      responses: {},
    };
    return await this.#ask(server, turn.sessionKey, work);
  }

  /**
   * Continues a call with an answer: with its next elicitation, or by making it once more.
   * @param stored - elicitation that was answered
   * @param answer - answer of the person
   * @returns text about the outcome, for the agent
   */
  async continue(
    { server, sessionKey, work }: StoredElicitation<ParkedCall>,
    answer: Answer,
  ): Promise<string> {
    const responses = { ...work.responses, [work.current]: answer };
    const next = Object.keys(work.requests).find((key) => !Object.hasOwn(responses, key));
    if (next !== undefined) {
      return textOf(await this.#ask(server, sessionKey, { ...work, responses, current: next }));
    }
    const callTool = this.#dependencies.callTool();
    if (callTool === undefined) return `This host cannot repeat the call of ${work.tool}.`;
    const { tool, params, requester, requestState, round } = work;
    const resumption = {
      ...{ inputResponses: responses, round: round + 1 },
      ...defined({ requestState }),
    };
    const result = await this.#repeated.run({ sessionKey, tool, resumption }, () =>
      callTool({ sessionKey, tool, params, requester }),
    );
    return `Result of ${tool}, which waited for an answer:\n${textOf(result)}`;
  }

  async #ask(server: string, sessionKey: string, work: ParkedCall): Promise<ToolResult> {
    const request = work.requests[work.current];
    if (request?.method !== "elicitation/create") {
      return failed(`MCP server "${server}" asks for ${request?.method}, which is not supported.`);
    }
    const elicitation = elicitationOf(request.params);
    if (elicitation === undefined) {
      return failed(`MCP server "${server}" asks to open a page that is not on the web.`);
    }
    const asked = await this.#dependencies.ask({ server, sessionKey, elicitation, work });
    if ("reason" in asked) {
      return failed(
        `MCP server "${server}" asks for input, and no person can answer: ${asked.reason}`,
      );
    }
    return {
      content: [
        {
          type: "text",
          text: `MCP server "${server}" asks the person for input, in this conversation. The call continues by itself with the answer, and its result comes with a later message. Do not repeat the call.`,
        },
      ],
      details: { server, tool: work.tool, waitsForAnswer: true },
    };
  }
}

function textOf({
  content,
}: {
  readonly content: readonly ToolResult["content"][number][];
}): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function failed(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
