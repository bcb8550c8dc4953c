import { Input, matchesKey } from "@earendil-works/pi-tui";
import { formPrompts } from "@openclaw/approval-broker";
import type { InputOfUser } from "@openclaw/client/conversation";
import { escapeUnseen } from "@openclaw/foundation";
import { END_KEY } from "./field-keys.js";
import { colors } from "./theme.js";

/** Fields of a request for input, which a person fills in one after the other. */
export class FormEntry {
  readonly #fields: ReturnType<typeof formPrompts>;
  readonly #given: string[] = [];
  readonly #input = new Input();
  #problem: string | undefined;
  #position = 0;

  /** @param form - schema of the form */
  constructor(form: Parameters<typeof formPrompts>[0]) {
    this.#fields = formPrompts(form);
  }

  /** True when there is nothing to fill in. */
  get isEmpty(): boolean {
    return this.#fields.length === 0;
  }

  set focused(value: boolean) {
    this.#input.focused = value;
  }

  /** Begins with the first field; what was given before is proposed again. */
  restart(): void {
    this.#goTo(0);
  }

  /**
   * Takes a key.
   * @param data - key, as the terminal sends it
   * @returns the values after the last field
   */
  handle(data: string): InputOfUser | undefined {
    const at = this.#position;
    if (matchesKey(data, "up") && at > 0) this.#goTo(at - 1);
    else if (matchesKey(data, "enter")) return this.#next(at);
    else this.#input.handleInput(data);
    return undefined;
  }

  /**
   * Returns the current field, and the ones before it.
   * @param width - width in characters
   */
  render(width: number): string[] {
    const at = this.#position;
    const field = this.#fields[at];
    const earlier = this.#fields
      .slice(0, at)
      .map(({ name }, index) => colors.dim(escapeUnseen(`${name}: ${this.#given[index] ?? ""}`)));
    const [line = ""] = this.#input.render(Math.max(8, width));
    return [
      ...earlier,
      `${escapeUnseen(field?.text ?? "")}:`,
      line,
      ...(this.#problem === undefined ? [] : [colors.red(escapeUnseen(this.#problem))]),
      colors.dim(
        `Field ${at + 1} of ${this.#fields.length}. Enter continues, ↑ goes back, Esc leaves the form`,
      ),
    ];
  }

  #next(at: number): InputOfUser | undefined {
    const text = this.#input.getValue().trim();
    const read = this.#fields[at]?.read(text);
    this.#problem = read !== undefined && "problem" in read ? read.problem : undefined;
    if (this.#problem !== undefined) return undefined;
    this.#given[at] = text;
    if (at + 1 < this.#fields.length) {
      this.#goTo(at + 1);
      return undefined;
    }
    const values: InputOfUser = {};
    for (const [index, { name, read: readField }] of this.#fields.entries()) {
      const given = readField(this.#given[index] ?? "");
      if ("value" in given && given.value !== undefined) values[name] = given.value;
    }
    return values;
  }

  #goTo(position: number): void {
    this.#position = position;
    this.#problem = undefined;
    this.#input.setValue(this.#given[position] ?? "");
    this.#input.handleInput(END_KEY);
  }
}
