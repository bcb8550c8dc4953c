import {
  type Component,
  Container,
  Editor,
  Markdown,
  matchesKey,
  Spacer,
  Text,
  type TuiInputListenerResult,
  TuiMainScreen,
} from "@earendil-works/pi-tui";
import type {
  ApprovalView,
  ChatStatus,
  ChatView,
  ChatViewHandlers,
  DecisionOfUser,
  PendingMessage,
  PendingState,
  ReplyView,
  ShownRequest,
  ToolView,
} from "../view.js";
import { isAnswer } from "./approval-answer.js";
import { ApprovalCard } from "./approval-card.js";
import { ChangeCard } from "./change-card.js";
import { eraseSequence } from "./erase.js";
import { PASTE, pastedText, withTabMarks, withTabs } from "./paste.js";
import { safeText } from "./safe-text.js";
import { type AddedPart, Screen } from "./screen.js";
import { screenTerminal } from "./screen-terminal.js";
import { StatusLine } from "./status-line.js";
import { colors, editorTheme, markdownTheme } from "./theme.js";
import { type Expansion, ToolCard } from "./tool-card.js";
import { UserMessage, withShortPastes } from "./user-message.js";
import { WordCompletion } from "./word-completion.js";

/** Interval in milliseconds at which the elapsed time of a turn is shown. */
const TICK_MS = 1000;
/** Lines of a waiting message that are shown. */
const PENDING_LINES = 3;
const PENDING_LABEL: Readonly<Record<PendingState, string>> = {
  waiting: "sending",
  queued: "queued",
  steering: "joins the turn",
  interrupting: "ends the turn",
};

/**
 * Creates the screen of a chat on the main screen of the terminal of this process, so that the scrollback of the
 * terminal holds the conversation.
 */
export function createTerminalView(): ChatView {
  return new TerminalView();
}

class TerminalView implements ChatView {
  readonly #tui = new TuiMainScreen(screenTerminal(() => eraseSequence(this.#tui, this.#screen)));
  readonly #editor = new Editor(this.#tui, editorTheme);
  readonly #pending = new Container();
  readonly #approvals = new Container();
  readonly #status = new StatusLine();
  readonly #screen: Screen;
  readonly #cards: ApprovalCard[] = [];
  readonly #expansion: Expansion = { isExpanded: false };
  #ticks: NodeJS.Timeout | undefined;
  /** Text of the editor before the key that is being handled; the editor itself trims what it submits. */
  #typed = "";
  /** The same text with the editor's marks instead of long pastes. */
  #marked = "";
  /** Short forms of sent messages that are not in the conversation yet. */
  readonly #shortForms = new Map<string, string>();

  constructor() {
    this.#screen = new Screen(this.#tui.terminal, [
      this.#approvals,
      this.#pending,
      this.#editor,
      this.#status,
    ]);
    this.#tui.addChild(this.#screen);
    // Only mounted components get the focus.
    this.#tui.setFocus(this.#editor);
  }

  start(handlers: ChatViewHandlers, history: readonly string[]): void {
    for (const text of history) this.#editor.addToHistory(withTabMarks(text));
    this.#editor.setAutocompleteProvider(new WordCompletion(handlers.suggest));
    this.#editor.onSubmit = (text) => {
      if (text === "") return;
      // Otherwise the editor has completed it.
      const isAsTyped = this.#typed.trim() === text;
      const typed = withTabs(isAsTyped ? this.#typed : text);
      this.#editor.addToHistory(text);
      if (isAsTyped && this.#marked !== this.#typed) {
        this.#shortForms.set(typed, withShortPastes(this.#marked.trim()));
      }
      handlers.submit(typed);
      this.#focusCard({ unlessTyping: true });
    };
    this.#tui.addInputListener((data) => this.#handleKey(data, handlers));
    this.#tui.start();
  }

  stop(farewell: string): void {
    clearInterval(this.#ticks);
    this.#screen.close();
    this.note(farewell, "info");
    this.#tui.renderNow();
    // The cursor is in the last line, of which the library would overwrite the first character.
    this.#tui.stop({ preserveScreen: true });
    this.#tui.terminal.write("\r\n");
  }

  get draft(): string {
    return withTabs(this.#editor.getExpandedText());
  }

  clearDraft(): void {
    this.#editor.setText("");
    this.#draw();
  }

  restoreDraft(text: string): void {
    const draft = this.#editor.getExpandedText();
    const restored = withTabMarks(text);
    this.#editor.setText(draft === "" ? restored : `${restored}\n${draft}`);
    this.#draw();
  }

  message(text: string, author: string): void {
    this.#add(new Spacer(1));
    const short = this.#shortForms.get(text) ?? text;
    this.#shortForms.delete(text);
    this.#add(new UserMessage(text, author, short, this.#expansion));
  }

  note(line: string, tone: "info" | "error"): void {
    this.#add(new Text((tone === "error" ? colors.red : colors.dim)(safeText(line)), 0, 0));
  }

  reply(): ReplyView {
    this.#add(new Spacer(1));
    let last: "nothing" | "text" | "tool" = "nothing";
    let text: { readonly markdown: Markdown; readonly part: AddedPart } | undefined;
    const startText = (content: string) => {
      if (last !== "nothing") this.#add(new Spacer(1));
      last = "text";
      const markdown = new Markdown(safeText(content), 0, 0, markdownTheme);
      text = { markdown, part: this.#add(markdown) };
    };
    return {
      startText,
      setText: (content) => {
        if (text === undefined) return startText(content);
        text.markdown.setText(safeText(content));
        this.#changed(text.part);
      },
      tool: (name, params) => {
        if (last === "text") this.#add(new Spacer(1));
        last = "tool";
        const card = new ToolCard(name, params, this.#expansion);
        return this.#toolView(card, this.#add(card, true));
      },
    };
  }

  pending(messages: readonly PendingMessage[]): void {
    this.#pending.clear();
    for (const { text, state } of messages) {
      const lines = safeText((this.#shortForms.get(text) ?? text).trim()).split("\n");
      const shown = lines.slice(0, PENDING_LINES).join("\n");
      const more = lines.length > PENDING_LINES ? ` (${lines.length} lines)` : "";
      const label = colors.yellow(`${PENDING_LABEL[state]} ›`);
      this.#pending.addChild(new Text(`${label} ${colors.dim(`${shown}${more}`)}`, 0, 0));
    }
    this.#draw();
  }

  status(status: ChatStatus): void {
    this.#status.status = status;
    clearInterval(this.#ticks);
    // Without a running turn nothing changes, and nothing is drawn.
    if (status.since !== undefined) {
      this.#ticks = setInterval(() => this.#draw(), TICK_MS);
      this.#ticks.unref();
    }
    this.#draw();
  }

  approval(shown: ShownRequest, decide: (decision: DecisionOfUser) => void): ApprovalView {
    let isAllowed = false;
    const card = new ApprovalCard({
      ...shown,
      rows: () => this.#tui.terminal.rows,
      decide: (decision) => {
        isAllowed = decision.decision !== "deny";
        decide(decision);
      },
      dismiss: () => this.#remove(card),
      leave: () => this.#tui.setFocus(this.#editor),
      type: (text) => this.#type(text),
    });
    this.#cards.push(card);
    this.#approvals.addChild(card);
    this.#focusCard({ unlessTyping: true });
    return {
      settle: (outcome) => {
        // An answer in the editor was meant for this request, and is never sent as a message.
        if (isAnswer(this.draft)) {
          this.#editor.addToHistory(this.draft);
          this.clearDraft();
          this.#tui.setFocus(card);
        }
        if (!card.focused) return this.#remove(card);
        card.settle(outcome);
        this.#draw();
      },
      remove: () => {
        const { change } = shown.approval;
        // The user can read later what was allowed.
        if (isAllowed && change !== undefined) this.#add(new ChangeCard(change, this.#expansion));
        this.#remove(card);
      },
      retry: () => {
        card.retry();
        this.#draw();
      },
    };
  }

  /** Puts text that was typed elsewhere into the editor, as if it had been typed there. */
  #type(text: string): void {
    this.#tui.setFocus(this.#editor);
    if (text.startsWith("\u001b")) this.#editor.handleInput(text);
    else for (const character of text) this.#editor.handleInput(character);
    this.#draw();
  }

  #handleKey(data: string, handlers: ChatViewHandlers): TuiInputListenerResult {
    this.#typed = this.#editor.getExpandedText();
    this.#marked = this.#editor.getText();
    if (matchesKey(data, "ctrl+c")) {
      handlers.interrupt("ctrl-c");
      return { consume: true };
    }
    if (matchesKey(data, "ctrl+d") && this.#typed === "" && this.#editor.focused) {
      handlers.interrupt("ctrl-d");
      return { consume: true };
    }
    handlers.otherKey();
    if (matchesKey(data, "ctrl+o")) {
      this.#expansion.isExpanded = !this.#expansion.isExpanded;
      this.#draw();
      return { consume: true };
    }
    const isToCard =
      matchesKey(data, "tab") &&
      this.#editor.focused &&
      this.#cards.length > 0 &&
      !this.#editor.isShowingAutocomplete();
    if (isToCard) {
      this.#focusCard({ unlessTyping: false });
      return { consume: true };
    }
    return data.startsWith(PASTE) ? { data: pastedText(data) } : undefined;
  }

  #toolView(card: ToolCard, part: AddedPart): ToolView {
    return {
      output: (text) => {
        card.output(text);
        this.#changed(part);
      },
      finish: (result) => {
        card.finish(result);
        this.#changed(part);
      },
    };
  }

  #changed(part: AddedPart): void {
    part.changed();
    this.#draw();
  }

  /** The first card has the focus, except while the user is typing something else. */
  #focusCard({ unlessTyping }: { readonly unlessTyping: boolean }): void {
    const [first] = this.#cards;
    if (first === undefined) this.#tui.setFocus(this.#editor);
    else if (!unlessTyping || this.draft === "") this.#tui.setFocus(first);
    this.#draw();
  }

  #remove(card: ApprovalCard): void {
    const index = this.#cards.indexOf(card);
    if (index < 0) return;
    this.#cards.splice(index, 1);
    this.#approvals.removeChild(card);
    if (card.focused) this.#tui.setFocus(this.#editor);
    this.#focusCard({ unlessTyping: true });
  }

  #add(component: Component, isUnit = false): AddedPart {
    const part = this.#screen.add(component, isUnit);
    this.#draw();
    return part;
  }

  #draw(): void {
    this.#tui.requestRender();
  }
}
