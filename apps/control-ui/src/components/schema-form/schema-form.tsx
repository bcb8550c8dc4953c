import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import {
  BooleanControl,
  ChoiceControl,
  type ControlProps,
  JsonControl,
  NumberControl,
  SecretControl,
  TextControl,
  TextsControl,
} from "./controls.js";
import { type Field, type FieldGroup, fieldGroups } from "./field.js";
import { type FormState, keyOf, valueAt } from "./form-state.js";
import { text } from "./messages.js";
import { Origin } from "./origin.js";
import { isRecord, readSchema } from "./schema.js";

/** Properties of {@link SchemaForm}. */
interface SchemaFormProps {
  readonly state: FormState;
  readonly schema: unknown;
  /** Path of the object that the schema describes. */
  readonly base: readonly string[];
  readonly hints?: Readonly<Record<string, unknown>> | undefined;
  /** Words that a field has to have, in lower case. */
  readonly query?: string | undefined;
}

/** Form that is made from a JSON Schema, with the hints of a plugin (UI-020). */
export function SchemaForm({ state, schema, base, hints, query = "" }: SchemaFormProps) {
  const groups = fieldGroups(schema, base, hints).flatMap((group) => fitting(group, query));
  const isAdvanced = groups.flatMap(({ fields }) => fields.filter((field) => field.isAdvanced));
  return (
    <>
      {groups.map((group) => {
        const fields = group.fields.filter((field) => !field.isAdvanced);
        if (fields.length === 0) return null;
        return (
          <section key={keyOf(group.path)}>
            {group.label !== undefined && (
              <h3 class="formh sm">
                {group.label} <span class="dim">{group.help}</span>
              </h3>
            )}
            {fields.map((field) => (
              <FormField key={keyOf(field.path)} field={field} state={state} />
            ))}
          </section>
        );
      })}
      {isAdvanced.length > 0 && (
        <details class="adv" open={query !== ""}>
          <summary>{text.advanced(isAdvanced.length)}</summary>
          {isAdvanced.map((field) => (
            <FormField key={keyOf(field.path)} field={field} state={state} />
          ))}
        </details>
      )}
    </>
  );
}

/**
 * Returns the group with the fields that have the words of a query; nothing without one.
 * @param query - words in lower case
 */
function fitting(group: FieldGroup, query: string): readonly FieldGroup[] {
  if (query === "") return [group];
  const parts = query.split(/\s+/);
  const fields = group.fields.filter(({ path, label, help = "" }) => {
    const all = `${path.join(".")} ${label} ${help}`.toLowerCase();
    return parts.every((part) => all.includes(part));
  });
  return fields.length === 0 ? [] : [{ ...group, fields }];
}

const CONTROLS = {
  boolean: BooleanControl,
  number: NumberControl,
  text: TextControl,
  scalar: TextControl,
  secret: SecretControl,
  choice: ChoiceControl,
  texts: TextsControl,
  json: JsonControl,
} as const;

function FormField({ field, state }: { field: Field; state: FormState }) {
  const id = useId();
  const { path, kind, label, help, schema } = field;
  const value = valueAt(state.current.value, path);
  const problem = state.problems.value.get(path.join("."));
  const isChanged = state.changes.value.has(keyOf(path));
  const props: ControlProps = {
    ...{ field, id, value, isInvalid: problem !== undefined },
    isStored: valueAt(state.stored.value, path) !== undefined,
    onChange: (next) => state.change(path, next),
    onProblem: (found) => state.report(path, found),
  };
  const Control = kind === "record" ? undefined : CONTROLS[secretOr(kind, value)];
  return (
    <div class="field" data-changed={isChanged ? "" : undefined}>
      <label for={id}>
        {label}
        <code>{path.join(".")}</code>
      </label>
      <div class="control">
        {Control === undefined ? (
          <RecordEntries field={field} id={id} state={state} />
        ) : schema.isNullable && value === null ? (
          <span class="line mono">null</span>
        ) : (
          <Control {...props} />
        )}
        {schema.isNullable && value !== null && (
          <button
            class="btn quiet small self"
            type="button"
            onClick={() => state.change(path, null)}
          >
            {text.nothing}
          </button>
        )}
        {problem !== undefined && (
          <span class="problem" role="alert">
            {problem}
          </span>
        )}
        {help !== undefined && <span class="help">{help}</span>}
        {kind !== "record" && <Origin field={field} state={state} />}
      </div>
    </div>
  );
}

/** A string that was left out because it is a secret is replaced, and not edited. */
function secretOr(kind: Exclude<Field["kind"], "record">, value: unknown) {
  return kind === "text" && typeof value === "string" && /\[redacted\]/i.test(value)
    ? "secret"
    : kind;
}

/** Entries of an object with any keys, each a form of its own. */
function RecordEntries({ field, id, state }: { field: Field; id: string; state: FormState }) {
  const name = useSignal("");
  const { path, label, schema } = field;
  const value = valueAt(state.current.value, path);
  const known = new Set(Object.keys(schema.properties ?? {}));
  const keys = Object.keys(isRecord(value) ? value : {}).filter((key) => !known.has(key));
  const isObject = readSchema(schema.entries).properties !== undefined;
  const add = () => {
    const key = name.value.trim();
    if (key === "" || keys.includes(key)) return;
    name.value = "";
    state.change([...path, key], isObject ? {} : null);
  };
  return (
    <>
      {keys.map((key) => (
        <RecordEntry key={key} path={[...path, key]} schema={schema.entries} state={state} />
      ))}
      <span class="line">
        <input
          class="input mono short2"
          id={id}
          placeholder={text.newName}
          spellcheck={false}
          value={name.value}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
        />
        <button class="btn small" type="button" aria-label={text.addTo(label)} onClick={add}>
          {text.add}
        </button>
      </span>
    </>
  );
}

function RecordEntry({
  path,
  schema,
  state,
}: {
  path: readonly string[];
  schema: unknown;
  state: FormState;
}) {
  const isOpen = useSignal(false);
  const key = path.at(-1) ?? "";
  const read = readSchema(schema);
  // A value without an object is one field, below the object that it belongs to.
  const whole = read.properties === undefined ? { properties: { [key]: schema } } : schema;
  const base = read.properties === undefined ? path.slice(0, -1) : path;
  return (
    <details
      class="entry"
      open={isOpen.value}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>
        <code>{key}</code>
      </summary>
      {isOpen.value && (
        <>
          <SchemaForm state={state} schema={whole} base={base} />
          <button
            class="btn quiet small danger"
            type="button"
            onClick={() => state.change(path, undefined)}
          >
            {text.removeNamed(key)}
          </button>
        </>
      )}
    </details>
  );
}
