import { randomUUID } from "node:crypto";
import { createScriptedModel } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";

/** Guards that can deny calls: tool policy, trusted tool policies, the hook `before_tool_call`. */
export const GUARDS = ["policy", "trusted-policy", "hook"] as const;

/** Guard that a call must pass. */
export type Guard = (typeof GUARDS)[number];

/** Tool call of the canary. */
export interface CanaryCall {
  readonly toolName: string;
  readonly params: JsonObject;
}

/** Core tool that the canary calls; it has no effect. */
export const CORE_PROBE = "echo";
/** Plugin tool that the canary calls. */
export const PLUGIN_PROBE = "guard_canary_probe";
/** Tool of an MCP server that the canary calls. */
export const MCP_PROBE = "guard_canary_mcp_probe";
/** Tool of a WebAssembly component. */
export const WASM_PROBE = "guard_canary_wasm_probe";
/** Tool that reads the resources which a message names. */
export const RESOURCE_PROBE = "guard-canary__read_resource";
/** Plugin tool that calls {@link PLUGIN_PROBE}. */
export const NESTING_PROBE = "guard_canary_nesting_probe";
/** Tool of a client that the canary calls. */
export const CLIENT_PROBE = "guard_canary_client_probe";

/** Tools that note themselves that they ran. */
const OWN_PROBES: ReadonlySet<string> = new Set([
  PLUGIN_PROBE,
  MCP_PROBE,
  WASM_PROBE,
  RESOURCE_PROBE,
]);

const PLUGIN_ID = "guard-canary";
/** Reason that the denied caller receives. */
export const CANARY_REASON = "the guard check denies its canary call";
const CALL = /canary-call:([0-9a-f]+)/;

/**
 * Canary that checks whether denials are respected: a plugin that denies specially marked calls and records
 * those that ran anyway, and a model that makes them.
 */
export class GuardCanary {
  /** Guard that denies the canary's calls; undefined denies none. */
  armed: Guard | undefined;
  /** Names of the tools that ran with the canary's arguments. */
  readonly ran: string[] = [];
  /** Settles when a subagent has ended. */
  readonly childEnded: Promise<void>;
  /** Mark in the arguments of every call to deny, and of no other call. */
  readonly #mark = randomUUID();
  #resolveChildEnded: () => void = () => {};
  #resolveTurnEnded: () => void = () => {};

  constructor() {
    this.childEnded = new Promise((resolve) => {
      this.#resolveChildEnded = resolve;
    });
  }

  /** Resolves when the next turn has ended. */
  nextTurnEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolveTurnEnded = resolve;
    });
  }

  /** Arguments that identify the canary's calls. */
  get params(): JsonObject {
    return { message: this.#mark };
  }

  /** Returns a text that names a resource of the canary, with its mark. */
  get mention(): string {
    return `Read @${PLUGIN_ID}:probe:${this.#mark} for me`;
  }

  /**
   * Returns a text that makes the canary's model call a tool. The call is encoded, because guards that see
   * the text must not react to it; only the call itself is to be denied.
   * @param call - tool and arguments
   */
  request(call: CanaryCall): string {
    return `canary-call:${Buffer.from(JSON.stringify(call)).toString("hex")}`;
  }

  /** Plugin with the tool and the guards. */
  get plugin(): PluginDefinition {
    return {
      id: PLUGIN_ID,
      register: (api) => {
        api.registerTool({
          name: PLUGIN_PROBE,
          description: "Does nothing; its calls are denied.",
          parameters: {
            type: "object",
            properties: { message: { type: "string" }, ask: { type: "boolean" } },
            required: ["message"],
            additionalProperties: false,
          },
          approval: ({ ask }: { ask?: unknown }) => (ask === true ? "always" : "never"),
          execute: () => {
            this.ran.push(PLUGIN_PROBE);
            return "the probe ran";
          },
        });
        api.registerTool({
          name: MCP_PROBE,
          description: "Does nothing; its calls are denied.",
          mcpServer: PLUGIN_ID,
          parameters: {
            type: "object",
            properties: { message: { type: "string" } },
            additionalProperties: false,
          },
          execute: () => {
            this.ran.push(MCP_PROBE);
            return "the probe ran";
          },
        });
        api.registerTool({
          name: WASM_PROBE,
          description: "Does nothing; its calls are denied.",
          wasmComponent: PLUGIN_ID,
          parameters: {
            type: "object",
            properties: { message: { type: "string" } },
            additionalProperties: false,
          },
          execute: () => {
            this.ran.push(WASM_PROBE);
            return "the probe ran";
          },
        });
        api.registerTool({
          name: RESOURCE_PROBE,
          description: "Reads nothing; its calls are denied.",
          parameters: {
            type: "object",
            properties: { uri: { type: "string" } },
            additionalProperties: false,
          },
          execute: () => {
            this.ran.push(RESOURCE_PROBE);
            return "the probe ran";
          },
        });
        api.registerTool(
          ({ callTool }) => ({
            name: NESTING_PROBE,
            description: "Calls the probe.",
            parameters: { type: "object", properties: {}, additionalProperties: false },
            execute: async (parentToolCallId) => {
              const call = { parentToolCallId, tool: PLUGIN_PROBE, params: this.params };
              return (await callTool?.(call))?.status;
            },
          }),
          { name: NESTING_PROBE },
        );
        api.registerTrustedToolPolicy({
          id: PLUGIN_ID,
          description: "Denies the calls of the guard check.",
          evaluate: ({ params }) =>
            this.armed === "trusted-policy" && this.#isOwn(params)
              ? { allow: false, reason: CANARY_REASON }
              : undefined,
        });
        api.on("before_tool_call", ({ params }) =>
          this.armed === "hook" && this.#isOwn(params)
            ? { block: true, blockReason: CANARY_REASON }
            : undefined,
        );
        api.on("after_tool_call", ({ toolName, params }) => {
          if (!OWN_PROBES.has(toolName) && this.#isOwn(params)) this.ran.push(toolName);
        });
        api.on("agent_end", () => this.#resolveTurnEnded());
        api.on("subagent_ended", () => this.#resolveChildEnded());
      },
    };
  }

  /** Provider of the model that makes the calls. */
  get provider(): ModelProvider {
    const model = createScriptedModel(({ prompt }) => {
      const last = prompt.at(-1);
      const [, hex] = last?.role === "user" ? (CALL.exec(JSON.stringify(last.content)) ?? []) : [];
      if (hex === undefined) return { text: "done" };
      return { toolCalls: [JSON.parse(Buffer.from(hex, "hex").toString()) as CanaryCall] };
    });
    return {
      id: PLUGIN_ID,
      defaultModel: "model",
      paid: false,
      setup: "nothing to set up",
      credential: { source: "the guard check" },
      languageModel: () => model,
    };
  }

  /** Reference of the model of {@link GuardCanary.provider}, `provider/model`. */
  readonly model = `${PLUGIN_ID}/model`;

  #isOwn(params: unknown): boolean {
    return JSON.stringify(params).includes(this.#mark);
  }
}
