import type { ComponentChildren } from "preact";
import { text } from "./messages.js";
import { isWorking } from "./plugins.js";

/** Buttons at the foot of a dialog that changes plugins. */
export function DialogButtons({
  name,
  isDangerous = false,
  children,
  onClose,
}: {
  name: string;
  isDangerous?: boolean;
  /** More buttons, before the one that confirms. */
  children?: ComponentChildren;
  onClose(): void;
}) {
  return (
    <footer>
      {isWorking.value && <span class="start">{text.working}</span>}
      <button class="btn" type="button" onClick={onClose}>
        {text.cancel} <kbd>esc</kbd>
      </button>
      {children}
      <button
        class={isDangerous ? "btn danger" : "btn primary"}
        type="submit"
        aria-disabled={isWorking.value}
      >
        {name}
      </button>
    </footer>
  );
}
