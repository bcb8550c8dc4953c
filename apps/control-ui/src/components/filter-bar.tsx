import type { ComponentChildren, RefObject } from "preact";
import { Choice } from "./choice.js";
import type { Filters } from "./filters.js";
import { text } from "./messages.js";

/** Filter with a fixed set of values. */
export interface FilterChoice {
  /** Name in the URL. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  /** Word for no filter. */
  readonly none?: string | undefined;
  /** Returns the word of a value. */
  wordOf?(option: string): string;
}

/** Filters of a list: a text, and choices; what else belongs to the list is at its end. */
export function FilterBar({
  class: name,
  filters,
  choices,
  hint,
  input,
  children,
}: {
  class?: string;
  filters: Filters;
  choices: readonly FilterChoice[];
  /** Placeholder of the text. */
  hint: string;
  /** Field of the text, which a key focuses. */
  input: RefObject<HTMLInputElement | null>;
  children: ComponentChildren;
}) {
  return (
    <div class={name === undefined ? "filters" : `filters ${name}`}>
      <div class="search">
        <input
          ref={input}
          class="input"
          placeholder={hint}
          aria-label={text.find}
          value={filters.chosen("q")}
          onInput={(event) => filters.choose("q", event.currentTarget.value)}
        />
        <kbd>/</kbd>
      </div>
      <div class="choices">
        {choices.map(({ name: key, label, options, none, wordOf }) => (
          <Choice
            key={key}
            label={label}
            value={filters.chosen(key)}
            options={options}
            none={none}
            wordOf={wordOf}
            onChoose={(value) => filters.choose(key, value)}
          />
        ))}
      </div>
      <span class="end line">{children}</span>
    </div>
  );
}
