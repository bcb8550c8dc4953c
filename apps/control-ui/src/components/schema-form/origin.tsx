import { filled } from "../../text/catalogue.js";
import type { Field } from "./field.js";
import { type FormState, keyOf, valueAt } from "./form-state.js";
import { text } from "./messages.js";

/** Old value, default, range, and where the value comes from. */
export function Origin({
  field: { path, kind, label, schema },
  state,
}: {
  field: Field;
  state: FormState;
}) {
  const isChanged = state.changes.value.has(keyOf(path));
  const stored = valueAt(state.stored.value, path);
  const origin = state.origins.value.get(keyOf(path));
  const [below] = origin?.shadowed ?? [];
  const { standard, minimum, maximum } = schema;
  const facts = [
    isChanged ? text.was(stored === undefined ? text.notSet : brief(stored)) : undefined,
    stored === undefined && standard !== undefined && kind !== "choice"
      ? text.standard(brief(standard))
      : undefined,
    rangeOf(minimum, maximum),
  ].filter((each) => each !== undefined);
  return (
    <span class="help origin">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {origin !== undefined && stored !== undefined && (
        <span>{filled(text.from, { origin: <code>{shortOrigin(origin.origin)}</code> })}</span>
      )}
      {origin !== undefined && below !== undefined && (
        <span>
          {filled(text.without, {
            value: <code>{brief(below.value)}</code>,
            origin: <code>{shortOrigin(below.origin)}</code>,
          })}
        </span>
      )}
      {origin !== undefined && below === undefined && <span>{text.withoutNothing}</span>}
      {(origin?.layer === "environment" || origin?.layer === "database") && (
        <span class="warn">
          {filled(text.overridden, { origin: <code>{origin.origin}</code> })}
        </span>
      )}
      {isChanged && (
        <button
          class="btn quiet small"
          type="button"
          aria-label={text.resetNamed(label)}
          onClick={() => state.reset(path)}
        >
          {text.reset}
        </button>
      )}
      {!isChanged && stored !== undefined && (
        <button
          class="btn quiet small"
          type="button"
          aria-label={text.unsetNamed(label)}
          onClick={() => state.change(path, undefined)}
        >
          {text.unset}
        </button>
      )}
    </span>
  );
}

function rangeOf(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) {
    return text.range(least.toLocaleString(), most.toLocaleString());
  }
  if (least !== undefined) return text.least(least.toLocaleString());
  return most === undefined ? undefined : text.most(most.toLocaleString());
}

/** Value in a line. */
function brief(value: unknown): string {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? text.notSet);
  return whole.length > 60 ? `${whole.slice(0, 59)}…` : whole;
}

/** Origin with the name of the file instead of its path. */
function shortOrigin(origin: string): string {
  return origin.replace(/^.*[\\/](?=[^\\/]+:\d+:\d+$)/, "");
}
