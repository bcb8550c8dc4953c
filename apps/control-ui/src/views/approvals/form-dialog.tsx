import type { ApprovalSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import type { Answer } from "./decide.js";
import { type FormField, formFields, formValues } from "./form-fields.js";
import { text } from "./messages.js";
import { headlineOf } from "./words.js";

type Written = string | readonly string[];

/** Fields of a request for input; the gateway checks the values against the whole schema. */
export function FormDialog({
  approval,
  input,
  onAnswer,
  onClose,
}: {
  approval: ApprovalSummary;
  input: NonNullable<ApprovalSummary["input"]>;
  onAnswer(answer: Answer): void;
  onClose(): void;
}) {
  const fields = formFields(input.schema);
  const written = useSignal<Readonly<Record<string, Written>>>(
    Object.fromEntries(fields.map(({ name, initial }) => [name, initial])),
  );
  const write = (name: string, value: Written) => {
    written.value = { ...written.value, [name]: value };
  };
  return (
    <Dialog class="sm" titleId="form-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer({ decision: "allow-once", input: formValues(fields, written.value) });
        }}
      >
        <header>
          <h2 id="form-title">{headlineOf(approval)}</h2>
          <p>{input.message}</p>
        </header>
        <div class="in">
          {fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              value={written.value[field.name] ?? ""}
              onWrite={write}
            />
          ))}
          <p class="dim t12">{text.formHelp}</p>
        </div>
        <footer>
          <button class="btn" type="button" onClick={onClose}>
            {text.back} <kbd>esc</kbd>
          </button>
          <button class="btn primary" type="submit">
            {text.send}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Field({
  field,
  value,
  onWrite,
}: {
  field: FormField;
  value: Written;
  onWrite(name: string, value: Written): void;
}) {
  const { name, label, help, kind, choices, isNeeded } = field;
  const id = `form-${name}`;
  const about = help === "" ? undefined : `${id}-help`;
  const note = about !== undefined && (
    <p class="dim t12" id={about}>
      {help}
    </p>
  );
  if (kind === "several" && choices.length > 0) {
    const chosen = typeof value === "string" ? [] : value;
    return (
      <fieldset class="plain" aria-describedby={about}>
        <legend class="strong">{label}</legend>
        {choices.map((choice) => (
          <label class="line" key={choice.value}>
            <input
              class="check"
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                const kept = choices.filter((each) =>
                  each.value === choice.value ? checked : chosen.includes(each.value),
                );
                onWrite(
                  name,
                  kept.map((each) => each.value),
                );
              }}
            />
            {choice.label}
          </label>
        ))}
        {note}
      </fieldset>
    );
  }
  const current = typeof value === "string" ? value : value.join(", ");
  const listed =
    kind === "boolean"
      ? [
          { value: "true", label: text.yes },
          { value: "false", label: text.no },
        ]
      : choices;
  const shared = {
    id,
    class: "input",
    value: current,
    required: isNeeded,
    "aria-describedby": about,
  };
  return (
    <div class="stack-s">
      <label for={id}>{isNeeded ? label : text.optionalField(label)}</label>
      {listed.length > 0 ? (
        <select {...shared} onChange={(event) => onWrite(name, event.currentTarget.value)}>
          <option value="" />
          {listed.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <Text {...{ field, shared, onWrite }} />
      )}
      {note}
    </div>
  );
}

/** Field that is written, not chosen. */
function Text({
  field: { name, kind, isWhole },
  shared,
  onWrite,
}: {
  field: FormField;
  shared: {
    id: string;
    class: string;
    value: string;
    required: boolean;
    "aria-describedby": string | undefined;
  };
  onWrite(name: string, value: Written): void;
}) {
  const onInput = (event: { readonly currentTarget: HTMLInputElement }) =>
    onWrite(name, event.currentTarget.value);
  if (kind !== "number") return <input {...shared} autocomplete="off" onInput={onInput} />;
  return <input {...shared} type="number" step={isWhole ? 1 : "any"} onInput={onInput} />;
}
