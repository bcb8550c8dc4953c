import type { RoutineRunSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { CrumbBar } from "../../components/crumb-bar.js";
import { Facts } from "../../components/facts.js";
import { FaultNote } from "../../components/fault-note.js";
import { FormDialog } from "../../components/form-dialog.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { call } from "../../state/link.js";
import { duration, firstLine, shortTime } from "../../text/format.js";
import { RoutineDialog } from "./form.js";
import { text } from "./messages.js";
import {
  changeRoutines,
  leaveRoutine,
  type RoutinePage as Page,
  routinePage,
  routines,
  showRoutine,
} from "./routines.js";
import { pathOf, RoutineSwitch } from "./view.js";

/** Runs of the strip. */
const STRIP = 30;

/** One routine: what it does when, what it did, and why it was silent. */
export function RoutinePage({ id }: { id: string }) {
  const open = useSignal<"edit" | "remove" | undefined>(undefined);
  useEffect(() => {
    const ends = [showRoutine(id), routines.show()];
    return () => {
      for (const end of ends) end();
      leaveRoutine();
    };
  }, [id]);
  const page = routinePage.value.value;
  const close = () => {
    open.value = undefined;
  };
  return (
    <>
      <CrumbBar view={text.title} path="/cron" title={page?.routine.name ?? id}>
        {page !== undefined && <Actions page={page} onOpen={(dialog) => (open.value = dialog)} />}
      </CrumbBar>
      {routinePage.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={routinePage.fault.value} />
        </div>
      )}
      {page === undefined ? (
        routinePage.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : (
        <div class="split">
          <div tabIndex={0} role="region" aria-label={page.routine.name}>
            <About page={page} />
            <NextRuns page={page} />
            <History runs={page.runs} />
          </div>
          <div tabIndex={0} role="region" aria-label={text.title}>
            <Others id={page.routine.routineId} />
          </div>
        </div>
      )}
      {page !== undefined && open.value === "edit" && (
        <RoutineDialog routine={page.routine} onClose={close} />
      )}
      {page !== undefined && open.value === "remove" && (
        <RemoveDialog page={page} onClose={close} />
      )}
    </>
  );
}

function Actions({ page, onOpen }: { page: Page; onOpen(dialog: "edit" | "remove"): void }) {
  const { routineId, action } = page.routine;
  const isHeartbeat = action === "heartbeat";
  return (
    <div class="end">
      {isHeartbeat && page.heartbeat?.enabled === true && !page.routine.enabled && (
        <ActButton
          scope="operator.write"
          onAct={() => void changeRoutines(() => call("heartbeat.enable", {}))}
        >
          {text.enableHeartbeat}
        </ActButton>
      )}
      <span class="line t12 dim">
        <span aria-hidden="true">{text.on}</span> <RoutineSwitch routine={page.routine} />
      </span>
      <ActButton
        scope="operator.write"
        onAct={() =>
          void (isHeartbeat
            ? changeRoutines(() => call("heartbeat.run", {}))
            : changeRoutines(() => call("cron.run", { routine: routineId })))
        }
      >
        {text.runNow}
      </ActButton>
      {!isHeartbeat && (
        <>
          <ActButton scope="operator.write" onAct={() => onOpen("edit")}>
            {text.edit}
          </ActButton>
          <ActButton scope="operator.write" onAct={() => onOpen("remove")}>
            {text.remove}
          </ActButton>
        </>
      )}
    </div>
  );
}

function About({ page: { routine, why, heartbeat } }: { page: Page }) {
  const { schedule, action, prompt, call: called, agentId, askedIn, notify, model } = routine;
  const { cooldownMs, overlap, catchUp, quietHours, contextPaths, disabledReason } = routine;
  const told = [
    notify.onAttention ? text.attention : undefined,
    notify.onFailure ? text.failure : undefined,
    notify.onSuccess ? text.success : undefined,
  ].filter((each) => each !== undefined);
  const limits = [
    cooldownMs === undefined ? undefined : text.cooldown(duration(cooldownMs)),
    quietHours === undefined ? undefined : text.quiet(quietHours.from, quietHours.to),
    text.overlapOf(overlap),
    text.catchUpOf(catchUp),
  ].filter((each) => each !== undefined);
  const rows = [
    [text.when, <b key="when">{schedule}</b>],
    [
      text.does,
      <span class="jtext" key="does">
        {text.doesOf(action)}, {agentId}
        {called === undefined ? ` “${prompt}”` : ` ${called.tool} ${JSON.stringify(called.params)}`}
      </span>,
    ],
    [text.limits, limits.join("; ")],
    [
      text.results,
      askedIn === undefined
        ? text.inHistoryOnly
        : text.tells(askedIn, told.length === 0 ? text.nothingTold : told.join(", ")),
    ],
    [text.model, model],
    [text.files, contextPaths?.join(", ")],
    [text.webhook, routine.webhook],
  ] as const;
  return (
    <section class="sec">
      {disabledReason !== undefined && <p class="bad">{disabledReason}</p>}
      <Facts facts={rows}>
        <div>
          <dt>{text.why}</dt>
          <dd>
            {why.slice(1).map((line) => (
              <p key={line}>{line}</p>
            ))}
            {heartbeat?.waits !== undefined && <p>{text.heartbeatWaits(heartbeat.waits)}</p>}
          </dd>
        </div>
      </Facts>
    </section>
  );
}

function NextRuns({ page: { routine } }: { page: Page }) {
  return (
    <section class="sec">
      <h2 class="h">{text.nextRuns}</h2>
      {routine.next.length === 0 && <p class="dim">{text.noNext}</p>}
      <ol class="nexts">
        {routine.next.map(({ at, local, utc }) => (
          <li key={at}>
            <b class="num">{local}</b>
            <span class="dim num">{utc}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function History({ runs }: { runs: readonly RoutineRunSummary[] }) {
  const strip = runs.slice(0, STRIP).reverse();
  const words = strip.map(({ state }) => text.stateOf(state)).join(", ");
  return (
    <section>
      <h2 class="grp">
        {text.history} <span class="n">{runs.length}</span>
        {strip.length > 0 && (
          <span class="end">
            <span class="hist" role="img" aria-label={text.lastRuns(words)}>
              {strip.map(({ plannedAt, state }) => (
                <i key={plannedAt} data-s={markOf(state)} />
              ))}
            </span>
          </span>
        )}
      </h2>
      {runs.length === 0 ? (
        <p class="sec dim">{text.notDue}</p>
      ) : (
        <div class="rows rhist" role="table" aria-label={text.history}>
          <div class="row head" role="row">
            <span role="columnheader">
              <span class="vh">{text.state}</span>
            </span>
            <span role="columnheader">{text.due}</span>
            <span role="columnheader">{text.result}</span>
            <span role="columnheader" class="x">
              {text.by}
            </span>
            <span role="columnheader" class="end x">
              {text.took}
            </span>
          </div>
          {runs.map((run) => (
            <Run key={run.plannedAt} run={run} />
          ))}
        </div>
      )}
    </section>
  );
}

function Run({ run }: { run: RoutineRunSummary }) {
  const { plannedAt, state, origin, startedAt, endedAt, runId, jobId } = run;
  const path =
    jobId !== undefined ? `/jobs/${jobId}` : runId !== undefined ? `/runs/${runId}` : undefined;
  const time = shortTime(plannedAt);
  return (
    <div class="row act" role="row">
      <span role="cell">
        <StateMark state={markOf(state)} label={text.stateOf(state)} />
      </span>
      <span role="cell" title={new Date(plannedAt).toISOString()}>
        {path === undefined ? (
          time
        ) : (
          <Link class="cover" href={path}>
            {time}
          </Link>
        )}
      </span>
      <span role="cell" class="two mid" title={run.answer}>
        {resultOf(run)}
      </span>
      <span role="cell" class="x sub">
        {text.originOf(origin)}
      </span>
      <span role="cell" class="end x">
        {startedAt !== undefined && endedAt !== undefined && duration(endedAt - startedAt)}
      </span>
    </div>
  );
}

/**
 * Returns what a due time led to, or why it was silent.
 * @param run - due time
 */
export function resultOf({ state, reason, answer, delivery }: RoutineRunSummary): string {
  const told =
    delivery === undefined
      ? undefined
      : delivery.state === "delivered"
        ? text.delivered
        : delivery.state === "not-delivered"
          ? text.notDelivered(delivery.reason ?? "")
          : (delivery.reason ?? text.notWanted);
  const words = answer === undefined ? undefined : firstLine(answer);
  return [text.stateOf(state), reason, words, told]
    .filter((each) => each !== undefined && each !== "")
    .join(" · ");
}

function Others({ id }: { id: string }) {
  const all = routines.value.value ?? [];
  return (
    <section class="sec">
      <h2 class="h">
        {text.title} <span class="dim">{all.length}</span>
      </h2>
      <ul class="rside">
        {all.map(({ routineId, name, enabled, nextAt }) => (
          <li key={routineId}>
            <Link href={pathOf(routineId)} aria-current={routineId === id ? "page" : undefined}>
              <span class="clip">{name}</span>
              <span class="dim nowrap">
                {!enabled ? text.off : nextAt === undefined ? text.never : shortTime(nextAt)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RemoveDialog({ page: { routine }, onClose }: { page: Page; onClose(): void }) {
  const [, navigate] = useLocation();
  const remove = async () => {
    const { routineId } = routine;
    leaveRoutine();
    const removed = await changeRoutines(() => call("cron.remove", { routine: routineId }));
    if (removed === undefined) return;
    onClose();
    navigate("/cron");
  };
  return (
    <FormDialog
      title={text.removeTitle(routine.name)}
      help={text.removeHelp}
      submit={text.removeNow(routine.name)}
      isDangerous
      onSubmit={remove}
      onClose={onClose}
    >
      {routines.fault.value !== undefined && <FaultNote fault={routines.fault.value} />}
    </FormDialog>
  );
}
