import { Container } from "@earendil-works/pi-tui";
import type { ApprovalView, DecisionOfUser } from "@openclaw/client/conversation";
import type { ShownRequest } from "../view.js";
import { isAnswer } from "./approval-answer.js";
import { ApprovalCard } from "./approval-card.js";
import type { Expansion } from "./tool-card.js";

/** Dependencies of {@link ApprovalCards}. */
export interface ApprovalCardsDependencies {
  readonly expansion: Expansion;
  /** Number of rows of the terminal. */
  rows(): number;
  /** Text in the editor. */
  draft(): string;
  /** Takes an answer out of the editor, and keeps it among the earlier inputs. */
  takeDraft(): void;
  /** Puts text that was typed for the editor there. */
  type(text: string): void;
  /** Gives the keys to a card; undefined gives them to the editor. */
  focus(card: ApprovalCard | undefined): void;
  /** Shows a change that the user allowed. */
  change(diff: string): void;
  draw(): void;
}

/** Approval requests above the editor. The first one has the keys, except while the user is typing something else. */
export class ApprovalCards extends Container {
  readonly #dependencies: ApprovalCardsDependencies;
  readonly #cards: ApprovalCard[] = [];

  /** @param dependencies - editor, focus and conversation */
  constructor(dependencies: ApprovalCardsDependencies) {
    super();
    this.#dependencies = dependencies;
  }

  /** Number of cards. */
  get count(): number {
    return this.#cards.length;
  }

  /**
   * Shows a request.
   * @param shown - pending request, and the conversation in which the chat shows it
   * @param decide - receives the decision
   */
  show(shown: ShownRequest, decide: (decision: DecisionOfUser) => void): ApprovalView {
    const { expansion, rows, focus, type, change, draw, draft, takeDraft } = this.#dependencies;
    let isAllowed = false;
    const card = new ApprovalCard({
      ...shown,
      ...{ rows, expansion, type },
      decide: (decision) => {
        isAllowed = decision.decision !== "deny";
        decide(decision);
      },
      dismiss: () => this.#remove(card),
      leave: () => focus(undefined),
    });
    this.#cards.push(card);
    this.addChild(card);
    this.focus({ unlessTyping: true });
    return {
      settle: (outcome) => {
        // An answer in the editor was meant for this request, and is never sent as a message.
        if (isAnswer(draft())) {
          takeDraft();
          focus(card);
        }
        if (!card.focused) return this.#remove(card);
        card.settle(outcome);
        draw();
      },
      remove: () => {
        // The user can read later what was allowed.
        if (isAllowed && shown.approval.change !== undefined) change(shown.approval.change);
        this.#remove(card);
      },
      retry: () => {
        card.retry();
        draw();
      },
    };
  }

  /**
   * Gives the keys to the first card, else to the editor.
   * @param options - `unlessTyping` leaves them with the editor while it has text
   */
  focus({ unlessTyping }: { readonly unlessTyping: boolean }): void {
    const { focus, draft, draw } = this.#dependencies;
    const [first] = this.#cards;
    if (first === undefined) focus(undefined);
    else if (!unlessTyping || draft() === "") focus(first);
    draw();
  }

  #remove(card: ApprovalCard): void {
    const index = this.#cards.indexOf(card);
    if (index < 0) return;
    this.#cards.splice(index, 1);
    this.removeChild(card);
    if (card.focused) this.#dependencies.focus(undefined);
    this.focus({ unlessTyping: true });
  }
}
