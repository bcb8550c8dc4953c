import { type Component, Markdown, Spacer, Text } from "@earendil-works/pi-tui";
import type { ReplyView, ToolView } from "@openclaw/client/conversation";
import type { CommandView } from "../view.js";
import { ChangeCard } from "./change-card.js";
import { CommandCard } from "./command-card.js";
import { safeText } from "./safe-text.js";
import type { AddedPart, Screen } from "./screen.js";
import { colors, markdownTheme } from "./theme.js";
import { type Expansion, ToolCard } from "./tool-card.js";
import { UserMessage } from "./user-message.js";

/** The conversation on the screen: messages, replies with their tool calls, commands of the user and notes. */
export class Transcript {
  readonly #screen: Screen;
  readonly #expansion: Expansion;
  readonly #draw: () => void;

  /**
   * @param screen - receives the parts
   * @param expansion - shared by all cards
   * @param draw - draws the screen again
   */
  constructor(screen: Screen, expansion: Expansion, draw: () => void) {
    this.#screen = screen;
    this.#expansion = expansion;
    this.#draw = draw;
  }

  /**
   * Adds a message of a person.
   * @param text - message text
   * @param author - `you`, or where it came from
   * @param short - the text with a short form of each long paste
   */
  message(text: string, author: string, short: string): void {
    this.#add(new Spacer(1));
    this.#add(new UserMessage(text, author, short, this.#expansion));
  }

  /**
   * Adds a line.
   * @param line - plain text
   * @param tone - importance
   */
  note(line: string, tone: "info" | "error"): void {
    this.#add(new Text((tone === "error" ? colors.red : colors.dim)(safeText(line)), 0, 0));
  }

  /**
   * Adds a change of files.
   * @param diff - unified diff
   */
  change(diff: string): void {
    this.#add(new ChangeCard(diff, this.#expansion));
  }

  /**
   * Adds a command of the user.
   * @param command - as the user typed it
   * @param place - where it runs, when that is not obvious
   */
  command(command: string, place: string | undefined): CommandView {
    this.#add(new Spacer(1));
    let part: AddedPart | undefined;
    const card = new CommandCard({ command, place }, this.#expansion, () => {
      if (part !== undefined) this.#changed(part);
    });
    part = this.#add(card, true);
    return card;
  }

  /** Adds a reply. */
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

  #add(component: Component, isUnit = false): AddedPart {
    const part = this.#screen.add(component, isUnit);
    this.#draw();
    return part;
  }
}
