import { randomUUID } from "node:crypto";
import { createScriptedModel } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";

/** What denies calls: tool policy, trusted tool policies, the hook `before_tool_call`. */
export const GUARDS = ["policy", "trusted-policy", "hook"] as const;

/** One of the guards that a call has to pass. */
export type Guard = (typeof GUARDS)[number];

/** A tool call to be made. */
export interface CanaryCall {
  readonly toolName: string;
  readonly params: JsonObject;
}

/** The core tool that the canary calls: it has no effect. */
export const CORE_PROBE = "echo";
/** The plugin's tool that the canary calls. */
export const PLUGIN_PROBE = "guard_canary_probe";

const PLUGIN_ID = "guard-canary";
/** Reason that the denied caller gets. */
export const CANARY_REASON = "the canary of the guards' proof is not let through";
const CALL = /canary-call:([0-9a-f]+)/;

/**
 * A denial that is planted to see whether it is heeded: a plugin that denies calls of its own making,
 * notes those that ran all the same, and a model that makes them.
 */
export class GuardCanary {
  /** The guard that denies the canary's calls; while it is undefined none does. */
  armed: Guard | undefined;
  /** Names of the tools that ran with the canary's arguments. */
  readonly ran: string[] = [];
  /** Settles when a child session has ended. */
  readonly childEnded: Promise<void>;
  /** In the arguments of every call that is to be denied, and of no other. */
  readonly #mark = randomUUID();
  #tellChildEnded: () => void = () => {};
  #tellTurnEnded: () => void = () => {};

  constructor() {
    this.childEnded = new Promise((resolve) => {
      this.#tellChildEnded = resolve;
    });
  }

  /** Settles when the next turn has ended. */
  nextTurnEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellTurnEnded = resolve;
    });
  }

  /** Arguments by which the canary's calls are known. */
  get params(): JsonObject {
    return { message: this.#mark };
  }

  /**
   * A text that makes the canary's model call a tool. What the call is stays hidden from guards that
   * see the text, for only the call itself is to be denied.
   * @param call - tool and arguments
   */
  request(call: CanaryCall): string {
    return `canary-call:${Buffer.from(JSON.stringify(call)).toString("hex")}`;
  }

  /** The plugin with the tool and the guards. */
  get plugin(): PluginDefinition {
    return {
      id: PLUGIN_ID,
      register: (api) => {
        api.registerTool({
          name: PLUGIN_PROBE,
          description: "Does nothing; calls of it are to be denied.",
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
        api.registerTrustedToolPolicy({
          id: PLUGIN_ID,
          description: "Denies the calls of the guards' proof.",
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
          if (toolName !== PLUGIN_PROBE && this.#isOwn(params)) this.ran.push(toolName);
        });
        api.on("agent_end", () => this.#tellTurnEnded());
        api.on("subagent_ended", () => this.#tellChildEnded());
      },
    };
  }

  /** The model that makes the calls, as a provider. */
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
      credential: { source: "the proof of the guards" },
      languageModel: () => model,
    };
  }

  /** `provider/model` of {@link GuardCanary.provider}. */
  readonly model = `${PLUGIN_ID}/model`;

  #isOwn(params: unknown): boolean {
    return JSON.stringify(params).includes(this.#mark);
  }
}
