import {
  type Component,
  type Focusable,
  Input,
  matchesKey,
  truncateToWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import type { Decision, DecisionOfUser, DescribedChange } from "@openclaw/client/conversation";
import { escapeUnseen } from "@openclaw/foundation";
import { alwaysCovers } from "@openclaw/messaging";
import type { ShownRequest } from "../view.js";
import { DECISIONS, decisionOf, isUnoffered } from "./approval-answer.js";
import { approvalBody, changeOfRequest } from "./approval-body.js";
import { cardKeys } from "./card-keys.js";
import { CardPager } from "./card-pager.js";
import { END_KEY, isForField } from "./field-keys.js";
import { FormEntry } from "./form-entry.js";
import { type ChosenScope, nextScope, REACH, SCOPES } from "./grant-reach.js";
import { typedText } from "./paste.js";
import { safeText } from "./safe-text.js";
import { colors } from "./theme.js";
import type { Expansion } from "./tool-card.js";

/** Lines of the screen that the card leaves to the rest. */
const OTHER_ROWS = 12;
/** The same while everything is expanded: title, keys, editor and status line. */
const FEWEST_OTHER_ROWS = 8;
const LEAST_ROWS = 4;

/** Options of an {@link ApprovalCard}. */
export interface ApprovalCardOptions extends ShownRequest {
  /** Number of rows of the terminal. */
  rows(): number;
  /** Shared by all cards; an expanded request takes the whole terminal. */
  readonly expansion: Readonly<Expansion>;
  /** Receives the decision. */
  decide(decision: DecisionOfUser): void;
  /** Called when the user confirms that the request was decided elsewhere. */
  dismiss(): void;
  /** Called when the user returns to the editor. */
  leave(): void;
  /**
   * Returns to the editor with text that the user typed for it.
   * @param text - typed text, or a paste as the terminal sends it
   */
  type(text: string): void;
}

/**
 * Approval request on the screen. A decision takes two keys, a letter and Enter, so that no key that was meant for the
 * editor decides. Nothing is chosen before a letter is typed, and a key that the card does not know takes the choice back.
 * A request that was decided elsewhere keeps the answer to it until Enter, so that it is not sent as a
 * message. Other text goes to the editor, from its first letter on. A request for input asks for its fields after "yes".
 */
export class ApprovalCard implements Component, Focusable {
  readonly #options: ApprovalCardOptions;
  readonly #prefix = new Input();
  #isFocused = false;
  #chosen: Decision | undefined;
  #scope: ChosenScope = "session";
  readonly #pager = new CardPager();
  readonly #change: DescribedChange | undefined;
  #outcome: string | undefined;
  #isSent = false;
  #isExplained = false;
  /** Fields of a request for input; undefined where there is nothing to fill in. */
  readonly #form: FormEntry | undefined;
  #isFilling = false;
  /** Letters that were typed here, as far as they are an answer. */
  #written = "";
  /** Letters that were typed before the request was decided elsewhere. */
  #before = "";

  /** @param options - request and receivers of the input */
  constructor(options: ApprovalCardOptions) {
    this.#options = options;
    const { grantPrefixes = [], grantScope, input } = options.approval;
    const form = input && new FormEntry(input.schema);
    this.#form = form?.isEmpty === true ? undefined : form;
    this.#prefix.setValue(grantPrefixes.length === 1 ? (grantPrefixes[0] ?? "") : "");
    this.#prefix.handleInput(END_KEY);
    this.#change = changeOfRequest(options.approval);
    this.#scope = SCOPES.find((scope) => scope === grantScope) ?? "session";
  }

  get focused(): boolean {
    return this.#isFocused;
  }

  set focused(value: boolean) {
    this.#isFocused = value;
    this.#prefix.focused = value && this.#mayEditPrefix;
    if (this.#form !== undefined) this.#form.focused = value && this.#isFilling;
  }

  /**
   * Shows that the request was decided elsewhere.
   * @param outcome - one sentence
   */
  settle(outcome: string): void {
    this.#outcome = outcome;
    // The rest of an answer may follow, or a whole one.
    this.#before = this.#written;
    this.#written = "";
  }

  handleInput(data: string): void {
    const text = typedText(data);
    if (this.#outcome !== undefined) {
      if (matchesKey(data, "enter")) this.#options.dismiss();
      else if (text !== undefined) this.#write(text, () => this.#options.dismiss());
    } else if (this.#isFilling) {
      this.#fill(data);
    } else if (!this.#isSent) {
      this.#handleChoice(data, text);
    } else if (text !== undefined) {
      this.#options.type(text);
    }
  }

  /**
   * Lets the user decide again after a decision was not accepted.
   */
  retry(): void {
    this.#isSent = false;
    this.#takeBack();
  }

  render(width: number): string[] {
    const { approval, rows, expansion } = this.#options;
    const text = Math.max(1, width - 2);
    const body = approvalBody(this.#options, this.#change, text);
    const others = expansion.isExpanded ? FEWEST_OTHER_ROWS : OTHER_ROWS;
    const page = this.#pager.page(body, Math.max(LEAST_ROWS, rows() - others));
    const footer = page.footer === undefined ? [] : [colors.dim(page.footer)];
    const title = colors.bold(escapeUnseen(approval.title));
    const keys = this.#isExplained ? cardKeys(approval.allowedDecisions) : [];
    const choices = [...keys.map((line) => colors.dim(line)), ...this.#choices(text)];
    const lines = [`${colors.yellow("?")} ${title}`, ...page.rows, ...footer, ...choices];
    const bar = this.#isFocused ? colors.yellow("│") : colors.dim("│");
    return lines
      .flatMap((line) => wrapTextWithAnsi(line, text))
      .map((line) => truncateToWidth(`${bar} ${line}`, width, "…"));
  }

  invalidate(): void {
    this.#prefix.invalidate();
  }

  get #mayEditPrefix(): boolean {
    const { kind, grantPrefixes = [] } = this.#options.approval;
    return this.#chosen === "allow-always" && kind === "exec" && grantPrefixes.length === 1;
  }

  #handleChoice(data: string, text: string | undefined): void {
    const { leave } = this.#options;
    const isEdited = this.#mayEditPrefix && isForField(data, text);
    if (this.#pager.isTyping) {
      this.#pager.type(data, text);
    } else if (!isEdited && this.#pager.scroll(data)) {
      // The choice stays.
    } else if (!isEdited && this.#pager.step(data)) {
      this.#takeBack();
    } else if (!isEdited && data === "/" && this.#isSearchable) {
      this.#takeBack();
      this.#pager.search();
    } else if (!isEdited && text === "?") {
      this.#takeBack();
      this.#isExplained = !this.#isExplained;
    } else if (matchesKey(data, "tab")) {
      if (this.#chosen === "allow-always") this.#scope = nextScope(this.#scope);
      else leave();
    } else if (matchesKey(data, "enter")) {
      this.#confirm();
    } else if (isEdited) {
      this.#prefix.handleInput(data);
    } else if (matchesKey(data, "backspace")) {
      this.#written = this.#written.slice(0, -1);
      this.#choose(this.#answer(this.#written));
    } else if (text !== undefined) {
      this.#pager.endSearch();
      this.#write(text, leave);
    } else {
      // Escape, and every key that has no meaning here.
      this.#pager.endSearch();
      this.#takeBack();
    }
  }

  /** A short request needs no search, and `/` begins a command in the input. */
  get #isSearchable(): boolean {
    return this.#pager.isLong || this.#change !== undefined;
  }

  #takeBack(): void {
    this.#written = "";
    this.#choose(undefined);
  }

  /** Takes letters of an answer; anything else is a message that the user began to write when the request appeared. */
  #write(text: string, leave: () => void): void {
    const written = this.#written + text;
    const answer = this.#answer(written) ?? this.#answer(this.#before + written);
    if (answer === undefined && isUnoffered(written, this.#options.approval.allowedDecisions)) {
      this.#written = written;
      this.#choose(undefined);
      return;
    }
    if (answer === undefined) {
      const earlier = this.#written;
      this.#takeBack();
      leave();
      this.#options.type(earlier);
      this.#options.type(text);
      return;
    }
    this.#written = written;
    this.#choose(answer);
  }

  #answer(written: string): Decision | undefined {
    return decisionOf(written, this.#options.approval.allowedDecisions);
  }

  #confirm(): void {
    if (this.#chosen === undefined) return;
    if (this.#chosen === "allow-once" && this.#form !== undefined) {
      this.#form.restart();
      this.#form.focused = true;
      this.#isFilling = true;
      return;
    }
    this.#isSent = true;
    const isAlways = this.#chosen === "allow-always";
    const prefix = this.#mayEditPrefix ? this.#prefix.getValue().trim() : "";
    this.#options.decide({
      decision: this.#chosen,
      ...(isAlways ? { scope: this.#scope } : {}),
      ...(prefix === "" ? {} : { prefix }),
    });
  }

  /** Gives the keys to the form, until it is complete or left. */
  #fill(data: string): void {
    if (matchesKey(data, "tab")) {
      this.#options.leave();
    } else if (matchesKey(data, "escape")) {
      this.#isFilling = false;
      this.#takeBack();
    } else {
      const input = this.#form?.handle(data);
      if (input === undefined) return;
      this.#isFilling = false;
      this.#isSent = true;
      this.#options.decide({ decision: "allow-once", input });
    }
  }

  #choose(decision: Decision | undefined): void {
    this.#chosen = decision;
    this.#prefix.focused = this.#isFocused && this.#mayEditPrefix;
  }

  #choices(width: number): string[] {
    if (this.#outcome !== undefined) {
      return [`${safeText(this.#outcome)}. ${colors.bold("Press Enter to continue.")}`];
    }
    if (this.#isSent) return [colors.dim("Sending the decision…")];
    if (!this.#isFocused) return [colors.bold("Press Tab to decide.")];
    if (this.#isFilling && this.#form !== undefined) return this.#form.render(width);
    const { allowedDecisions } = this.#options.approval;
    const offered = DECISIONS.filter(([decision]) => allowedDecisions.includes(decision)).map(
      ([decision, key, word]) =>
        decision === this.#chosen
          ? colors.inverse(` ${word} `)
          : `[${colors.bold(key)}]${word.slice(1)}`,
    );
    const hint =
      this.#chosen !== undefined
        ? "Enter confirms, Esc takes it back"
        : isUnoffered(this.#written, allowedDecisions)
          ? "a request of this kind is decided each time"
          : "then Enter; ? explains the keys; other text goes to the input";
    return [`${offered.join("  ")}  ${colors.dim(hint)}`, ...this.#always(width)];
  }

  #always(width: number): string[] {
    if (this.#chosen !== "allow-always") return [];
    const { approval } = this.#options;
    const reach = `${REACH[this.#scope]}${colors.dim(" (Tab changes it)")}`;
    if (this.#mayEditPrefix) {
      const [field = ""] = this.#prefix.render(Math.max(8, width - 34));
      const start = `commands that start with ${field.replace(/^> /, "")}`;
      return approval.grantsInSandbox === true
        ? ["Allows exactly this command, and in the sandbox", start, reach]
        : [`Allows ${start}`, "and have only options of its table", reach];
    }
    return [`Allows ${alwaysCovers(approval)} ${reach}`];
  }
}
