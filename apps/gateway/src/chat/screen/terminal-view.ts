import {
  Container,
  Editor,
  matchesKey,
  ProcessTerminal,
  type Terminal,
  Text,
  type TuiInputListenerResult,
  TuiMainScreen,
} from "@earendil-works/pi-tui";
import type {
  ApprovalView,
  DecisionOfUser,
  PendingMessage,
  PendingState,
  ReplyView,
} from "@openclaw/client/conversation";
import { errorMessage } from "@openclaw/foundation";
import { lastMarkLength } from "../input/input-images.js";
import { InputSearch } from "../input/search.js";
import type {
  AttachedToDraft,
  ChatStatus,
  ChatView,
  ChatViewHandlers,
  CommandView,
  ShownRequest,
} from "../view.js";
import { ApprovalCards } from "./approval-cards.js";
import { AttachmentLine } from "./attachment-line.js";
import { clearSequence, eraseSequence } from "./erase.js";
import { PASTE, pastedText, withTabMarks, withTabs } from "./paste.js";
import { safeText } from "./safe-text.js";
import { Screen } from "./screen.js";
import { screenTerminal } from "./screen-terminal.js";
import { SearchPrompt } from "./search-prompt.js";
import { StatusLine } from "./status-line.js";
import { colors, editorTheme } from "./theme.js";
import type { Expansion } from "./tool-card.js";
import { Transcript } from "./transcript.js";
import { withShortPastes } from "./user-message.js";
import { WordCompletion } from "./word-completion.js";

/** Interval in milliseconds at which the elapsed time of a turn is shown. */
const TICK_MS = 1000;
/** Lines of a waiting message that are shown. */
const PENDING_LINES = 3;
const NOTHING_ATTACHED: AttachedToDraft = { images: undefined, warnings: [] };
const PENDING_LABEL: Readonly<Record<PendingState, string>> = {
  waiting: "sending",
  queued: "queued",
  steering: "joins the turn",
  interrupting: "ends the turn",
};

/** Options of {@link createTerminalView}. */
export interface TerminalViewOptions {
  /** Terminal to draw on; the one of this process when absent. */
  readonly terminal?: Terminal | undefined;
  /**
   * Lets the user edit a text in another program, which has the terminal meanwhile.
   * @param text - text in the editor
   */
  editText(text: string): Promise<string>;
}

/**
 * Creates the screen of a chat on the main screen of a terminal, so that the scrollback of the terminal holds the
 * conversation.
 * @param options - terminal, and the editor of the user
 */
export function createTerminalView(options: TerminalViewOptions): ChatView {
  return new TerminalView(options);
}

class TerminalView implements ChatView {
  readonly #editText: TerminalViewOptions["editText"];
  readonly #tui: TuiMainScreen;
  readonly #editor: Editor;
  readonly #pending = new Container();
  readonly #approvals: ApprovalCards;
  readonly #search = new SearchPrompt((chosen) => this.#endSearch(chosen));
  readonly #status = new StatusLine();
  readonly #screen: Screen;
  readonly #transcript: Transcript;
  readonly #expansion: Expansion = { isExpanded: false };
  #ticks: NodeJS.Timeout | undefined;
  /** True while another program has the terminal. */
  #isAway = false;
  /** Text of the editor before the key that is being handled; the editor itself trims what it submits. */
  #typed = "";
  /** The same text with the editor's marks instead of long pastes. */
  #marked = "";
  #handlers: ChatViewHandlers | undefined;
  /** Short forms of sent messages that are not in the conversation yet. */
  readonly #shortForms = new Map<string, string>();

  constructor({ terminal = new ProcessTerminal(), editText }: TerminalViewOptions) {
    this.#editText = editText;
    this.#tui = new TuiMainScreen(
      screenTerminal(terminal, () => eraseSequence(this.#tui, this.#screen)),
    );
    this.#editor = new Editor(this.#tui, editorTheme);
    const draw = () => this.#draw();
    this.#approvals = new ApprovalCards({
      expansion: this.#expansion,
      rows: () => this.#tui.terminal.rows,
      draft: () => this.draft,
      takeDraft: () => {
        this.#editor.addToHistory(this.draft);
        this.clearDraft();
      },
      type: (text) => this.#type(text),
      focus: (card) => this.#tui.setFocus(card ?? this.#editor),
      change: (diff) => this.#transcript.change(diff),
      draw,
    });
    this.#screen = new Screen(this.#tui.terminal, [
      this.#approvals,
      this.#pending,
      this.#search,
      new AttachmentLine(() => this.#handlers?.attached(this.draft) ?? NOTHING_ATTACHED),
      this.#editor,
      this.#status,
    ]);
    this.#transcript = new Transcript(this.#screen, this.#expansion, draw);
    this.#tui.addChild(this.#screen);
    // Only mounted components get the focus.
    this.#tui.setFocus(this.#editor);
  }

  start(handlers: ChatViewHandlers): void {
    this.#handlers = handlers;
    for (const text of handlers.inputs()) this.#editor.addToHistory(withTabMarks(text));
    this.#editor.setAutocompleteProvider(new WordCompletion(handlers.suggest));
    this.#editor.onSubmit = (text) => this.#submit(text, handlers);
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
    const short = this.#shortForms.get(text) ?? text;
    this.#shortForms.delete(text);
    this.#transcript.message(text, author, short);
  }

  note(line: string, tone: "info" | "error"): void {
    this.#transcript.note(line, tone);
  }

  command(command: string, place: string | undefined): CommandView {
    return this.#transcript.command(command, place);
  }

  reply(): ReplyView {
    return this.#transcript.reply();
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
    return this.#approvals.show(shown, decide);
  }

  #submit(text: string, handlers: ChatViewHandlers): void {
    if (text === "") return;
    // Otherwise the editor has completed it.
    const isAsTyped = this.#typed.trim() === text;
    const typed = withTabs(isAsTyped ? this.#typed : text);
    this.#editor.addToHistory(text);
    if (isAsTyped && this.#marked !== this.#typed) {
      this.#shortForms.set(typed, withShortPastes(this.#marked.trim()));
    }
    handlers.submit(typed);
    this.#approvals.focus({ unlessTyping: true });
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
    if (matchesKey(data, "ctrl+c") && !this.#search.isOpen) {
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
    if (this.#editor.focused && matchesKey(data, "ctrl+r")) {
      this.#search.open(new InputSearch(handlers.inputs()));
      this.#tui.setFocus(this.#search);
      this.#draw();
      return { consume: true };
    }
    if (this.#editor.focused && matchesKey(data, "ctrl+g")) {
      void this.#editElsewhere();
      return { consume: true };
    }
    const isToCard =
      matchesKey(data, "tab") &&
      this.#editor.focused &&
      this.#approvals.count > 0 &&
      !this.#editor.isShowingAutocomplete();
    if (isToCard) {
      this.#approvals.focus({ unlessTyping: false });
      return { consume: true };
    }
    if (this.#editor.focused && matchesKey(data, "backspace") && this.#removeMark(data)) {
      return { consume: true };
    }
    if (!data.startsWith(PASTE)) return undefined;
    const isDraft = this.#editor.focused;
    return { data: pastedText(data, (text) => (isDraft ? handlers.paste(text) : text)) };
  }

  /** Removes the mark of an image before the cursor as if it were one character. */
  #removeMark(backspace: string): boolean {
    const { line, col } = this.#editor.getCursor();
    const length = lastMarkLength(this.#editor.getLines()[line]?.slice(0, col) ?? "");
    for (let count = 0; count < length; count += 1) this.#editor.handleInput(backspace);
    if (length > 0) this.#draw();
    return length > 0;
  }

  #endSearch(chosen: string | undefined): void {
    if (chosen !== undefined) this.#editor.setText(withTabMarks(chosen));
    this.#tui.setFocus(this.#editor);
    this.#draw();
  }

  /** The conversation continues while the user edits; what it shows is drawn afterwards. */
  async #editElsewhere(): Promise<void> {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#tui.terminal.write(clearSequence(this.#tui));
    this.#tui.stop({ preserveScreen: true });
    try {
      const edited = await this.#editText(this.draft);
      this.#editor.setText(withTabMarks(edited));
    } catch (error) {
      this.note(errorMessage(error), "error");
    }
    this.#isAway = false;
    this.#screen.refresh();
    this.#tui.start();
    this.#tui.requestRender(true);
  }

  #draw(): void {
    if (!this.#isAway) this.#tui.requestRender();
  }
}
