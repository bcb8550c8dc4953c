import type { ConversationEvent } from "./conversation-event.js";
import type { ReplyView, ToolView } from "./view.js";

const EXPLAIN = "run openclaw policy explain for details";

type FinishedCall = Extract<ConversationEvent, { type: "tool-finished" }>;

/** Turns the events of one answer into the parts of its reply on the screen. */
export class ReplyProgress {
  readonly #view: ReplyView;
  readonly #tools = new Map<string, ToolView>();
  /** Origin of the policy decisions that denied calls, by call. */
  readonly #deniedBy = new Map<string, string>();
  /** Text of the whole reply so far; parts with tools between them are paragraphs. */
  #whole = "";
  /** Text since the last tool call; undefined when the next text starts below a tool. */
  #last: string | undefined;

  /** @param view - the reply on the screen */
  constructor(view: ReplyView) {
    this.#view = view;
  }

  /**
   * Shows an event.
   * @param event - event of the answer
   */
  show(event: ConversationEvent): void {
    switch (event.type) {
      case "text":
        this.#add(event.delta);
        break;
      case "tool-started":
        this.#last = undefined;
        this.#tools.set(
          event.toolCallId,
          this.#view.tool(event.toolName, event.params, event.toolCallId),
        );
        break;
      case "tool-update":
        this.#tools.get(event.toolCallId)?.output(event.text);
        break;
      case "tool-blocked":
        if (event.decider.startsWith("policy")) this.#deniedBy.set(event.toolCallId, event.decider);
        break;
      case "tool-finished":
        this.#finishTool(event);
        break;
      default:
        break;
    }
  }

  /**
   * Shows the complete text, which may differ from what was streamed (TURN-028).
   * @param text - text of the reply; empty when there is none
   */
  finish(text: string): void {
    // An answer that a plugin had revised is in the last text, and not in the reply.
    const isRevised = (this.#last?.length ?? 0) > text.length;
    if (text === "" || (this.#whole.endsWith(text) && !isRevised)) return;
    const before = this.#last === undefined ? "" : this.#whole.slice(0, -this.#last.length);
    const last = text.startsWith(before) ? text.slice(before.length) : text;
    // The streamed text is a preview, so the complete one takes its place.
    if (this.#last === undefined) this.#view.startText(last);
    else this.#view.setText(last);
    this.#last = last;
    this.#whole = text;
  }

  #add(delta: string): void {
    if (this.#last === undefined) {
      this.#whole += this.#whole === "" ? delta : `\n\n${delta}`;
      this.#last = delta;
      this.#view.startText(delta);
      return;
    }
    this.#whole += delta;
    this.#last += delta;
    this.#view.setText(this.#last);
  }

  #finishTool(event: FinishedCall): void {
    const { toolCallId, toolName, outcome, preview, durationMs, policy, details } = event;
    const failure = outcome === "refused" ? outcome : event.failure;
    const decider = this.#deniedBy.get(toolCallId);
    const rule = denialText(policy, decider);
    const tool = this.#tools.get(toolCallId) ?? this.#view.tool(toolName, {}, toolCallId);
    tool.finish({ isOk: outcome === "ok", preview, durationMs, failure, rule, details });
    this.#tools.delete(toolCallId);
  }
}

/**
 * Returns the line that says what denied a call, and how to learn more.
 * @param policy - rule of the policy, as owners know it
 * @param decider - origin of the denial, for example `policy:global`
 * @returns undefined for a call that no policy denied
 */
export function denialText(
  policy: FinishedCall["policy"],
  decider: string | undefined,
): string | undefined {
  if (policy === undefined) return decider === undefined ? undefined : `${decider}; ${EXPLAIN}`;
  const rule = [policy.file, policy.key].filter((part) => part !== undefined).join(" ");
  return `${rule}${rule === "" ? "" : "; "}${EXPLAIN}`;
}
