import type { GatewayMethodResult, RunTrace } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Dialog } from "../../../components/dialog.js";
import { FaultNote } from "../../../components/fault-note.js";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call } from "../../../state/link.js";
import { text } from "../messages.js";

type Preview = GatewayMethodResult<"run.fork">;
type Step = Preview["recorded"][number];

/** Dialog that shows which steps a fork takes from the recording and which it makes, and starts it. */
export function ForkDialog({ trace, onClose }: { trace: RunTrace; onClose(): void }) {
  const { runId } = trace;
  const [, navigate] = useLocation();
  const preview = useSignal<Preview | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  const isStarting = useSignal(false);
  const read = (fromStep?: number) => {
    call("run.fork", { runId, isPreview: true, ...(fromStep && { fromStep }) }).then(
      (found) => {
        preview.value = found;
        fault.value = undefined;
      },
      (error: unknown) => {
        fault.value = faultOf(error);
      },
    );
  };
  useEffect(() => read(), [runId]);
  const start = async () => {
    const fromStep = preview.value?.fromStep;
    if (fromStep === undefined || isStarting.value) return;
    isStarting.value = true;
    try {
      const { started } = await call("run.fork", { runId, fromStep });
      onClose();
      if (started !== undefined) navigate(`/chat/${encodeURIComponent(started.sessionKey)}`);
    } catch (error) {
      fault.value = faultOf(error);
      isStarting.value = false;
    }
  };
  const shown = preview.value;
  return (
    <Dialog titleId="fork-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <header>
          <h2 id="fork-title">{text.forkTitle}</h2>
          <p>{text.forkHint}</p>
        </header>
        <div class="in">
          {fault.value !== undefined && <FaultNote fault={fault.value} />}
          {shown !== undefined && <Division preview={shown} onChoose={(step) => read(step)} />}
        </div>
        <footer>
          <button class="btn" type="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button
            class="btn primary"
            type="submit"
            aria-disabled={shown === undefined || isStarting.value}
          >
            {text.startFork}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Division({ preview, onChoose }: { preview: Preview; onChoose(step: number): void }) {
  const { fromStep, recorded, repeated, points } = preview;
  const all = [...recorded, ...repeated];
  const nameOf = (point: number) => all.find(({ step }) => step === point)?.name ?? "";
  const [first, ...later] = repeated;
  return (
    <>
      <label class="field">
        <span class="label">{text.forkFrom}</span>
        <select
          class="select"
          value={String(fromStep)}
          onChange={(event) => onChoose(Number(event.currentTarget.value))}
        >
          {points.map((point, index) => (
            <option key={point} value={String(point)}>
              {text.modelCall(index + 1, nameOf(point))}
            </option>
          ))}
        </select>
      </label>
      <section class="sec">
        <h3>{text.taken(recorded.length)}</h3>
        <StepList steps={recorded} />
      </section>
      <section class="sec">
        <h3>{text.madeAgain}</h3>
        <p class="mid">{text.madeAgainHint(first?.name ?? "")}</p>
        {later.length > 0 && (
          <>
            <p class="dim t12">{text.recordedThen(later.length)}</p>
            <StepList steps={later} />
          </>
        )}
      </section>
    </>
  );
}

function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ol class="fork-steps t12">
      {steps.map(({ step, kind, name }) => (
        <li key={step} class="line">
          <span class="num dim">{step}</span>
          <i class="k" data-k={kind} />
          <span class="dim">{text[kind]}</span>
          <span class="clip">{kind === "message" ? "" : name}</span>
        </li>
      ))}
    </ol>
  );
}
