import { useSignal } from "@preact/signals";
import { problemOf } from "./check.js";
import type { Field } from "./field.js";
import { hasSecret } from "./form-state.js";
import { text } from "./messages.js";
import { readSchema } from "./schema.js";

/** Properties of a control. */
export interface ControlProps {
  readonly field: Field;
  readonly id: string;
  /** Value with the changes. */
  readonly value: unknown;
  /** True for a value that the file has. */
  readonly isStored: boolean;
  readonly isInvalid: boolean;
  onChange(value: unknown): void;
  /** Reports a text that is no value. */
  onProblem(problem: string): void;
}

/** Switch of a value that is true or false. */
export function BooleanControl({ field: { label, schema }, id, value, onChange }: ControlProps) {
  const shown = value ?? schema.standard;
  if (typeof shown !== "boolean") {
    return (
      <select
        class="select short2"
        id={id}
        value=""
        onChange={({ currentTarget }) => onChange(currentTarget.value === "true")}
      >
        <option value="">{text.notSet}</option>
        <option value="true">{text.on}</option>
        <option value="false">{text.off}</option>
      </select>
    );
  }
  return (
    <label class="switchbox">
      <input
        class="switch"
        type="checkbox"
        role="switch"
        id={id}
        aria-label={label}
        aria-checked={shown}
        checked={shown}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </label>
  );
}

/** Field of a number. */
export function NumberControl(props: ControlProps) {
  const { field, id, value, isInvalid, onChange, onProblem } = props;
  return (
    <input
      class="input num short"
      id={id}
      inputMode="decimal"
      placeholder={standardOf(field) ?? field.placeholder}
      aria-invalid={isInvalid}
      value={value === undefined || value === null ? "" : String(value)}
      onInput={({ currentTarget: { value: typed } }) => {
        const number = Number(typed.trim());
        if (typed.trim() === "") onChange(undefined);
        else {
          onChange(Number.isFinite(number) ? number : typed);
          const problem = problemOf(field.schema, number);
          if (problem !== undefined) onProblem(problem);
        }
      }}
    />
  );
}

/** Field of a text; with numbers and constants too for a mixed value. */
export function TextControl(props: ControlProps) {
  const { field, id, value, isInvalid, onChange, onProblem } = props;
  const { schema, kind, placeholder } = field;
  const read = (typed: string): unknown =>
    kind === "scalar" ? scalarOf(typed, schema.alternatives) : typed;
  return (
    <input
      class={kind === "scalar" ? "input mono short2" : "input"}
      id={id}
      placeholder={standardOf(field) ?? placeholder}
      aria-invalid={isInvalid}
      spellcheck={false}
      value={value === undefined || value === null ? "" : String(value)}
      onInput={({ currentTarget: { value: typed } }) => {
        onChange(typed === "" ? undefined : read(typed));
        const problem = kind === "scalar" ? undefined : problemOf(schema, typed);
        if (typed !== "" && problem !== undefined) onProblem(problem);
      }}
    />
  );
}

/** Secret: what is stored is not shown, and is only replaced. */
export function SecretControl({ field, id, value, isInvalid, onChange }: ControlProps) {
  const isOpen = useSignal(false);
  const isReference = typeof value === "string" && /^\$\{.*\}$/.test(value);
  if (!isOpen.value && (hasSecret(value) || isReference)) {
    return (
      <span class="line">
        <input
          class="input mono"
          id={id}
          readOnly
          value={isReference ? String(value) : `•••••••• ${text.stored}`}
        />
        <button class="btn small" type="button" onClick={() => (isOpen.value = true)}>
          {text.replace}
        </button>
      </span>
    );
  }
  return (
    <input
      class="input mono"
      id={id}
      type="password"
      autocomplete="off"
      aria-invalid={isInvalid}
      placeholder={field.placeholder}
      value={typeof value === "string" && !hasSecret(value) ? value : ""}
      onInput={({ currentTarget }) =>
        onChange(currentTarget.value === "" ? undefined : currentTarget.value)
      }
    />
  );
}

/** Choice between fixed values. */
export function ChoiceControl({ field, id, value, onChange }: ControlProps) {
  const { choices = [] } = field.schema;
  const index = choices.indexOf(value);
  const standard = standardOf(field);
  return (
    <select
      class="select short2"
      id={id}
      value={String(index)}
      onChange={({ currentTarget }) => onChange(choices[Number(currentTarget.value)])}
    >
      <option value="-1">{standard === undefined ? text.notSet : text.standard(standard)}</option>
      {choices.map((each, position) => (
        <option key={String(each)} value={String(position)}>
          {String(each)}
        </option>
      ))}
    </select>
  );
}

/** List of texts as chips, with a field that adds one. */
export function TextsControl({ field, id, value, isStored, onChange }: ControlProps) {
  const typed = useSignal("");
  const list = Array.isArray(value) ? value.map(String) : [];
  const { choices } = readSchema(field.schema.items);
  const add = () => {
    const added = typed.value.trim();
    if (added === "") return;
    typed.value = "";
    if (!list.includes(added)) onChange([...list, added]);
  };
  return (
    <span class="line wrap-l">
      {list.map((each) => (
        <button
          class="chip"
          type="button"
          key={each}
          aria-label={text.removeNamed(each)}
          onClick={() => {
            const rest = list.filter((other) => other !== each);
            // A list that was not set is not set again, which is not the same as an empty one.
            onChange(rest.length === 0 && !isStored ? undefined : rest);
          }}
        >
          <b>{each}</b> <span class="x">×</span>
        </button>
      ))}
      <input
        class="input mono short2"
        id={id}
        list={choices === undefined ? undefined : `${id}-list`}
        placeholder={text.addHint}
        spellcheck={false}
        value={typed.value}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
      />
      {choices !== undefined && (
        <datalist id={`${id}-list`}>
          {choices.map((each) => (
            <option key={String(each)} value={String(each)} />
          ))}
        </datalist>
      )}
    </span>
  );
}

/** Editor of a value for which there is no control. */
export function JsonControl({ id, value, isInvalid, onChange, onProblem }: ControlProps) {
  const typed = useSignal<string | undefined>(undefined);
  if (hasSecret(value)) return <p class="help">{text.secretInside}</p>;
  const shown = isInvalid ? typed.value : undefined;
  return (
    <textarea
      class="textarea mono t12"
      id={id}
      rows={Math.min(12, Math.max(3, (JSON.stringify(value, null, 2) ?? "").split("\n").length))}
      spellcheck={false}
      aria-invalid={isInvalid}
      value={shown ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
      onChange={({ currentTarget }) => {
        typed.value = currentTarget.value;
        if (currentTarget.value.trim() === "") {
          onChange(undefined);
          return;
        }
        try {
          onChange(JSON.parse(currentTarget.value));
        } catch (error) {
          onProblem(text.notJson(error instanceof Error ? error.message : String(error)));
        }
      }}
    />
  );
}

function standardOf({ schema: { standard } }: Field): string | undefined {
  if (standard === undefined) return undefined;
  return typeof standard === "string" ? standard : JSON.stringify(standard);
}

/** Number or constant that a text stands for, where the schema has one. */
function scalarOf(typed: string, alternatives: readonly unknown[] = []): unknown {
  const schemas = alternatives.map(readSchema);
  const constant = schemas
    .flatMap(({ choices = [] }) => choices)
    .find((choice) => String(choice) === typed);
  if (constant !== undefined) return constant;
  const isNumber = typed.trim() !== "" && Number.isFinite(Number(typed));
  const takesNumber = schemas.some(({ types }) => /number|integer/.test(types.join()));
  if (isNumber && takesNumber) return Number(typed);
  if (schemas.some(({ types }) => types.includes("boolean")) && /^(?:true|false)$/.test(typed)) {
    return typed === "true";
  }
  return typed;
}
