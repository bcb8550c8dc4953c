import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Dialog } from "../../components/dialog.js";
import { FaultNote } from "../../components/fault-note.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { models } from "../../state/host.js";
import { call } from "../../state/link.js";
import { text } from "./messages.js";

/** Dialog that chooses the model of a session. */
export function ModelDialog({
  sessionKey,
  model,
  onDone,
}: {
  sessionKey: string;
  model: string | undefined;
  /** Called with the model that later turns use; undefined for that of the agent. */
  onDone(model?: string): void;
}) {
  const known = useSignal<readonly string[]>([]);
  const chosen = useSignal(model ?? "");
  const fault = useSignal<Fault | undefined>(undefined);
  useEffect(() => {
    call("models.list", {}).then(
      (listed) => {
        known.value = listed.models.map((each) => each.model);
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  }, []);
  const save = async () => {
    const wanted = chosen.value === "" ? null : chosen.value;
    try {
      await setModel(sessionKey, wanted);
      onDone(wanted ?? undefined);
    } catch (error) {
      fault.value = faultOf(error);
    }
  };
  const options =
    known.value.includes(chosen.value) || chosen.value === ""
      ? known.value
      : [chosen.value, ...known.value];
  return (
    <Choice
      title={text.chooseModel}
      hint={text.modelHint}
      label={text.model}
      value={chosen.value}
      options={["", ...options]}
      none={text.modelOfAgent}
      action={text.save}
      fault={fault.value}
      onChange={(value) => {
        chosen.value = value;
      }}
      onSubmit={() => void save()}
      onClose={() => onDone(model)}
    />
  );
}

/** Dialog that begins a session with an agent. */
export function NewSessionDialog({
  onStart,
  onClose,
}: {
  onStart(agentId: string): void;
  onClose(): void;
}) {
  const agents = models.value?.agents.map(({ agentId }) => agentId) ?? [];
  const chosen = useSignal(agents[0] ?? "main");
  return (
    <Choice
      title={text.newSession}
      label={text.agent}
      value={chosen.value}
      options={agents}
      action={text.start}
      onChange={(value) => {
        chosen.value = value;
      }}
      onSubmit={() => onStart(chosen.value)}
      onClose={onClose}
    />
  );
}

function Choice({
  title,
  hint,
  label,
  value,
  options,
  none,
  action,
  fault,
  onChange,
  onSubmit,
  onClose,
}: {
  title: string;
  hint?: string;
  label: string;
  value: string;
  options: readonly string[];
  none?: string;
  action: string;
  fault?: Fault | undefined;
  onChange(value: string): void;
  onSubmit(): void;
  onClose(): void;
}) {
  return (
    <Dialog class="sm" titleId="choice-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <header>
          <h2 id="choice-title">{title}</h2>
          {hint !== undefined && <p>{hint}</p>}
        </header>
        <div class="in">
          <label class="choice">
            {label}
            <select
              class="select"
              value={value}
              onChange={(event) => onChange(event.currentTarget.value)}
            >
              {options.map((option) => (
                <option key={option} value={option}>
                  {option === "" ? none : option}
                </option>
              ))}
            </select>
          </label>
          {fault !== undefined && <FaultNote fault={fault} />}
        </div>
        <footer>
          <button class="btn" type="button" onClick={onClose}>
            {text.cancel} <kbd>esc</kbd>
          </button>
          <button class="btn primary" type="submit">
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Chooses the model of a session, which the first choice begins. */
async function setModel(sessionKey: string, model: string | null): Promise<void> {
  try {
    await call("sessions.patch", { sessionKey, model });
  } catch (error) {
    if (faultOf(error).code !== "SESSION_NOT_FOUND" || model === null) throw error;
    await call("sessions.create", { sessionKey, model });
  }
}
