import { defined } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { JournalStep, Store } from "@openclaw/store";
import { calling, plugin, type TurnHost, textOf, tool, turnHost } from "./turn-host.js";

/** A turn as a version of the product left it, and what is to come of it. A recorded one never changes. */
export interface UnfinishedTurn {
  /** The form of its steps. */
  readonly format: number;
  readonly steps: readonly JournalStep[];
  /** The transcript of its session, from the first entry. */
  readonly messages: readonly AgentMessage[];
  readonly expected: {
    /** Number of remaining model calls. */
    readonly requests: number;
    /** The tools that run from here on. */
    readonly ran: readonly string[];
    readonly text: string;
    /** Text of the transcript at the end. */
    readonly transcript: readonly string[];
  };
}

const REPLIES = [
  { text: "Let me see.", ...calling("look", "send") },
  { text: "a draft" },
  { text: "the answer" },
];

/**
 * A host whose model, tools and plugins do what recorded turns came by.
 * @param store - with a recorded turn
 */
export async function unfinishedHost(store?: Store): Promise<{ host: TurnHost; ran: string[] }> {
  const ran: string[] = [];
  const noting = (name: string, idempotent: boolean) =>
    tool(name, {
      idempotent,
      execute(toolCallId) {
        ran.push(name);
        return `${name} said ${toolCallId}`;
      },
    });
  const host = await turnHost({
    ...defined({ store }),
    script: ({ prompt }) => REPLIES[prompt.filter(({ role }) => role === "assistant").length] ?? {},
    coreTools: [noting("look", true), noting("send", false)],
    plugins: [
      plugin("editor", (api) => {
        api.on("before_agent_finalize", ({ lastAssistantMessage }) =>
          lastAssistantMessage === "a draft"
            ? { action: "revise", reason: "a draft", retry: { instruction: "better" } }
            : undefined,
        );
        api.on("before_message_write", ({ message }) =>
          textOf(message) === "a draft" ? { block: true } : undefined,
        );
      }),
    ],
  });
  return { host, ran };
}
