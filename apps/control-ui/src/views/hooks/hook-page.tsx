import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { CrumbBar } from "../../components/crumb-bar.js";
import { Facts } from "../../components/facts.js";
import { FaultNote } from "../../components/fault-note.js";
import type { Filters } from "../../components/filters.js";
import { StateMark } from "../../components/state-mark.js";
import { TableHead } from "../../components/table-head.js";
import { details, type HookDetails, type HookQuestion, question } from "./hooks.js";
import { text } from "./messages.js";
import { milliseconds } from "./milliseconds.js";

/** Circumstances that handlers may be limited to. */
const SCOPES = ["agentId", "channel", "toolName"] as const;
const LABELS = { agentId: text.agent, channel: text.channel, toolName: text.tool };

const COLUMNS = [
  [text.place, "end", false],
  [text.handler, "", false],
  [text.priority, "end x", false],
  [text.mode, "x", false],
  [text.deadline, "end x", false],
  [text.fired, "end", false],
  [text.failed, "end x", false],
  [text.p50, "end x", false],
  [text.p99, "end x", false],
] as const;

/** One hook: its handlers in the order in which they run for a call, and why others would not. */
export function HookPage({ hook, filters }: { hook: string; filters: Filters }) {
  const asked: HookQuestion = {
    hook,
    ...Object.fromEntries(
      SCOPES.flatMap((name) => (filters.chosen(name) === "" ? [] : [[name, filters.chosen(name)]])),
    ),
  };
  const key = JSON.stringify(asked);
  useEffect(() => {
    question.value = asked;
    return details.show();
  }, [key]);
  const found = details.value.value;
  const answer =
    found !== undefined && JSON.stringify(found.asked) === key ? found.answer : undefined;
  return (
    <>
      <CrumbBar view={text.title} path="/hooks" title={hook} isId />
      <div class="filters sess who">
        <div class="choices">
          {SCOPES.map((name) => (
            <label class="choice" key={name}>
              {LABELS[name]}
              <input
                class="input mono"
                spellcheck={false}
                placeholder={text.any}
                value={filters.chosen(name)}
                onChange={({ currentTarget }) => filters.choose(name, currentTarget.value.trim())}
              />
            </label>
          ))}
        </div>
      </div>
      {details.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={details.fault.value} />
        </div>
      )}
      {answer === undefined ? (
        details.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : (
        <div class="split">
          <div tabIndex={0} role="region" aria-label={text.order}>
            <Handlers
              order={answer.order}
              isForAnyCall={SCOPES.every((name) => asked[name] === undefined)}
            />
          </div>
          <div tabIndex={0} role="region" aria-label={text.about}>
            <About hook={answer} />
          </div>
        </div>
      )}
    </>
  );
}

function Handlers({
  order,
  isForAnyCall,
}: {
  order: HookDetails["order"];
  /** True when no circumstance of a call was given, with which scopes could match. */
  isForAnyCall: boolean;
}) {
  const words = isForAnyCall ? text.notForEveryCall : text.wouldNotRun;
  if (order.length === 0) {
    return (
      <div class="empty">
        <h2>{text.none}</h2>
      </div>
    );
  }
  return (
    <div class="rows horder" role="table" aria-label={text.order}>
      <TableHead columns={COLUMNS} />
      {order.map((handler, index) => {
        const { pluginId, label, source, priority, stage, fired, failed, rewrote } = handler;
        return (
          // The gateway replaces the whole list.
          <div class="row act" role="row" key={index}>
            <span role="cell" class="end dim">
              {handler.runs ? (
                index + 1
              ) : (
                <StateMark state="interrupted" label={words(handler.reason)} />
              )}
            </span>
            <span role="cell" class="two" title={source}>
              <Link href={`/plugins?id=${encodeURIComponent(pluginId)}`} class="cover">
                <strong>{pluginId}</strong>
              </Link>{" "}
              {label}
              {stage === "policy" && <span class="sub t12"> {text.policyStage}</span>}
              <br />
              {!handler.runs && <span class="mid t12">{words(handler.reason)} </span>}
              {rewrote.length > 0 && (
                <span class="mid t12">{text.rewrote(rewrote.join(", "))} </span>
              )}
              {handler.timeouts > 0 && (
                <span class="bad t12">{text.timeouts(handler.timeouts)} </span>
              )}
              <span class="dim t12 mono hsource">
                <bdi>{source}</bdi>
              </span>
            </span>
            <span role="cell" class="end x">
              {priority}
            </span>
            <span role="cell" class="x sub">
              {handler.runs && handler.mode}
            </span>
            <span
              role="cell"
              class="end x"
              title={
                handler.runs && handler.deadlineFrom !== undefined
                  ? text.deadlineFrom(handler.deadlineFrom)
                  : undefined
              }
            >
              {handler.runs && handler.deadlineMs !== undefined && milliseconds(handler.deadlineMs)}
            </span>
            <span role="cell" class="end">
              {fired === 0 ? <span class="dim">{text.neverFired}</span> : fired.toLocaleString()}
            </span>
            <span role="cell" class={failed > 0 ? "end x bad" : "end x dim"}>
              {failed === 0 ? "–" : failed.toLocaleString()}
            </span>
            <span role="cell" class="end x mid">
              {milliseconds(handler.p50Ms)}
            </span>
            <span role="cell" class="end x">
              {milliseconds(handler.p99Ms)}
            </span>
          </div>
        );
      })}
    </div>
  );
}

function About({ hook }: { hook: HookDetails }) {
  const { description, kind, step, phase, dispatched, failed, rewrites } = hook;
  return (
    <>
      <section class="sec">
        <p class="mid">{description}</p>
        <Facts
          facts={[
            [text.kind, text.kindOf(kind)],
            [text.step, [step, phase].filter((each) => each !== undefined).join(", ")],
            [text.fired, dispatched.toLocaleString()],
            [text.failed, failed.toLocaleString()],
            [text.p50, milliseconds(hook.p50Ms)],
            [text.p99, milliseconds(hook.p99Ms)],
          ]}
        />
        <p class="dim t12">
          <Link href="/runs">{text.trace}</Link>
        </p>
      </section>
      {rewrites.length > 0 && (
        <section class="sec">
          {rewrites.map(({ field, pluginIds }) => (
            <p class="note t12" data-s="approval" key={field}>
              {text.bothRewrite(pluginIds.join(text.and), field)}
            </p>
          ))}
        </section>
      )}
    </>
  );
}
