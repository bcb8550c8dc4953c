import { Link } from "wouter-preact";
import { type MarkState, StateMark } from "../../components/state-mark.js";
import { TableHead } from "../../components/table-head.js";
import { channels } from "../../state/host.js";
import { exactTime, shortTime } from "../../text/format.js";
import { type ChannelState, isWorking, nameOf, testChannel, tests } from "./channels.js";
import { text } from "./messages.js";

const MARKS: Readonly<Record<ChannelState["state"], MarkState>> = {
  unconfigured: "waiting",
  disabled: "interrupted",
  incomplete: "stuck",
  stopped: "interrupted",
  starting: "running",
  connected: "done",
  degraded: "stuck",
};

const COLUMNS = [
  [text.state, "", true],
  [text.channel, "", false],
  [text.state, "", false],
  [text.received, "end x", false],
  [text.ignored, "end x", false],
  [text.undelivered, "end x", false],
  [text.lastMessage, "end x", false],
  [text.action, "", true],
] as const;

/** Channels with the state of each account. */
export function ChannelList() {
  const all = channels.value;
  if (all.length === 0) {
    return (
      <div class="empty">
        <h2>{text.none}</h2>
        <p>{text.noneHelp}</p>
      </div>
    );
  }
  return (
    <section>
      <h2 class="grp">
        {text.title} <span class="n">{all.length}</span>
      </h2>
      <div class="rows channels" role="table" aria-label={text.title}>
        <TableHead columns={COLUMNS} />
        {all.map((state) => (
          <ChannelRow key={nameOf(state)} state={state} />
        ))}
      </div>
    </section>
  );
}

function ChannelRow({ state }: { state: ChannelState }) {
  const { channel, accountId, received, ignored, undelivered, lastMessageAt, lastFailure } = state;
  const name = nameOf(state);
  const path = pathOf(channel);
  const isSetUp = state.state !== "unconfigured";
  const tested = tests.value.get(name);
  const words = tested === undefined ? stateWords(state) : testWords(tested, name);
  return (
    <div class="row act" role="row">
      <span role="cell">
        <StateMark state={MARKS[state.state]} label={text[state.state]} />
      </span>
      <span role="cell" title={name}>
        <Link class="cover" href={path}>
          <strong>{channel}</strong>
        </Link>{" "}
        {accountId !== undefined && accountId !== "default" && <span class="sub">{accountId}</span>}
      </span>
      <span role="cell" class={tested?.ok === false ? "bad" : "mid"} title={words}>
        {words}
      </span>
      <span role="cell" class="end x">
        {isSetUp && received.toLocaleString()}
      </span>
      <span role="cell" class="end x sub">
        {isSetUp && ignored.toLocaleString()}
      </span>
      <span
        role="cell"
        class={undelivered > 0 ? "end x bad" : "end x"}
        title={lastFailure?.message}
      >
        {isSetUp && undelivered.toLocaleString()}
      </span>
      <span role="cell" class="end x sub">
        {lastMessageAt !== undefined && shortTime(lastMessageAt)}
      </span>
      <span role="cell" class="free end">
        {isSetUp ? (
          <TestButton state={state} />
        ) : (
          <Link class="btn quiet small" href={path} aria-label={text.setUpNamed(name)}>
            {text.setUp}
          </Link>
        )}
      </span>
    </div>
  );
}

/** Button that asks the platform whether it accepts an account. */
export function TestButton({ state }: { state: ChannelState }) {
  const isOff = state.state === "disabled" || state.state === "incomplete";
  const reason = isOff ? text.notRunning : isWorking.value ? text.working : undefined;
  return (
    <button
      class="btn quiet small"
      type="button"
      aria-label={text.testNamed(nameOf(state))}
      aria-disabled={reason !== undefined}
      title={reason}
      onClick={() => {
        if (reason === undefined) void testChannel(state);
      }}
    >
      {text.test}
    </button>
  );
}

/**
 * Returns the state of an account as a sentence.
 * @param state - account of a channel
 */
export function stateWords({ state, problem, retryAt, lastFailure }: ChannelState): string {
  return [
    text[state],
    problem?.message ?? (state === "degraded" ? lastFailure?.message : undefined),
    retryAt === undefined ? undefined : text.retry(exactTime(retryAt)),
  ]
    .filter((each) => each !== undefined)
    .join(": ");
}

/**
 * Returns the result of a test as a sentence.
 * @param result - result of the gateway
 * @param name - name of the account
 */
export function testWords(
  { ok, problem }: { readonly ok: boolean; readonly problem?: { readonly message: string } },
  name: string,
): string {
  return ok ? text.works(name) : (problem?.message ?? text.notRunning);
}

function pathOf(channel: string): string {
  return `/channels?id=${encodeURIComponent(channel)}`;
}
