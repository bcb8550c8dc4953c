import type { GatewayMethodParameters, RoutineDetails } from "@openclaw/protocol";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { Field, FormDialog } from "../../components/form-dialog.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { models } from "../../state/host.js";
import { call } from "../../state/link.js";
import { text } from "./messages.js";
import { changeRoutines, routinePage, routines } from "./routines.js";
import { pathOf } from "./view.js";

const KINDS = ["cron", "every", "at", "manual"] as const;
/** Kinds with a time to write. */
const TIMED: ReadonlySet<string> = new Set(["cron", "every", "at"]);
type Kind = (typeof KINDS)[number];
const ACTIONS = ["message", "lightweight", "full_job"] as const;

/** Newest sessions that are offered for the results. */
const MOST_SESSIONS = 50;

/** Time in milliseconds after the last key until a schedule is read. */
const TYPED_MS = 250;

/** Creates a routine, or changes one; its next five times are shown before. */
export function RoutineDialog({
  routine,
  onClose,
}: {
  routine?: RoutineDetails | undefined;
  onClose(): void;
}) {
  const [, navigate] = useLocation();
  const before = scheduleOf(routine);
  const name = useSignal(routine?.name ?? "");
  const prompt = useSignal(routine?.prompt ?? "");
  const kind = useSignal<string>(before.kind);
  const value = useSignal(before.value);
  const tz = useSignal(before.tz);
  const action = useSignal<string>(routine?.action ?? "message");
  const agentId = useSignal(routine?.agentId ?? "");
  const sessionKey = useSignal(routine?.askedIn ?? "");
  const sessionKeys = useSignal<readonly string[]>([]);
  useEffect(() => {
    void call("sessions.list", { limit: MOST_SESSIONS }).then(
      ({ sessions }) => {
        sessionKeys.value = sessions.map((session) => session.sessionKey);
      },
      // The field takes any key; without the list one writes it.
      () => undefined,
    );
  }, []);
  const { from, to } = routine?.quietHours ?? { from: undefined, to: undefined };
  const earlierQuiet = from === undefined ? "" : `${from}-${to}`;
  const quiet = useSignal(earlierQuiet);
  const onAttention = useSignal(routine?.notify.onAttention ?? true);
  const onFailure = useSignal(routine?.notify.onFailure ?? true);
  const onSuccess = useSignal(routine?.notify.onSuccess ?? false);
  const isTask = routine?.call === undefined;
  const wantedAction = ACTIONS.find((each) => each === action.value);
  const isTimed = TIMED.has(kind.value);
  const isSameTime =
    routine !== undefined &&
    kind.value === before.kind &&
    value.value === before.value &&
    tz.value === before.tz;
  const save = async () => {
    const wanted = {
      ...(isSameTime ? {} : scheduleFields(kind.value, value.value, tz.value)),
      ...(isTask ? { prompt: prompt.value } : {}),
      ...(isTask && wantedAction !== undefined ? { action: wantedAction } : {}),
      ...(quiet.value === earlierQuiet
        ? {}
        : { quiet: quiet.value.trim() === "" ? "none" : quiet.value.trim() }),
      onAttention: onAttention.value,
      onFailure: onFailure.value,
      onSuccess: onSuccess.value,
    };
    const saved = await changeRoutines(() =>
      routine === undefined
        ? call("cron.add", {
            ...wanted,
            name: name.value.trim(),
            ...(agentId.value === "" ? {} : { agentId: agentId.value }),
            ...(sessionKey.value.trim() === "" ? {} : { sessionKey: sessionKey.value.trim() }),
          })
        : call("cron.update", {
            ...wanted,
            routine: routine.routineId,
            ...(name.value.trim() === routine.name ? {} : { name: name.value.trim() }),
          }),
    );
    if (saved === undefined) return;
    onClose();
    if (routine === undefined) navigate(pathOf(saved.routineId));
  };
  const { fault } = routine === undefined ? routines : routinePage;
  return (
    <FormDialog
      title={routine === undefined ? text.newTitle : text.editTitle(routine.name)}
      submit={routine === undefined ? text.create : text.save}
      isReady={name.value.trim() !== "" && (!isTask || prompt.value.trim() !== "")}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label={text.name} value={name} maxLength={64} />
      {isTask && <Field label={text.task} value={prompt} isLong maxLength={16_384} />}
      <div class="when">
        <Select label={text.kind} value={kind} options={before.kinds} wordOf={text.kindOf} />
        {isTimed && <Field label={text.value} value={value} hint={text.valueHintOf(kind.value)} />}
      </div>
      {isTimed && <Field label={text.zone} value={tz} hint={text.zoneHint} />}
      {!isSameTime && <Preview kind={kind.value} value={value.value} tz={tz.value} />}
      {isTask && (
        <Select label={text.action} value={action} options={ACTIONS} wordOf={text.doesOf} />
      )}
      {routine === undefined && (
        <>
          <Select
            label={text.agentField}
            value={agentId}
            options={["", ...(models.value?.agents.map((each) => each.agentId) ?? [])]}
          />
          <Field
            label={text.resultsTo}
            value={sessionKey}
            hint={text.resultsHint}
            list={sessionKeys.value}
          />
        </>
      )}
      <Field label={text.quietField} value={quiet} hint={text.quietHint} />
      <fieldset class="checks">
        <legend class="dim">{text.tellOf}</legend>
        <Check label={text.attention} value={onAttention} />
        <Check label={text.failure} value={onFailure} />
        <Check label={text.success} value={onSuccess} />
      </fieldset>
      {fault.value !== undefined && <FaultNote fault={fault.value} />}
    </FormDialog>
  );
}

/** Schedule that is being typed, in words with its next times. */
function Preview({ kind, value, tz }: { kind: string; value: string; tz: string }) {
  const found = useSignal<
    Awaited<ReturnType<typeof call<"cron.preview">>> | { readonly fault: Fault } | undefined
  >(undefined);
  useEffect(() => {
    found.value = undefined;
    if (!TIMED.has(kind) || value.trim() === "") return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      call("cron.preview", scheduleFields(kind, value, tz)).then(
        (preview) => {
          if (!isOver) found.value = preview;
        },
        (error: unknown) => {
          if (!isOver) found.value = { fault: faultOf(error) };
        },
      );
    }, TYPED_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [kind, value, tz]);
  const preview = found.value;
  if (preview === undefined) return null;
  if ("fault" in preview) return <FaultNote fault={preview.fault} />;
  return (
    <div class="note t12">
      <div>
        <b>{text.previewOf(preview.schedule)}</b>
        <ol class="jplan num">
          {preview.next.map(({ at, local }) => (
            <li key={at}>{local}</li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function Select({
  label,
  value,
  options,
  wordOf = (option) => option,
}: {
  label: string;
  value: Signal<string>;
  options: readonly string[];
  wordOf?: (option: string) => string;
}) {
  const id = useId();
  return (
    <p class="stack-s">
      <label for={id}>{label}</label>
      <select
        class="select"
        id={id}
        value={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.value;
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {wordOf(option)}
          </option>
        ))}
      </select>
    </p>
  );
}

function Check({ label, value }: { label: string; value: Signal<boolean> }) {
  return (
    <label class="line">
      <input
        class="check"
        type="checkbox"
        checked={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.checked;
        }}
      />
      {label}
    </label>
  );
}

function scheduleFields(
  kind: string,
  value: string,
  tz: string,
): Pick<GatewayMethodParameters<"cron.add">, "at" | "every" | "cron" | "tz" | "manual"> {
  const zone = tz.trim() === "" ? {} : { tz: tz.trim() };
  if (kind === "cron") return { cron: value.trim(), ...zone };
  if (kind === "every") return { every: value.trim(), ...zone };
  return kind === "at" ? { at: value.trim(), ...zone } : { manual: true };
}

/** Returns the schedule of a routine as it is typed; one that this form does not make stays as it is. */
function scheduleOf(routine: RoutineDetails | undefined): {
  readonly kind: string;
  readonly kinds: readonly string[];
  readonly value: string;
  readonly tz: string;
} {
  if (routine === undefined) return { kind: "cron", kinds: KINDS, value: "", tz: "" };
  const { kind, trigger } = routine;
  const known: Kind | undefined = KINDS.find((each) => each === kind);
  const kinds = known === undefined ? [kind, ...KINDS] : KINDS;
  const { expression, everyMs, at, timezone } = trigger;
  const value =
    typeof expression === "string"
      ? expression
      : typeof everyMs === "number"
        ? `${everyMs / 1000}s`
        : typeof at === "number"
          ? new Date(at).toISOString()
          : "";
  return { kind, kinds, value, tz: typeof timezone === "string" ? timezone : "" };
}
