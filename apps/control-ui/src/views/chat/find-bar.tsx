import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Conversation } from "./conversation.js";
import { text } from "./messages.js";
import { wordsOf } from "./transcript.js";

/** Search in the whole conversation, whose matches the list shows. */
export function FindBar({
  conversation,
  onMatch,
  onClose,
}: {
  conversation: Conversation;
  /** Called with the key of the entry that is shown. */
  onMatch(key: string | undefined): void;
  onClose(): void;
}) {
  const wanted = useSignal("");
  const position = useSignal(0);
  const field = useRef<HTMLInputElement>(null);
  const typed = wanted.value.trim().toLowerCase();
  const matches =
    typed === ""
      ? []
      : conversation.log.items.value.filter((item) => wordsOf(item).toLowerCase().includes(typed));
  const shown =
    matches.length === 0 ? undefined : matches.at(-1 - (position.value % matches.length));
  useEffect(() => {
    field.current?.focus();
    void conversation.readAll();
  }, [conversation]);
  useEffect(() => onMatch(shown?.key), [shown?.key]);
  useEffect(() => () => onMatch(undefined), []);
  const move = (step: number) => {
    if (matches.length === 0) return;
    position.value = (position.value + step + matches.length) % matches.length;
  };
  return (
    <form
      class="find-bar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        move(1);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <input
        ref={field}
        class="input"
        type="search"
        aria-label={text.findLabel}
        placeholder={text.findLabel}
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
          position.value = 0;
        }}
      />
      <span class="dim t12 num" role="status">
        {typed !== "" &&
          text.found(
            matches.length === 0 ? 0 : matches.length - (position.value % matches.length),
            matches.length,
          )}
      </span>
      <button
        class="btn small quiet icon"
        type="submit"
        aria-label={text.previous}
        title={text.previous}
      >
        ↑
      </button>
      <button
        class="btn small quiet icon"
        type="button"
        aria-label={text.next}
        title={text.next}
        onClick={() => move(-1)}
      >
        ↓
      </button>
      <button class="btn small quiet" type="button" onClick={onClose}>
        {text.close} <kbd>esc</kbd>
      </button>
    </form>
  );
}
