import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { FaultNote } from "../../../components/fault-note.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call } from "../../../state/link.js";
import { exactTime } from "../../../text/format.js";
import { text } from "../messages.js";
import { saveJson } from "../save-json.js";

/** Step of the journal as it was recorded. */
interface JournalRow {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly json: string;
}

/** Journal of a run as the gateway recorded it, and as a file for `openclaw replay`. */
export function Journal({ runId }: { runId: string }) {
  const recording = useSignal<Readonly<Record<string, unknown>> | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  useEffect(() => {
    call("run.recording", { runId }).then(
      (read) => {
        recording.value = read;
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, [runId]);
  if (fault.value !== undefined) {
    return (
      <div class="pad">
        <h2>{text.noJournal}</h2>
        <FaultNote fault={fault.value} />
      </div>
    );
  }
  if (recording.value === undefined) return <div class="page" aria-busy="true" />;
  const whole = recording.value;
  return (
    <div class="page journal">
      <div class="pad line">
        <button class="btn small" type="button" onClick={() => saveJson(whole, `run-${runId}`)}>
          {text.download}
        </button>
      </div>
      <ol>
        {rowsOf(whole).map(({ seq, at, kind, json }) => (
          <li key={seq}>
            <details>
              <summary>
                <span class="num dim">{seq}</span> <span class="num dim">{exactTime(at)}</span>{" "}
                <code>{kind}</code>
              </summary>
              <pre class="code wrap">{json}</pre>
            </details>
          </li>
        ))}
      </ol>
    </div>
  );
}

function rowsOf({ steps }: Readonly<Record<string, unknown>>): readonly JournalRow[] {
  if (!Array.isArray(steps)) return [];
  return steps.map((entry: unknown, index): JournalRow => {
    const [seq, at, step] = ["seq", "createdAt", "step"].map((name) => fieldOf(entry, name));
    const kind = fieldOf(step, "kind");
    return {
      seq: typeof seq === "number" ? seq : index,
      at: typeof at === "number" ? at : 0,
      kind: typeof kind === "string" ? kind : "",
      json: JSON.stringify(step, null, 2),
    };
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
