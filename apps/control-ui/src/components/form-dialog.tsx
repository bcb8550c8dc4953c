import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Dialog } from "./dialog.js";
import { text } from "./messages.js";

/** Dialog with a form: its fields, and the act that its button names. */
export function FormDialog({
  title,
  help,
  submit,
  isReady = true,
  isDangerous = false,
  children,
  onSubmit,
  onClose,
}: {
  title: string;
  help?: string | undefined;
  /** Name of the act. */
  submit: string;
  /** False while something is missing. */
  isReady?: boolean;
  isDangerous?: boolean;
  children?: ComponentChildren;
  onSubmit(): Promise<void>;
  onClose(): void;
}) {
  const id = useId();
  const isWorking = useSignal(false);
  const send = async () => {
    if (isWorking.value || !isReady) return;
    isWorking.value = true;
    try {
      await onSubmit();
    } finally {
      isWorking.value = false;
    }
  };
  return (
    <Dialog class="sm" titleId={id} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <header>
          <h2 id={id}>{title}</h2>
          {help !== undefined && <p>{help}</p>}
        </header>
        {children !== undefined && <div class="in">{children}</div>}
        <footer>
          {isWorking.value && <span class="start">{text.working}</span>}
          <button class="btn" type="button" onClick={onClose}>
            {text.cancel} <kbd>esc</kbd>
          </button>
          <button
            class={isDangerous ? "btn danger" : "btn primary"}
            type="submit"
            aria-disabled={isWorking.value || !isReady}
          >
            {submit}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Labelled field of a form. */
export function Field({
  label,
  value,
  hint,
  isLong = false,
  isNumber = false,
  maxLength,
  list,
}: {
  label: string;
  value: Signal<string>;
  hint?: string | undefined;
  /** True for a text of several lines. */
  isLong?: boolean;
  isNumber?: boolean;
  maxLength?: number | undefined;
  /** Values that are offered. */
  list?: readonly string[] | undefined;
}) {
  const id = useId();
  const onInput = (event: { readonly currentTarget: { readonly value: string } }) => {
    value.value = event.currentTarget.value;
  };
  const own = { id, value: value.value, onInput, placeholder: hint, maxLength };
  return (
    <p class="stack-s">
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea class="textarea" rows={4} {...own} />
      ) : (
        <input
          class="input"
          inputMode={isNumber ? "decimal" : undefined}
          pattern={isNumber ? "[0-9]*[.]?[0-9]*" : undefined}
          list={list === undefined ? undefined : `${id}-list`}
          {...own}
        />
      )}
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </p>
  );
}
